import type { Driver } from '../driver.ts';
import { sqlMethods } from '../sql/method-args.ts';
import { sqliteConfig } from './config.ts';
import { sqliteWidening } from './load/wider-type.ts';

const load = () => import('./connection.ts');

/**
 * SQLite database files through `node:sqlite`. Statements run inside the engine and hold their thread, so that this driver
 * belongs into the worker host or an executor. Read-only execution: a read-only handle whose authorizer refuses everything
 * but reading.
 */
export const sqliteDriver: Driver = {
  type: 'sqlite',
  title: 'SQLite',
  capabilities: {
    write: ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only', 'scd2', 'delete'],
    introspect: true,
    deletesMissing: true,
    typedColumns: true,
    fixedColumns: true,
    oneLoadAtOnce: true,
    foldsNames: true,
    parts: ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only'],
  },
  widening: sqliteWidening,
  config: sqliteConfig,
  secrets: [],
  hostKeys: [],
  methods: sqlMethods,
  preload: load,
  connect: async (config, context) => (await load()).connectSqlite(config, context),
};
