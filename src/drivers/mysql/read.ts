import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FieldPacket } from 'mysql2';
import { BATCH_ROWS_DEFAULT, type Batch, type Column, ConnectorError, type Row } from '../driver.ts';
import { charsOf } from '../row-limits.ts';
import type { SqlStatement } from '../sql/flavor.ts';
import { resultNames } from '../sql/result-names.ts';
import type { TableName } from './introspect.ts';
import type { Session } from './session-pool.ts';
import { findSourceColumns, NO_SOURCE, type SourceColumns } from './source-columns.ts';
import { type ReadOptions, resultTypeOf } from './value-type.ts';

export interface RowsOptions extends ReadOptions {
  readonly limit?: number;
  readonly batchRows?: number;
  readonly batchBytes?: number | undefined;
  /** What tables declare of the columns is read as well; `table`: the rows are those of this one. */
  readonly declared?: { readonly table: TableName | null };
  /** An explicit READ ONLY transaction that is rolled back; else one that is committed. */
  readonly readOnly: boolean;
}

/** A result that ends within this time of its last wanted row leaves its session to others. */
const ENDS_WITHIN_MS = 20;

/** Of a bound on bytes, what one row that waits behind a batch may take: its length is known only once it is here. */
const ROW_AHEAD_BYTES = 1_048_576;

export const BEGIN_READING = 'START TRANSACTION READ ONLY';

/** Rows of one prepared statement in batches, in a transaction of its own. The server sends on as the batches are taken. */
export async function* readRows(
  session: Session,
  { sql, params }: SqlStatement,
  options: RowsOptions,
): AsyncGenerator<Batch> {
  const { client } = session;
  const { limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT, batchBytes, readOnly } = options;
  await client.query(readOnly ? BEGIN_READING : 'START TRANSACTION');
  const { declared } = options;
  const source =
    declared === undefined
      ? NO_SOURCE
      : await findSourceColumns(session, await client.fieldsOf(sql), declared.table);
  const ahead = batchBytes === undefined ? batchRows : Math.ceil(batchBytes / ROW_AHEAD_BYTES);
  const stream = await client.stream(sql, params, Math.min(batchRows, ahead));
  let shape: ResultShape | undefined;
  let rows: Row[] = [];
  let given = 0;
  let chars = 0;
  let isFull = false;
  const isLimited = Number.isFinite(limit);
  for await (const values of isLimited ? endingSoon(stream.rows, () => isFull) : stream.rows) {
    // What a statement without rows answers, such as the end of a CALL.
    if (!Array.isArray(values)) continue;
    if (isFull) return client.destroy();
    shape ??= shapeOf(stream.fields() ?? [], options, source);
    if (values.length !== shape.columns.length)
      throw new ConnectorError('CONFIG', 'The statement has more than one result; call it with "execute"');
    rows.push(shape.row(values));
    if (batchBytes !== undefined) chars += charsOf(values, batchBytes);
    const isLast = given + rows.length >= limit;
    if (rows.length < batchRows && chars < (batchBytes ?? Number.POSITIVE_INFINITY) && !isLast) continue;
    yield { columns: shape.columns, rows };
    given += rows.length;
    rows = [];
    chars = 0;
    isFull = isLast;
  }
  const { columns } = shape ?? shapeOf(stream.fields() ?? [], options, source);
  if (rows.length > 0 || given === 0) yield { columns, rows };
  await client.query(readOnly ? 'ROLLBACK' : 'COMMIT');
}

/** The same values; once `isFull`, an empty one where neither another nor the end comes soon. */
async function* endingSoon(rows: Readable, isFull: () => boolean): AsyncGenerator<unknown> {
  const values = rows[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = values.next();
      const soon = isFull()
        ? await Promise.race([next, delay(ENDS_WITHIN_MS, null, { ref: false })])
        : await next;
      if (soon === null) next.catch(() => undefined);
      if (soon?.done === true) return;
      yield soon === null ? [] : soon.value;
    }
  } finally {
    rows.destroy();
    await values.return?.();
  }
}

export interface ResultShape {
  readonly columns: readonly Column[];
  row(values: readonly unknown[]): Row;
}

/** Columns of a result, and how its rows are read. */
export function shapeOf(
  fields: readonly FieldPacket[],
  options: ReadOptions,
  source: SourceColumns = NO_SOURCE,
): ResultShape {
  const names = resultNames(fields.map((field) => field.name));
  const types = fields.map((field) => resultTypeOf(field, options));
  return {
    columns: types.map(({ type, native }, i) => ({
      name: names[i] as string,
      type,
      nullable: true,
      ...(native === undefined ? {} : { native_type: native }),
      ...source.of(fields[i] as FieldPacket, type),
    })),
    row: (values) => {
      const row: Row = {};
      for (let i = 0; i < names.length; i += 1) {
        const read = types[i]?.read ?? null;
        const value = values[i];
        row[names[i] as string] = read === null || value === null ? value : read(value);
      }
      return row;
    },
  };
}
