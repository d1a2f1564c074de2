import type { Driver } from '../driver.ts';
import { mongodbConfig } from './config.ts';
import { mongodbMethods } from './method-args.ts';

const load = () => import('./connection.ts');

/** MongoDB 5 and later, and what speaks its protocol, through `mongodb`. Connecting happens with the first call. */
export const mongodbDriver: Driver = {
  type: 'mongodb',
  title: 'MongoDB',
  capabilities: {
    write: ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only', 'delete'],
    introspect: true,
    showsWhatWasSent: ['append'],
    keepsWhatWasSent: ['upsert', 'merge', 'insert_only', 'delete'],
  },
  config: mongodbConfig,
  secrets: ['password', 'url'],
  hostKeys: ['host', 'port', 'database', 'url', 'auth_source', 'replica_set'],
  methods: mongodbMethods,
  preload: load,
  connect: async (config, context) => (await load()).connectMongodb(config, context),
};
