import { sql } from 'kysely';
import type { Store } from '../../../src/store/store.ts';

/** Every row of every table of a store's state. */
export async function stateOf({ dialect, read }: Store): Promise<Record<string, unknown[]>> {
  const tables =
    dialect.name === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const state: Record<string, unknown[]> = {};
  for (const { name } of (await tables.execute(read)).rows)
    state[name] = (await sql`select * from ${sql.table(name)}`.execute(read)).rows;
  return state;
}
