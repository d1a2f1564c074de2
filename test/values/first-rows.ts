import type { ColumnType } from '../../src/drivers/driver.ts';
import { type CanonicalValue, titleOf } from './canonical-values.ts';
import type { Reads } from './meaning.ts';
import { NEW_TABLE, type NewReads } from './new-tables.ts';
import type { OpenTarget } from './target.ts';
import { batchOf, openWriter, refusalOf, verdictOf } from './try-cells.ts';

/** What the first rows of a load bring, of which it makes the column. */
const FIRST: readonly (readonly [ColumnType, unknown])[] = [
  ['integer', 5],
  ['number', 1.5],
  ['decimal', '1.5'],
  ['boolean', true],
  ['string', 'a'],
  ['date', '2024-01-01'],
  ['timestamp', '2024-01-01T00:00:00Z'],
  ['json', { a: 1 }],
  ['binary', 'AA=='],
];

/** Booleans are small numbers in MariaDB, and JSON of SQLite is text beside which bytes stay bytes. */
const ALSO: Readonly<Partial<Record<ColumnType, Reads>>> = { boolean: 'number', json: 'bytes' };

/** Gives every value to a column that earlier rows of the same load have made; names those that are there otherwise. */
export async function tryAfterFirstRows(
  target: OpenTarget,
  reads: NewReads,
  values: readonly CanonicalValue[],
): Promise<readonly string[]> {
  const there = values.filter(({ value }) => value !== undefined);
  const others: string[] = [];
  for (const first of FIRST)
    for (const way of ['append', 'replace'] as const)
      others.push(...(await tryAfter(target, { first, way, reads }, there)));
  return others;
}

async function tryAfter(
  target: OpenTarget,
  { first, way, reads }: { first: (typeof FIRST)[number]; way: 'append' | 'replace'; reads: NewReads },
  values: readonly CanonicalValue[],
): Promise<readonly string[]> {
  const table = 'made';
  const [type, value] = first;
  await target.drop?.(table);
  const refused = new Set<number>();
  const writer = await openWriter(target, table, way);
  try {
    await writer.write(batchOf([[values.length, { kind: 'first', type, value }]]));
    for (const [id, one] of values.entries())
      if ((await refusalOf(writer, batchOf([[id, one]]))) !== null) refused.add(id);
    await writer.commit();
  } finally {
    await writer.abort();
  }
  const column = { ...NEW_TABLE, reads: reads[type] };
  const also = { ...NEW_TABLE, reads: ALSO[type] ?? reads[type] };
  const shown = await target.shown(table, column);
  return values.flatMap((one, id) => {
    const text = shown.get(id);
    const isRight = refused.has(id)
      ? text === undefined
      : [column, also].some((as) => verdictOf(one, text, as) === 'same');
    return isRight ? [] : [`${titleOf(one)} after ${type} by ${way} became ${text}`];
  });
}
