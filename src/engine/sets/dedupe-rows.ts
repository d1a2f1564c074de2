import type { Batch } from '../../drivers/driver.ts';
import type { SetOp } from '../../language/task/steps/ops/transform-ops.ts';
import type { SqlInstance } from '../sql/sql-instance.ts';
import { SetTable } from './set-table.ts';
import { wholeRows } from './whole-rows.ts';

/** One row of those with the same key, as it came and in the order of all; `onDropped` is told how many were left out. */
export async function* dedupeRows(
  op: Extract<SetOp, { op: 'dedupe' }>,
  rows: AsyncIterable<Batch>,
  engine: SqlInstance,
  { stepId, name }: { readonly stepId: string; readonly name: string },
  onDropped: (rows: number) => void,
): AsyncGenerator<Batch, void, undefined> {
  const named = [...new Set([...op.by, ...(op.sort === null ? [] : [op.sort])])];
  const columns = op.by.length === 0 ? null : named;
  const ordered = op.sort === null ? [] : [op.sort];
  const table = await SetTable.open(engine, {
    op: 'dedupe',
    stepId,
    name,
    columns,
    ordered,
    keepsRows: true,
  });
  for await (const batch of rows) await table.add(batch);
  await table.finish();
  if (table.isBare) return;
  const keys = op.by.length === 0 ? table.sqlColumns : op.by.map((column) => table.sqlOf(column));
  const kept = `SELECT t.s, t.row FROM ${table.name} t SEMI JOIN (${keptRows(op, keys, table)}) k ON t.n = k.n ORDER BY t.n`;
  let count = 0;
  for await (const batch of wholeRows(table.connection, kept, table.columns, ([s = null, row = null]) =>
    table.rowOf(s, row),
  )) {
    count += batch.rows.length;
    yield batch;
  }
  onDropped(table.rows - count);
}

/** The numbers of the rows that stay. */
function keptRows(
  { keep, sort }: Extract<SetOp, { op: 'dedupe' }>,
  keys: readonly string[],
  table: SetTable,
): string {
  const first = keep === 'first';
  const by = keys.join(', ');
  if (sort === null) return `SELECT ${first ? 'min' : 'max'}(n) AS n FROM ${table.name} GROUP BY ${by}`;
  const order = first ? 'ASC' : 'DESC';
  const ranked = `row_number() OVER (PARTITION BY ${by} ORDER BY ${table.sqlOf(sort)} ${order} NULLS LAST, n ${order})`;
  return `SELECT n FROM (SELECT n, ${ranked} AS place FROM ${table.name}) WHERE place = 1`;
}
