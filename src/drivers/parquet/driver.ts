import type { Driver } from '../driver.ts';
import { FILE_QUERY } from '../files/query/query-method.ts';
import { STORAGE_HOST_KEYS, STORAGE_SECRETS } from '../files/storage/storage-config.ts';
import { parquetConfig, parquetPageOf, parquetReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** Parquet files, in a folder that the server allows or in object storage. */
export const parquetDriver: Driver = {
  type: 'parquet',
  title: 'Parquet files',
  capabilities: {
    write: ['append', 'replace'],
    introspect: true,
    anywhere: 'by_path',
    fixedColumns: true,
    takesFiles: true,
  },
  config: parquetConfig,
  secrets: STORAGE_SECRETS,
  hostKeys: STORAGE_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the rows of a file',
      kind: 'rows',
      args: parquetReadArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter', files: true },
      pageOf: parquetPageOf,
    },
    FILE_QUERY,
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectParquet(config, context),
};
