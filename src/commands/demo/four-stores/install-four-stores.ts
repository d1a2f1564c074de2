import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programFile } from '../../../base/program-files.ts';
import type { Client } from '../../../client/create-client.ts';
import type { Stores } from './start-stores.ts';

const TASKS = ['into-postgres', 'into-mongodb', 'into-parquet', 'into-sqlite'] as const;
const folder = programFile('examples/four-stores');

export interface FourStoresPlaces {
  readonly stores: Stores;
  /** The flights as JSON. */
  readonly sourcePath: string;
  readonly warehousePath: string;
}

/** Creates connectors, tasks, template and job from the YAML of `examples/four-stores`; gives the job's id. Throws `ApiError`. */
export async function installFourStores(api: Client, places: FourStoresPlaces): Promise<number> {
  const { postgresUrl, mongodbUrl, s3 } = places.stores;
  const connector = async (name: string, type: string, config: Record<string, unknown>) =>
    (await api.POST('/api/connectors', { body: { name, type, config } })).id;
  const connector_mapping = {
    file: await connector('Flights (JSON)', 'json', { path: places.sourcePath }),
    shop: await connector('Shop (PostgreSQL)', 'postgres', { url: postgresUrl }),
    documents: await connector('Documents (MongoDB)', 'mongodb', { url: mongodbUrl }),
    lake: await connector('Lake (object storage)', 'parquet', {
      path: s3.path,
      s3: { endpoint: s3.endpoint, access_key_id: s3.key },
      secret_access_key: s3.secret,
    }),
    warehouse: await connector('Flights (SQLite)', 'sqlite', { path: places.warehousePath }),
  };
  for (const task of TASKS)
    await api.POST('/api/tasks', { body: { yaml_content: await yamlOf(`${task}.task`) } });
  const { id } = await api.POST('/api/job-templates', {
    body: { name: 'four_stores', yaml_content: await yamlOf('four-stores.template') },
  });
  const job = await api.POST('/api/job-templates/{id}/jobs', {
    params: { path: { id } },
    body: { name: 'Through four stores', connector_mapping },
  });
  return job.id;
}

function yamlOf(name: string): Promise<string> {
  return readFile(join(folder, `${name}.yaml`), 'utf8');
}
