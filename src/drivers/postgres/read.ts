import type { ClientBase, FieldDef } from 'pg';
import Cursor from 'pg-cursor';
import { BATCH_ROWS_DEFAULT, type Batch, type Column, type Row } from '../driver.ts';
import { objectLiteral } from '../files/object-literal.ts';
import type { SqlStatement } from '../sql/flavor.ts';
import { resultNames } from '../sql/result-names.ts';
import { untilAborted } from '../sql/session-turns.ts';
import { FetchPace } from './fetch-pace.ts';
import type { PostgresTable } from './introspect.ts';
import { readAtOnce } from './read-at-once.ts';
import { declaredOid, numericDigits } from './types/declared-oid.ts';
import { typeParsers, valueTypeOf } from './value-type.ts';

export interface RowsOptions {
  readonly limit?: number;
  readonly batchRows?: number;
  readonly batchBytes?: number | undefined;
  /** An explicit READ ONLY transaction that is rolled back; else one that is committed. */
  readonly readOnly: boolean;
  readonly statementTimeoutMs: number;
  /** The table whose columns the rows have, as it declares them. */
  readonly table?: PostgresTable | null;
  /** Of the session. */
  readonly signal: AbortSignal;
}

/** So many rows are held at once. */
const AT_ONCE_ROWS_MAX = 20_000;

/**
 * Rows of one statement in batches by the extended protocol, which takes one statement alone: through a cursor, or, where they are few,
 * in one round trip. The statement runs in a transaction of its own, so that nothing it sets outlives it.
 */
export async function* readRows(
  client: ClientBase,
  statement: SqlStatement,
  options: RowsOptions,
): AsyncGenerator<Batch> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  if (limit > AT_ONCE_ROWS_MAX) yield* readByCursor(client, statement, options);
  else yield* readSome(client, statement, { ...options, limit });
}

async function* readSome(
  client: ClientBase,
  statement: SqlStatement,
  options: RowsOptions & { readonly limit: number },
): AsyncGenerator<Batch> {
  const { limit, batchRows = BATCH_ROWS_DEFAULT, readOnly, signal } = options;
  const reading = readAtOnce(client, statement, {
    before: beginTexts(options),
    after: readOnly ? 'ROLLBACK' : 'COMMIT',
    limit,
  });
  // A client that ends before it has sent the statement never answers it.
  const { fields, rows } = await untilAborted(reading, signal);
  const columns = resultColumns(fields);
  for (let at = 0; at < rows.length || at === 0; at += batchRows)
    yield { columns, rows: toRows(columns, rows.slice(at, at + batchRows)) };
}

async function* readByCursor(
  client: ClientBase,
  statement: SqlStatement,
  options: RowsOptions,
): AsyncGenerator<Batch> {
  const { limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT, readOnly } = options;
  const pace = new FetchPace(batchRows, options.batchBytes ?? null);
  await client.query(beginText(options));
  const cursor = client.query(
    new Cursor<unknown[]>(statement.sql, [...statement.params], {
      rowMode: 'array',
      types: typeParsers as never,
    }),
  );
  let columns: readonly Column[] | undefined;
  let rowsOf: RowsOf | undefined;
  let given = 0;
  for (;;) {
    const wanted = Math.min(pace.rows, limit - given);
    // A client that ends before it has sent the cursor's statement never answers it.
    const { rows, fields } = await untilAborted(readCursor(cursor, wanted), options.signal);
    columns ??= asDeclared(resultColumns(fields), options.table ?? null);
    rowsOf ??= compileRows(columns);
    if (rows.length > 0 || given === 0) yield { columns, rows: rowsOf(rows) };
    given += rows.length;
    pace.see(rows);
    if (rows.length < wanted || given >= limit) break;
  }
  await cursor.close();
  await client.query(readOnly ? 'ROLLBACK' : 'COMMIT');
}

/** Two statements of ours in one message; the caller's never travels this way. */
export function beginText(options: {
  readonly readOnly: boolean;
  readonly statementTimeoutMs: number;
}): string {
  return beginTexts(options).join('; ');
}

function beginTexts({
  readOnly,
  statementTimeoutMs,
}: Pick<RowsOptions, 'readOnly' | 'statementTimeoutMs'>): string[] {
  const mode = readOnly ? 'READ ONLY' : 'READ WRITE';
  return [`BEGIN ${mode}`, `SET LOCAL statement_timeout = ${Math.trunc(statementTimeoutMs)}`];
}

function readCursor(
  cursor: Cursor<unknown[]>,
  count: number,
): Promise<{ rows: unknown[][]; fields: FieldDef[] }> {
  return new Promise((resolve, reject) => {
    cursor.read(
      count,
      (error: Error | null | undefined, rows: unknown[][], result: { fields: FieldDef[] }) => {
        if (error) reject(error);
        else resolve({ rows, fields: result?.fields ?? [] });
      },
    );
  });
}

export function resultColumns(fields: readonly FieldDef[]): readonly Column[] {
  const names = resultNames(fields.map((field) => field.name));
  return fields.map(({ dataTypeID, dataTypeModifier }, i) => {
    const { type } = valueTypeOf(dataTypeID);
    const native = type === 'decimal' ? declaredDecimal(dataTypeModifier) : null;
    const declared = declaredOid(dataTypeID, dataTypeModifier);
    return {
      name: names[i] as string,
      type,
      nullable: true,
      ...(native === null ? {} : { native_type: native }),
      ...(declared === undefined ? {} : { declared }),
    };
  });
}

/** The columns with what their table says of them beyond their types. */
export function asDeclared(columns: readonly Column[], table: PostgresTable | null): readonly Column[] {
  if (table === null) return columns;
  const known = new Map(table.columns.map((column) => [column.name, column]));
  const keyColumns = table.columns.filter(({ isKey }) => isKey).length;
  return columns.map((column) => {
    const { notNull = false, isKey = false } = known.get(column.name) ?? {};
    if (column.declared === undefined) return column;
    const more = { ...(notNull && { required: true }), ...(isKey && { keyColumns }) };
    return { ...column, declared: { ...column.declared, ...more } };
  });
}

/** `numeric(10,2)` of a column that is declared so; null of others, such as most expressions. */
function declaredDecimal(modifier: number): string | null {
  const digits = numericDigits(modifier);
  if (digits === null || digits.scale < 0 || digits.scale > digits.precision) return null;
  return `numeric(${digits.precision},${digits.scale})`;
}

type RowsOf = (found: readonly unknown[][]) => Row[];

/** For many rows: code that names their columns makes them faster than a loop over the names. */
function compileRows(columns: readonly Column[]): RowsOf {
  const literal = objectLiteral(
    columns.map(({ name }) => name),
    (index) => `v[${index}]`,
  );
  const source = `const rows=[];for(let i=0;i<found.length;i++){const v=found[i];rows.push(${literal});}return rows;`;
  return new Function('found', source) as RowsOf;
}

function toRows(columns: readonly Column[], found: readonly unknown[][]): Row[] {
  const names = columns.map((column) => column.name);
  return found.map((values) => {
    const row: Row = {};
    for (let i = 0; i < names.length; i += 1) row[names[i] as string] = values[i];
    return row;
  });
}
