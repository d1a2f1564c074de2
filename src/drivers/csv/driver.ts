import type { Driver } from '../driver.ts';
import { FILE_QUERY } from '../files/query/query-method.ts';
import { STORAGE_HOST_KEYS, STORAGE_SECRETS } from '../files/storage/storage-config.ts';
import { csvConfig, csvPageOf, csvReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** CSV and TSV files, in a folder that the server allows or in object storage. */
export const csvDriver: Driver = {
  type: 'csv',
  title: 'CSV files',
  capabilities: { write: ['append', 'replace'], introspect: true, anywhere: 'by_path', fixedColumns: true },
  config: csvConfig,
  secrets: STORAGE_SECRETS,
  hostKeys: STORAGE_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the rows of a file',
      kind: 'rows',
      tellsMalformed: true,
      args: csvReadArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter', files: true },
      pageOf: csvPageOf,
    },
    FILE_QUERY,
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectCsv(config, context),
};
