import type { Driver } from '../driver.ts';
import { FILE_QUERY } from '../files/query/query-method.ts';
import { STORAGE_HOST_KEYS, STORAGE_SECRETS } from '../files/storage/storage-config.ts';
import { xmlConfig, xmlPageOf, xmlReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** XML files whose rows are elements of one kind; read only. */
export const xmlDriver: Driver = {
  type: 'xml',
  title: 'XML files',
  capabilities: { write: [], introspect: true, anywhere: 'by_path' },
  config: xmlConfig,
  secrets: STORAGE_SECRETS,
  hostKeys: STORAGE_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the rows of a file',
      kind: 'rows',
      args: xmlReadArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter', files: true },
      pageOf: xmlPageOf,
    },
    FILE_QUERY,
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectXml(config, context),
};
