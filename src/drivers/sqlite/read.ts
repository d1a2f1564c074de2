import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { BATCH_ROWS_DEFAULT, type Batch, ConnectorError } from '../driver.ts';
import { ROW_LIMITS, sizeText } from '../row-limits.ts';
import type { SqlStatement } from '../sql/flavor.ts';
import type { SqliteTable } from './introspect.ts';
import { isTooBig } from './sqlite-fault.ts';
import { resultColumns, TypedRows } from './typed-rows.ts';

export interface RowsOptions {
  /** Of the file, for messages. */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly limit?: number;
  readonly batchRows?: number;
  readonly batchBytes?: number | undefined;
  /** Of which the statement is a list; absent for another statement. */
  readonly table?: SqliteTable | null;
}

const KEPT_MAX = 32;
/** A longer text is made by a program, and hardly comes twice. */
const KEPT_CHARS_MAX = 10_000;
/** Statements of each open handle by their text. A handle is lent to one call at a time, and its statements with it. */
const kept = new WeakMap<DatabaseSync, LRUCache<string, StatementSync>>();

/** A statement that gives rows as arrays, its integers exact; kept with its handle for the next call with the same text. */
export function prepareRows(db: DatabaseSync, sql: string): StatementSync {
  if (sql.length > KEPT_CHARS_MAX) return prepareNew(db, sql);
  let statements = kept.get(db);
  if (statements === undefined) {
    statements = new LRUCache({ max: KEPT_MAX, memoMethod: (text) => prepareNew(db, text) });
    kept.set(db, statements);
  }
  return statements.memo(sql);
}

function prepareNew(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return statement;
}

export function boundValues(params: readonly unknown[]): SQLInputValue[] {
  return params as SQLInputValue[];
}

/** Throws `UNAVAILABLE` when the caller has given up. */
export function requireRunning(signal: AbortSignal): void {
  if (signal.aborted) throw new ConnectorError('UNAVAILABLE', 'The call was cancelled');
}

/**
 * Rows of one statement in batches. Each batch is read in one go; between two of them the event loop turns and the signal is
 * looked at. A statement that is inside the engine before its first row ends only with the process.
 */
export async function* readRows(
  db: DatabaseSync,
  statement: SqlStatement,
  options: RowsOptions,
): AsyncGenerator<Batch> {
  const { name, signal, limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT } = options;
  const { batchBytes = ROW_LIMITS.batchCharsMax, table = null } = options;
  requireRunning(signal);
  const prepared = prepareRows(db, statement.sql);
  let typed: TypedRows | undefined;
  // The iterator is closed by hand: left open it would keep the file's read transaction.
  const rows = prepared.iterate(...boundValues(statement.params)) as unknown as Iterator<unknown[]>;
  let given = 0;
  try {
    let ended = false;
    while (!ended && given < limit) {
      const wanted = Math.min(batchRows, limit - given);
      const { found, isEnd } = take(rows, { wanted, charsMax: batchBytes, given, name });
      ended = isEnd;
      if (found.length === 0 && typed !== undefined) break;
      // After the first step: in it a kept statement is compiled anew where the schema has changed.
      typed ??= new TypedRows(resultColumns(prepared, table), found);
      yield* typed.batches(found);
      given += found.length;
      // A short result ends in the turn in which it began: its handle, with its warm pages, is free for the next.
      if (ended) break;
      await nextTurn();
      requireRunning(signal);
    }
  } finally {
    rows.return?.();
  }
}

/** All rows of a statement whose result is small. Throws `DATA` where it is not. */
export function allRows(db: DatabaseSync, { sql, params }: SqlStatement, name: string): unknown[][] {
  const rows = prepareRows(db, sql).iterate(...boundValues(params)) as unknown as Iterator<unknown[]>;
  try {
    const { found, isEnd } = take(rows, {
      wanted: Number.POSITIVE_INFINITY,
      charsMax: ROW_LIMITS.batchCharsMax,
      given: 0,
      name,
    });
    if (isEnd) return found;
    const size = sizeText(ROW_LIMITS.batchCharsMax);
    throw new ConnectorError('DATA', `The page is larger than ${size}: ask for fewer rows or columns`);
  } finally {
    rows.return?.();
  }
}

interface Taking {
  readonly wanted: number;
  readonly charsMax: number;
  /** Rows before these. */
  readonly given: number;
  readonly name: string;
}

/** Up to `wanted` rows, fewer where they are large. */
function take(
  rows: Iterator<unknown[]>,
  { wanted, charsMax, given, name }: Taking,
): { readonly found: unknown[][]; readonly isEnd: boolean } {
  const { rowCharsMax } = ROW_LIMITS;
  const found: unknown[][] = [];
  let chars = 0;
  try {
    while (found.length < wanted && chars < charsMax) {
      const next = rows.next();
      if (next.done === true) return { found, isEnd: true };
      const size = sizeOf(next.value);
      if (size > rowCharsMax) throw rowTooLarge(name, given + found.length + 1);
      chars += size;
      found.push(next.value);
    }
  } catch (error) {
    throw isTooBig(error) ? rowTooLarge(name, given + found.length + 1) : error;
  }
  return { found, isEnd: false };
}

/** Of the texts and bytes of a row, for each row that is read: nothing else in it is large. */
function sizeOf(values: readonly unknown[]): number {
  let size = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (typeof value === 'string') size += value.length;
    else if (value instanceof Uint8Array) size += value.byteLength;
  }
  return size;
}

function rowTooLarge(name: string, row: number): ConnectorError {
  const size = sizeText(ROW_LIMITS.rowCharsMax);
  return new ConnectorError(
    'DATA',
    `The file "${name}", row ${row} of the result: it is larger than ${size}`,
  );
}
