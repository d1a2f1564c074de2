import type { ColumnType } from '../../src/drivers/driver.ts';
import { type CanonicalValue, titleOf } from './canonical-values.ts';
import type { Reads } from './meaning.ts';
import type { OpenTarget, TargetColumn } from './target.ts';
import { batchOf, type Cell, openWriter, refusalOf, verdictOf, type Way } from './try-cells.ts';

/** As what the column is read that a load makes of values of a type. */
export type NewReads = Readonly<Record<ColumnType, Reads>>;

/** Where each type has a column of its own. */
export const TYPED_READS: NewReads = {
  string: 'text',
  integer: 'number',
  number: 'double',
  decimal: 'number',
  boolean: 'truth',
  date: 'day',
  time: 'time',
  timestamp: 'moment',
  json: 'json',
  binary: 'bytes',
  unknown: 'text',
};

export const NEW_TABLE: TargetColumn = { name: 'a new table', declared: '', reads: 'text' };

/** Ways of loading that make the table, each by itself. */
export const MAKING_WAYS = ['append', 'replace', 'merge'] as const satisfies readonly Way[];

const never = new AbortController().signal;

/** Gives each value to a table that its load makes: it is there as it was, or refused with column and value. */
export async function tryNewTables(
  target: OpenTarget,
  reads: NewReads,
  values: readonly CanonicalValue[],
): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (const value of values) cells.push(await tryNewTable(target, reads, value, 'append'));
  return cells;
}

async function tryNewTable(
  target: OpenTarget,
  reads: NewReads,
  value: CanonicalValue,
  way: Way,
): Promise<Cell> {
  const table = 'made';
  await target.drop?.(table);
  const writer = await openWriter(target, table, way);
  try {
    const refusal = await refusalOf(writer, batchOf([[1, value]]), true);
    if (refusal !== null) return { value, verdict: 'refused', text: refusal };
  } finally {
    await writer.abort();
  }
  const column = { ...NEW_TABLE, reads: reads[value.type] };
  // A key that every record lacks need not become a column.
  const isMade = value.value !== undefined || (await target.connection.describe(table, never)).length > 1;
  const text = isMade ? (await target.shown(table, column)).get(1) : null;
  return { value, verdict: verdictOf(value, text, column), text: text ?? String(text) };
}

/** Loads each value into a new table in another way: what becomes of it is the same. */
export async function tryNewTablesAgain(
  target: OpenTarget,
  reads: NewReads,
  cells: readonly Cell[],
  way: Way,
): Promise<readonly string[]> {
  const others: string[] = [];
  for (const { value, verdict, text } of cells) {
    const again = await tryNewTable(target, reads, value, way);
    const isSame = again.verdict === verdict && (verdict === 'refused' || again.text === text);
    if (!isSame)
      others.push(`${titleOf(value)} by ${way}: ${again.verdict} ${again.text}, and ${text} by append`);
  }
  return others;
}
