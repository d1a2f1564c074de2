import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  BATCH_ROWS_DEFAULT,
  type Batch,
  type Column,
  type ColumnType,
  ConnectorError,
  type Row,
} from '../driver.ts';
import type { SqlStatement } from '../sql/flavor.ts';
import { valueType } from '../sql/row-batch.ts';
import { fromCell } from './cell.ts';
import { typeOfDeclared } from './column-type.ts';

export interface RowsOptions {
  readonly signal: AbortSignal;
  readonly limit?: number;
  readonly batchRows?: number;
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
  const { signal, limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT } = options;
  requireRunning(signal);
  const prepared = prepareRows(db, statement.sql);
  let columns: readonly Column[] | undefined;
  // The iterator is closed by hand: left open it would keep the file's read transaction.
  const rows = prepared.iterate(...boundValues(statement.params)) as unknown as Iterator<unknown[]>;
  let given = 0;
  try {
    let ended = false;
    while (!ended && given < limit) {
      const wanted = Math.min(batchRows, limit - given);
      const found = take(rows, wanted);
      ended = found.length < wanted;
      if (found.length === 0 && columns !== undefined) break;
      // After the first step: in it a kept statement is compiled anew where the schema has changed.
      columns ??= typedByValues(resultColumns(prepared), found);
      yield { columns, rows: toRows(columns, found) };
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

function take(rows: Iterator<unknown[]>, wanted: number): unknown[][] {
  const found: unknown[][] = [];
  while (found.length < wanted) {
    const next = rows.next();
    if (next.done === true) break;
    found.push(next.value);
  }
  return found;
}

/** Columns of a result; a name that comes twice gets a number, so that a row can hold both; so does `__proto__`, which no row can. */
function resultColumns(statement: StatementSync): readonly Column[] {
  const taken = new Set(['__proto__']);
  return statement.columns().map((column) => {
    let name = column.name;
    for (let n = 2; taken.has(name); n += 1) name = `${column.name}_${n}`;
    taken.add(name);
    const native = column.type === null || column.type === '' ? {} : { native_type: column.type };
    return { name, type: typeOfDeclared(column.type), nullable: true, ...native };
  });
}

/** Gives a column without a declared type, such as an expression, the type of its first value. */
function typedByValues(columns: readonly Column[], rows: readonly unknown[][]): readonly Column[] {
  return columns.map((column, i) => {
    if (column.type !== 'unknown') return column;
    const first = rows.find((row) => row[i] !== null)?.[i];
    // The engine gives integers as bigints, so that a number is one with a fraction whatever it looks like.
    const type: ColumnType = typeof first === 'number' ? 'number' : (valueType(first) ?? 'unknown');
    return { ...column, type };
  });
}

function toRows(columns: readonly Column[], found: readonly unknown[][]): Row[] {
  const names = columns.map((column) => column.name);
  const types = columns.map((column) => column.type);
  const rows = new Array<Row>(found.length);
  for (let r = 0; r < found.length; r += 1) {
    const values = found[r] as unknown[];
    const row: Row = {};
    for (let i = 0; i < names.length; i += 1) {
      row[names[i] as string] = fromCell(values[i], types[i] as ColumnType);
    }
    rows[r] = row;
  }
  return rows;
}
