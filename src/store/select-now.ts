import { sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Db } from './store.ts';

/** The store's own clock: leases of several servers are compared by it alone. */
export async function selectNow(db: Db, dialect: Dialect): Promise<number> {
  const row = await sql<{ now: number }>`select ${dialect.nowMs} as now`.execute(db);
  return Number(row.rows[0]?.now);
}
