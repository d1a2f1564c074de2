import type pg from 'pg';
import type { Test } from 'tap';
import { until } from './served.ts';

const OWN = 'datname = current_database() AND pid <> pg_backend_pid()';
const TABLES = `SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
  WHERE relkind = 'r' AND relname <> '_headgate_loads' AND nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY relname`;
const LOCKS = `SELECT FROM pg_locks WHERE pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** What runs leave in the database of this session: these tables, besides the marks of loads, no session at work, and no lock. */
export async function expectNothingLeft(
  t: Test,
  client: pg.Client,
  tables: readonly string[],
): Promise<void> {
  await until('no other session is at work', 10_000, async () => {
    const busy = await client.query(`SELECT FROM pg_stat_activity WHERE ${OWN} AND state <> 'idle'`);
    return busy.rowCount === 0;
  });
  const { rows } = await client.query<{ relname: string }>(TABLES);
  t.same(
    rows.map(({ relname }) => relname),
    tables,
    'nothing is left beside the tables',
  );
  t.equal((await client.query(LOCKS)).rowCount, 0, 'no lock is left');
}
