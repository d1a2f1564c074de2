import type { Batch, ColumnType, Row } from '../../drivers/driver.ts';
import { ResultColumns } from '../../drivers/duckdb/result-columns.ts';
import type { Aggregate, AggregateField } from '../../language/task/steps/ops/set-ops.ts';
import type { SetOp } from '../../language/task/steps/ops/transform-ops.ts';
import { RunFault } from '../run-fault.ts';
import type { SqlInstance } from '../sql/sql-instance.ts';
import { countName, exactMeans, withMeans } from './exact-means.ts';
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
  const ordered = op.fields.flatMap(({ function: made, of }) =>
    made === 'min' || made === 'max' ? (of ?? []) : [],
  );
  const table = await SetTable.open(engine, {
    op: 'aggregate',
    stepId,
    name,
    columns,
    ordered,
    keepsRows: false,
  });
  for await (const batch of rows) await table.add(batch);
  await table.finish();
  if (table.isBare) return yield* ofNothing(op);
  const by = op.by.map((name) => table.sqlOf(name));
  for (const field of op.fields) requireNumbers(field, table, stepId);
  const means = await exactMeans(op.fields, table);
  const made = op.fields.map(
    (field) => means.find(({ name }) => name === field.name)?.sum ?? sqlOf(field, table),
  );
  const group = by.length === 0 ? '' : ` GROUP BY ${by.join(', ')} ORDER BY min(n)`;
  const selected = [...by, ...made, ...means.map(({ count }) => count)].join(', ');
  const names = [...op.by, ...op.fields.map(({ name }) => name), ...means.map(({ name }) => countName(name))];
  let count = 0;
  try {
    const result = await table.connection.stream(`SELECT ${selected} FROM ${table.name}${group}`);
    const results = new ResultColumns(engine.duckdb, result, names);
    for (
      let chunk = await result.fetchChunk();
      (chunk?.rowCount ?? 0) > 0;
      chunk = await result.fetchChunk()
    ) {
      const batch = withMeans(results.batchOf(chunk as NonNullable<typeof chunk>), means);
      count += batch.rows.length;
      yield batch;
    }
    if (count === 0) yield withMeans({ columns: results.columns, rows: [] }, means);
  } catch (error) {
    throw isOverflow(error) ? tooLong(op.fields, stepId, error) : error;
  }
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && /^Out of Range Error/.test(error.message);
}

/** The engine does not say of which one. */
function tooLong(fields: readonly AggregateField[], stepId: string, cause: unknown): RunFault {
  const sums = fields.filter(({ function: made }) => OF_NUMBERS.has(made));
  const named = sums.map(({ function: made, of }) => `${made} of "${of}"`).join(', ');
  const message = `aggregate: a number has more than the 38 digits that can be held (${named}); cast the column to number before, or round it`;
  return new RunFault('SQL_ERROR', message, { reason: 'task_error', stepId, cause });
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

function requireNumbers({ function: made, of }: AggregateField, table: SetTable, stepId: string): void {
  const type = of === null ? 'number' : table.typeOf(of);
  if (!OF_NUMBERS.has(made) || NUMERIC.has(type)) return;
  const message = `aggregate: ${made} needs numbers, and the column "${of}" is ${type}; cast it before`;
  throw new RunFault('VALIDATION_ERROR', message, { reason: 'config_error', stepId });
}

function sqlOf({ function: made, of }: AggregateField, table: SetTable): string {
  if (of === null) return 'count(*)';
  const column = table.sqlOf(of);
  const type = table.typeOf(of);
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
