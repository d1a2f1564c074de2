import { ExactNumber } from '../../base/values/exact-number.ts';
import type { Batch, Column, Row } from '../../drivers/driver.ts';
import { calculate } from '../../language/expression/exact/exact-arithmetic.ts';
import type { AggregateField } from '../../language/task/steps/ops/set-ops.ts';
import type { SetTable } from './set-table.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

/** A mean that the engine would give as a double: it gives two numbers in its place, of which that is the quotient. */
export interface ExactMean {
  readonly name: string;
  readonly sum: string;
  readonly count: string;
}

/** Of the fields, those that are means of decimals, or of whole numbers of which some are beyond 2^53. */
export async function exactMeans(
  fields: readonly AggregateField[],
  table: SetTable,
): Promise<readonly ExactMean[]> {
  const means: ExactMean[] = [];
  for (const { name, of, function: made } of fields) {
    if (of === null || (made !== 'avg' && made !== 'median')) continue;
    if (!(await isExact(table, of))) continue;
    const column = table.sqlOf(of);
    // The lower one and the upper one of the two in the middle, which are one where their number is odd.
    const middle = `quantile_disc(${column}, 0.5) - quantile_disc(-${column}, 0.5)`;
    means.push(
      made === 'avg'
        ? { name, sum: `sum(${column})`, count: `count(${column})` }
        : { name, sum: middle, count: '2' },
    );
  }
  return means;
}

async function isExact(table: SetTable, column: string): Promise<boolean> {
  const type = table.typeOf(column);
  if (type !== 'integer') return type === 'decimal';
  const sql = table.sqlOf(column);
  const found = await table.connection.runAndReadAll(
    `SELECT coalesce(max(${sql}) > ${LARGEST} OR min(${sql}) < -${LARGEST}, false) FROM ${table.name}`,
  );
  return found.value(0, 0) === true;
}

/** The batch with its means: of each, `name` has the sum, and the column after all others, in order, the count. */
export function withMeans(batch: Batch, means: readonly ExactMean[]): Batch {
  if (means.length === 0) return batch;
  const names = new Set(means.map(({ name }) => name));
  const columns = batch.columns
    .slice(0, batch.columns.length - means.length)
    .map(
      (column): Column =>
        names.has(column.name) ? { name: column.name, type: 'decimal', nullable: true } : column,
    );
  const rows = batch.rows.map((row) => {
    const out: Row = Object.fromEntries(columns.map(({ name }) => [name, row[name]]));
    for (const { name } of means) out[name] = meanOf(row[name], row[countName(name)]);
    return out;
  });
  return { ...batch, columns, rows };
}

/** No name that a field can have. */
export function countName(name: string): string {
  return `${name}\u0000count`;
}

function meanOf(sum: unknown, count: unknown): string | null {
  if (sum === null) return null;
  const mean = calculate('/', new ExactNumber(String(sum), 'decimal'), Number(count));
  return mean instanceof ExactNumber ? mean.text : String(mean);
}
