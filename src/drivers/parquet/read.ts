import { BATCH_ROWS_DEFAULT, type Batch, type OriginOf, type Row } from '../driver.ts';
import { objectLiteral } from '../files/object-literal.ts';
import { findColumn } from '../files/row-filter.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import type { ParquetColumn } from './parquet-column.ts';
import { type ColumnValues, openParquetFile, type ParquetFile } from './parquet-file.ts';

/** Rows that are decoded at once of a larger row group, where the file has page indexes; without, it is decoded whole. */
export const decodedRowsMax = 524_288;

export interface ParquetReadRequest {
  readonly file: OpenedFile;
  /** Names of the columns; null for all. */
  readonly columns: readonly string[] | null;
  readonly signal: AbortSignal;
  readonly limit?: number | undefined;
  readonly batchRows?: number | undefined;
  /** Rows at the beginning to leave out; they are not decoded where a row group or an index allows. */
  readonly skip?: number;
}

/** Makes the rows `from` to `to` of decoded columns. */
type RowsOf = (values: readonly ColumnValues[], from: number, to: number) => Row[];

function compileRows(columns: readonly ParquetColumn[]): RowsOf {
  const names = columns.map(({ column }) => column.name);
  const literal = objectLiteral(names, (index) => {
    return columns[index]?.finish == null ? `v${index}[i]??null` : `f[${index}](v${index}[i])`;
  });
  const declared = columns.map((_, index) => `v${index}=v[${index}]`).join(',');
  const source = `return (v,from,to)=>{const ${declared};const rows=[];for(let i=from;i<to;i++)rows.push(${literal});return rows;}`;
  return new Function('f', source)(columns.map(({ finish }) => finish)) as RowsOf;
}

function wantedColumns(opened: ParquetFile, wanted: readonly string[] | null): readonly ParquetColumn[] {
  if (wanted === null) return opened.columns;
  const all = opened.columns.map(({ column }) => column);
  const found = [...new Set(wanted)].map((name) => opened.columns[all.indexOf(findColumn(all, name))]);
  return found.filter((column) => column !== undefined);
}

/** Ranges of rows to decode, one after the other, each inside one row group. */
function ranges(opened: ParquetFile, skip: number, limit: number): (readonly [from: number, to: number])[] {
  const end = Math.min(opened.rows, skip + limit);
  const found: [number, number][] = [];
  for (const group of opened.groups) {
    const step = group.hasPageIndex ? decodedRowsMax : Math.max(1, group.rows);
    const last = Math.min(end, group.from + group.rows);
    for (let from = Math.max(skip, group.from); from < last; from += step) {
      found.push([from, Math.min(last, from + step)]);
    }
  }
  return found;
}

/**
 * Streams a Parquet file as batches of rows. One row group's wanted columns are in memory at a time, or a slice of them
 * where the file has page indexes. Throws `CONFIG` for an unknown column and `DATA` for a damaged file. The caller closes
 * the file.
 */
export async function* readParquet(request: ParquetReadRequest): AsyncGenerator<Batch, void, undefined> {
  const {
    file,
    signal,
    skip = 0,
    limit = Number.POSITIVE_INFINITY,
    batchRows = BATCH_ROWS_DEFAULT,
  } = request;
  const opened = await openParquetFile(file);
  const chosen = wantedColumns(opened, request.columns);
  const columns = chosen.map(({ column }) => column);
  const decoders = chosen.map((column) => opened.open(column));
  const rowsOf = compileRows(chosen);
  let rows: Row[] = [];
  let given = skip;
  const flush = (): Batch => {
    const before = given;
    const originOf: OriginOf = (index) => ({ file: file.name, record: before + index + 1 });
    const batch = { columns, rows, originOf };
    given += rows.length;
    rows = [];
    return batch;
  };
  for (const [from, to] of ranges(opened, skip, limit)) {
    const values: ColumnValues[] = [];
    for (const decode of decoders) {
      values.push(await decode(from, to));
      signal.throwIfAborted();
    }
    for (let at = 0; at < to - from; ) {
      const until = Math.min(to - from, at + batchRows - rows.length);
      const made = rowsOf(values, at, until);
      rows = rows.length === 0 ? made : rows.concat(made);
      at = until;
      if (rows.length < batchRows) continue;
      yield flush();
      signal.throwIfAborted();
    }
  }
  if (rows.length > 0) yield flush();
}
