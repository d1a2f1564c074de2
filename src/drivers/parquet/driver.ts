import type { Driver } from '../driver.ts';
import { S3_HOST_KEYS, S3_SECRETS } from '../files/s3/s3-config.ts';
import { parquetConfig, parquetPageOf, parquetReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** Parquet files, in a folder that the server allows or in object storage; read only. */
export const parquetDriver: Driver = {
  type: 'parquet',
  title: 'Parquet files',
  capabilities: { write: [], introspect: true, fixedColumns: true },
  config: parquetConfig,
  secrets: S3_SECRETS,
  hostKeys: S3_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the rows of a file',
      kind: 'rows',
      args: parquetReadArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter' },
      pageOf: parquetPageOf,
    },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectParquet(config, context),
};
