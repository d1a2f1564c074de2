import type { Driver } from '../driver.ts';
import { sqlMethods } from '../sql/method-args.ts';
import { mysqlConfig } from './config.ts';
import { mysqlWidening } from './types/wider-type.ts';

const load = () => import('./connection.ts');

/** A LOAD DATA of fewer rows waits for the server about as long as the server works. */
const writeBatchRows = 10_000;

/** MariaDB 10.6 and later, and MySQL 8, through `mysql2`. Connecting happens with the first call. */
export const mysqlDriver: Driver = {
  type: 'mysql',
  title: 'MySQL and MariaDB',
  capabilities: {
    write: ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only', 'scd2', 'delete'],
    introspect: true,
    deletesMissing: true,
    typedColumns: true,
    fixedColumns: true,
    foldsNames: true,
    writeBatchRows,
    parts: ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only'],
    anywhere: true,
  },
  widening: mysqlWidening,
  config: mysqlConfig,
  secrets: ['password', 'url'],
  hostKeys: ['host', 'port', 'database', 'url'],
  methods: sqlMethods,
  preload: load,
  connect: async (config, context) => (await load()).connectMysql(config, context),
};
