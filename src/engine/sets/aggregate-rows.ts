import type { Batch, ColumnType, Row } from '../../drivers/driver.ts';
import { ResultColumns } from '../../drivers/duckdb/result-columns.ts';
import type { Aggregate, AggregateField } from '../../language/task/steps/ops/set-ops.ts';
import type { SetOp } from '../../language/task/steps/ops/transform-ops.ts';
import { RunFault } from '../run-fault.ts';
import type { SqlInstance } from '../sql/sql-instance.ts';
import { SetTable } from './set-table.ts';

const NUMERIC: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'decimal', 'unknown']);
const OF_NUMBERS: ReadonlySet<Aggregate> = new Set(['sum', 'avg', 'median']);

/** One row of each group, in the order in which the groups began. */
export async function* aggregateRows(
  op: Extract<SetOp, { op: 'aggregate' }>,
  rows: AsyncIterable<Batch>,
  engine: SqlInstance,
  { stepId, name }: { readonly stepId: string; readonly name: string },
): AsyncGenerator<Batch, void, undefined> {
  const columns = [...new Set([...op.by, ...op.fields.flatMap(({ of }) => of ?? [])])];
  const table = await SetTable.open(engine, { op: 'aggregate', stepId, name, columns, keepsRows: false });
  for await (const batch of rows) await table.add(batch);
  await table.finish();
  if (table.isBare) return yield* ofNothing(op);
  const by = op.by.map((name) => table.sqlOf(name));
  const made = op.fields.map((field) => sqlOf(field, table, stepId));
  const group = by.length === 0 ? '' : ` GROUP BY ${by.join(', ')} ORDER BY min(n)`;
  const result = await table.connection.stream(
    `SELECT ${[...by, ...made].join(', ')} FROM ${table.name}${group}`,
  );
  const names = [...op.by, ...op.fields.map(({ name }) => name)];
  const results = new ResultColumns(engine.duckdb, result, names);
  let count = 0;
  for (let chunk = await result.fetchChunk(); (chunk?.rowCount ?? 0) > 0; chunk = await result.fetchChunk()) {
    const batch = results.batchOf(chunk as NonNullable<typeof chunk>);
    count += batch.rows.length;
    yield batch;
  }
  if (count === 0) yield { columns: results.columns, rows: [] };
}

/** All rows together are one group, even where there are none and nothing is known of their columns. */
function* ofNothing({ by, fields }: Extract<SetOp, { op: 'aggregate' }>): Generator<Batch> {
  if (by.length > 0) return;
  const isCount = ({ function: made }: AggregateField) => made === 'count' || made === 'count_distinct';
  const columns = fields.map((field) => ({
    name: field.name,
    type: isCount(field) ? ('integer' as const) : ('unknown' as const),
    nullable: true,
  }));
  const emptyOf = (field: AggregateField) => (isCount(field) ? 0 : field.function === 'list' ? [] : null);
  const row: Row = Object.fromEntries(fields.map((field) => [field.name, emptyOf(field)]));
  yield { columns, rows: [row] };
}

function sqlOf({ function: made, of }: AggregateField, table: SetTable, stepId: string): string {
  if (of === null) return 'count(*)';
  const column = table.sqlOf(of);
  const type = table.typeOf(of);
  if (OF_NUMBERS.has(made) && !NUMERIC.has(type)) {
    const message = `aggregate: ${made} needs numbers, and the column "${of}" is ${type}; cast it before`;
    throw new RunFault('VALIDATION_ERROR', message, { reason: 'config_error', stepId });
  }
  // Sums of numbers do not depend on the order in which threads add them up.
  const number = type === 'unknown' ? `CAST(${column} AS DOUBLE)` : column;
  const isFloat = type === 'number' || type === 'unknown';
  switch (made) {
    case 'count':
      return `count(${column})`;
    case 'count_distinct':
      return `count(DISTINCT ${column})`;
    case 'sum':
      return `${isFloat ? 'fsum' : 'sum'}(${number})`;
    case 'avg':
      return `${isFloat ? 'favg' : 'avg'}(${number})`;
    case 'median':
      return `median(CAST(${column} AS DOUBLE))`;
    case 'min':
    case 'max':
      return `${made}(${column})`;
    case 'first':
      return `arg_min(${column}, n)`;
    case 'last':
      return `arg_max(${column}, n)`;
    case 'list':
      return `coalesce(list(${column} ORDER BY n) FILTER (${column} IS NOT NULL), [])`;
    default:
      return made satisfies never;
  }
}
