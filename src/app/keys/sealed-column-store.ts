import { sql } from 'kysely';
import type { Db, Tx } from '../../store/store.ts';
import type { SealedColumn } from './sealed-columns.ts';

export interface SealedRow {
  readonly key: number | string;
  readonly sealed: string;
}

/** The rows after `after` that hold something, in the order of their keys. */
export async function selectSealed(
  db: Db,
  { table, key, column, only }: SealedColumn,
  after: number | string | null,
  limit: number,
): Promise<SealedRow[]> {
  const name = sql.ref(key);
  const place = after === null ? sql`true` : sql`${name} > ${after}`;
  const wanted = only === undefined ? sql`true` : sql`${name} = ${only}`;
  const { rows } = await sql<SealedRow>`
    select ${name} as "key", ${sql.ref(column)} as "sealed" from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${place} and ${wanted}
    order by ${name} limit ${limit}`.execute(db);
  return rows;
}

/** False where the row was changed meanwhile, or is gone. */
export async function updateSealed(
  tx: Tx,
  { table, key, column }: SealedColumn,
  { key: row, sealed }: SealedRow,
  after: string,
): Promise<boolean> {
  const result = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${after}
    where ${sql.ref(key)} = ${row} and ${sql.ref(column)} = ${sealed}`.execute(tx);
  return (result.numAffectedRows ?? 0n) > 0n;
}
