import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../client/create-client.ts';
import type { DemoConsole } from '../demo-console.ts';
import type { DemoFolder } from '../demo-folder.ts';
import { followJobRun } from '../follow-job-run.ts';
import { createRunProgress } from '../run-progress.ts';
import { printCounts, printFailure, printSteps } from '../run-report.ts';
import { countStores } from './count-stores.ts';
import { installFourStores } from './install-four-stores.ts';
import type { Stores } from './start-stores.ts';

const SOURCE = 'flights-200k.json';

export interface FourStoresDemo {
  readonly folder: DemoFolder;
  readonly url: string;
  readonly apiKey: string;
  readonly stores: Stores;
  /** Where the demo's source files lie. */
  readonly sourceFolder: string;
  readonly signal: AbortSignal;
}

/** Takes the same rows through four stores, one after another; true where each has all of them. Throws `ApiError`. */
export async function goThroughStores(out: DemoConsole, demo: FourStoresDemo): Promise<boolean> {
  const { folder, url, apiKey, stores, signal } = demo;
  const sourcePath = join(demo.sourceFolder, SOURCE);
  const flights: unknown = JSON.parse(await readFile(sourcePath, 'utf8'));
  const expected = Array.isArray(flights) ? flights.length : 0;
  const places = { stores, sourcePath, warehousePath: join(folder.tablesPath, 'four-stores.db') };
  const api = createClient({ server: url, token: apiKey });
  const jobId = await installFourStores(api, places);
  out.line();
  out.item(
    'four stores',
    'PostgreSQL, MongoDB, Parquet in object storage, SQLite: the same rows through each',
  );
  const jobRun = await followJobRun(api, jobId, createRunProgress(out, {}), signal);
  if (jobRun.status !== 'success') {
    await printFailure(out, api, jobRun, { url, serverLogPath: folder.serverLogPath });
    return false;
  }
  await printSteps(out, api, jobRun);
  return printCounts(out, await countStores(places, expected));
}
