import type { Driver } from '../driver.ts';
import { FILE_QUERY } from '../files/query/query-method.ts';
import { STORAGE_HOST_KEYS, STORAGE_SECRETS } from '../files/storage/storage-config.ts';
import { jsonConfig, jsonPageOf, jsonReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** JSON documents and NDJSON files, in a folder that the server allows or in object storage. */
export const jsonDriver: Driver = {
  type: 'json',
  title: 'JSON files',
  capabilities: { write: ['append', 'replace'], introspect: true, anywhere: 'by_path' },
  config: jsonConfig,
  secrets: STORAGE_SECRETS,
  hostKeys: STORAGE_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the records of a file',
      kind: 'rows',
      tellsMalformed: true,
      args: jsonReadArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter', files: true },
      pageOf: jsonPageOf,
    },
    FILE_QUERY,
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectJson(config, context),
};
