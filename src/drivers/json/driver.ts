import type { Driver } from '../driver.ts';
import { S3_HOST_KEYS, S3_SECRETS } from '../files/s3/s3-config.ts';
import { jsonConfig, jsonPageOf, jsonReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** JSON documents and NDJSON files, in a folder that the server allows or in object storage. */
export const jsonDriver: Driver = {
  type: 'json',
  title: 'JSON files',
  capabilities: { write: ['append', 'replace'], introspect: true },
  config: jsonConfig,
  secrets: S3_SECRETS,
  hostKeys: S3_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the records of a file',
      kind: 'rows',
      tellsMalformed: true,
      args: jsonReadArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter' },
      pageOf: jsonPageOf,
    },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectJson(config, context),
};
