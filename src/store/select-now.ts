import { sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Db } from './store.ts';

/** The store's own clock, the only one used to compare leases of several servers. */
export async function selectNow(db: Db, dialect: Dialect): Promise<number> {
  const row = await sql<{ now: number }>`select ${dialect.nowMs} as now`.execute(db);
  return Number(row.rows[0]?.now);
}
