import type { Driver } from '../driver.ts';
import { FILE_QUERY } from '../files/query/query-method.ts';
import { STORAGE_HOST_KEYS, STORAGE_SECRETS } from '../files/storage/storage-config.ts';
import { excelConfig, excelPageOf, excelReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** Excel workbooks, in a folder that the server allows or in object storage; read only. */
export const excelDriver: Driver = {
  type: 'excel',
  title: 'Excel workbooks',
  capabilities: { write: [], introspect: true, anywhere: 'by_path' },
  config: excelConfig,
  secrets: STORAGE_SECRETS,
  hostKeys: STORAGE_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the rows of a sheet',
      kind: 'rows',
      args: excelReadArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter', files: true },
      pageOf: excelPageOf,
    },
    FILE_QUERY,
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectExcel(config, context),
};
