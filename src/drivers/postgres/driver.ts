import type { Driver } from '../driver.ts';
import { sqlMethods } from '../sql/method-args.ts';
import { postgresConfig } from './config.ts';
import { postgresWidening } from './types/wider-type.ts';

const load = () => import('./connection.ts');

/** A COPY of fewer rows waits for the server about as long as the server works. */
const writeBatchRows = 10_000;

/** PostgreSQL 12 and later, through `pg`. Connecting happens with the first call. */
export const postgresDriver: Driver = {
  type: 'postgres',
  title: 'PostgreSQL',
  capabilities: {
    write: ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only', 'scd2', 'delete'],
    introspect: true,
    deletesMissing: true,
    typedColumns: true,
    parts: ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only'],
    anywhere: true,
    fixedColumns: true,
    writeBatchRows,
    copies: 'postgres',
  },
  widening: postgresWidening,
  config: postgresConfig,
  secrets: ['password', 'url'],
  hostKeys: ['host', 'port', 'database', 'url'],
  methods: sqlMethods,
  preload: load,
  connect: async (config, context) => (await load()).connectPostgres(config, context),
};
