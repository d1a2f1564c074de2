import type { Driver } from '../driver.ts';
import { csvConfig, csvPageOf, csvReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** CSV and TSV files, in a folder that the server allows. */
export const csvDriver: Driver = {
  type: 'csv',
  title: 'CSV files',
  capabilities: { write: ['append', 'replace'], introspect: true, fixedColumns: true },
  config: csvConfig,
  secrets: [],
  hostKeys: [],
  methods: [
    {
      name: 'read',
      summary: 'Reads the rows of a file',
      kind: 'rows',
      tellsMalformed: true,
      args: csvReadArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter' },
      pageOf: csvPageOf,
    },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectCsv(config, context),
};
