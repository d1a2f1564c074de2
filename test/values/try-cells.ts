import type { Batch, Column, ConnectorError, Writer } from '../../src/drivers/driver.ts';
import { type CanonicalValue, titleOf } from './canonical-values.ts';
import { meansTheSame } from './meaning.ts';
import type { OpenTarget, TargetColumn } from './target.ts';

/** What became of a value in a column. `silent` is what must not be. */
export type Verdict = 'same' | 'refused' | 'silent';

export interface Cell {
  readonly value: CanonicalValue;
  readonly verdict: Verdict;
  /** What the engine shows of it, or why it was refused. */
  readonly text: string;
}

/** How accepted values are loaded once more, all of a type at once. */
export const WAYS = [
  'append',
  'replace',
  'truncate_insert',
  'merge',
  'upsert',
  'insert_only',
  'parts',
] as const;
export type Way = (typeof WAYS)[number];

const never = new AbortController().signal;
let loads = 0;

export function batchOf(rows: readonly (readonly [number, CanonicalValue])[]): Batch {
  const [, { type = 'string', native } = {}] = rows[0] ?? [];
  const v: Column = { name: 'v', type, nullable: true, ...(native !== undefined && { native_type: native }) };
  return {
    columns: [{ name: 'id', type: 'integer', nullable: false }, v],
    rows: rows.map(([id, { value }]) => ({ id, v: value })),
  };
}

export async function openWriter({ connection }: OpenTarget, object: string, way: Way): Promise<Writer> {
  loads += 1;
  const loadId = `load-${loads}`;
  const key = ['merge', 'upsert', 'insert_only'].includes(way) ? ['id'] : [];
  const mode = way === 'parts' ? 'append' : way;
  return connection.openWriter({
    object,
    mode,
    key,
    loadId,
    allowEmpty: false,
    rowsMayFail: true,
    signal: never,
  });
}

/** Gives each value to the column by itself: it is there as it was, or refused with column and value. */
export async function tryCells(
  target: OpenTarget,
  column: TargetColumn,
  values: readonly CanonicalValue[],
): Promise<readonly Cell[]> {
  const table = 'cells';
  await target.create(table, column);
  const refused = new Map<number, string>();
  const writer = await openWriter(target, table, 'append');
  try {
    for (const [id, value] of values.entries()) {
      const error = await refusalOf(writer, batchOf([[id, value]]));
      if (error !== null) refused.set(id, error);
    }
    await writer.commit();
  } finally {
    await writer.abort();
  }
  const shown = await target.shown(table, column);
  return values.map((value, id) => {
    const why = refused.get(id);
    const text = shown.get(id);
    if (why !== undefined) return { value, verdict: text === undefined ? 'refused' : 'silent', text: why };
    return { value, verdict: verdictOf(value, text, column), text: text ?? String(text) };
  });
}

export function verdictOf(
  value: CanonicalValue,
  text: string | null | undefined,
  { reads }: TargetColumn,
): Verdict {
  if (text === undefined) return 'silent';
  const isNothing = value.value === null || value.value === undefined;
  // Of all targets only a document tells absent from null.
  const nothing = value.value === undefined && reads === 'field' ? 'absent' : null;
  if (text === null || isNothing) return isNothing && text === nothing ? 'same' : 'silent';
  return meansTheSame(value, text, reads) ? 'same' : 'silent';
}

/** Why the target refuses the row; null where it takes it. A refusal that does not name the column is none. */
export async function refusalOf(writer: Writer, batch: Batch, commits = false): Promise<string | null> {
  let error: unknown;
  try {
    await writer.write(batch);
    error = writer.refused?.()[0]?.error;
    if (error === undefined && commits) await writer.commit();
    if (error === undefined) return null;
  } catch (thrown) {
    error = thrown;
  }
  const { fault, column, message } = error as ConnectorError;
  if (fault === 'DATA' && (column === 'v' || message.includes('"v"'))) return message;
  throw error;
}

/** Loads the accepted values once more in another way, all of one type in one batch: the target shows the same. */
export async function tryWay(
  target: OpenTarget,
  column: TargetColumn,
  cells: readonly Cell[],
  way: Way,
): Promise<readonly string[]> {
  const table = 'cells_again';
  await target.create(table, column);
  const taken = [...cells.entries()].filter(([, { verdict }]) => verdict === 'same');
  const byType = Map.groupBy(
    taken,
    ([, { value }]) => `${value.type} ${value.native ?? ''} ${value.value === undefined}`,
  );
  const batches = Array.from(byType.values(), (group) =>
    batchOf(group.map(([id, { value }]) => [id, value] as const)),
  );
  if (batches.length === 0 || (way === 'parts' && target.connection.openParts === undefined)) return [];
  if (way === 'parts') await loadParts(target, table, batches);
  else {
    const writer = await openWriter(target, table, way);
    try {
      for (const batch of batches) await writer.write(batch);
      await writer.commit();
    } finally {
      await writer.abort();
    }
  }
  const shown = await target.shown(table, column);
  return taken.flatMap(([id, { value, text }]) =>
    String(shown.get(id)) === text
      ? []
      : [`${titleOf(value)} into ${column.name} by ${way}: ${shown.get(id)}, and ${text} by itself`],
  );
}

async function loadParts(
  { connection }: OpenTarget,
  object: string,
  batches: readonly Batch[],
): Promise<void> {
  if (connection.openParts === undefined) return;
  loads += 1;
  const loadId = `load-${loads}`;
  const load = await connection.openParts({
    object,
    mode: 'append',
    key: [],
    loadId,
    partsId: `${loadId}/parts`,
    allowEmpty: false,
    rowsMayFail: false,
    columnsAreFixed: true,
    signal: never,
  });
  await load.reset(never);
  await load.begin(never);
  let rows = 0;
  for (const [at, batch] of batches.entries()) {
    const part = await load.openPart(`${at}`, never);
    await part.write(batch);
    rows += (await part.commit()).rows;
  }
  await load.publish(rows, never);
}
