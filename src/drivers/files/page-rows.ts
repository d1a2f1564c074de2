import { sha256 } from '../../base/ids.ts';
import { type Batch, type Column, ConnectorError, type Page, type PageRequest, type Row } from '../driver.ts';
import { CursorError } from '../page/cursor-error.ts';
import { cursorText, queryWithColumnsOf, readCursor, requirePageLimit } from '../page/page-cursor.ts';
import { readSearch, selectingColumns } from '../page/page-search.ts';
import { findColumn, rowFilter, rowOrder } from './row-filter.ts';

/** Most rows that are sorted in memory. */
export const sortedRowsMax = 100_000;

/** A file as the explorer sees it. */
export interface PageSource {
  /** Changes when the file does; a cursor of another version is refused. */
  readonly version: string;
  readonly columns: readonly Column[];
  /** All rows from `skip` on, with at least these columns. */
  rows(skip: number, columns: readonly string[], signal: AbortSignal): AsyncIterable<Batch>;
}

interface Cursor {
  /** Hash of what is asked for. */
  readonly bound: string;
  /** Hash of the file's version. */
  readonly file: string;
  readonly offset: number;
}

function versionHash({ version }: PageSource): string {
  return sha256(version).slice(0, 32);
}

function offsetOf(source: PageSource, request: PageRequest): number {
  if (request.cursor === undefined) return 0;
  const cursor = readCursor(request.cursor);
  const offset = cursor?.['offset'];
  if (cursor === null || typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) {
    throw new CursorError('The cursor is not from this server; start with the first page');
  }
  if (cursor['bound'] !== queryWithColumnsOf(request)) {
    throw new CursorError('The cursor belongs to another filter or order; start with the first page');
  }
  // Without its name: strangers with a share link read this too.
  if (cursor['file'] !== versionHash(source)) {
    throw new CursorError('The file has changed since the previous page; start with the first page');
  }
  return offset;
}

function cursorAt(source: PageSource, request: PageRequest, offset: number): string {
  const cursor: Cursor = { bound: queryWithColumnsOf(request), file: versionHash(source), offset };
  return cursorText(cursor);
}

interface Found {
  rows: Row[];
  columns: readonly Column[];
  /** Where the next page begins, or null at the end. */
  next: number | null;
}

/** Streams: the offset counts rows of the file, so that a filtered page starts where the previous one ended. */
async function inFileOrder(
  batches: AsyncIterable<Batch>,
  matches: ((row: Row) => boolean) | null,
  offset: number,
  request: PageRequest,
  found: Found,
): Promise<void> {
  let at = offset;
  for await (const batch of batches) {
    found.columns = batch.columns;
    for (const row of batch.rows) {
      if (matches === null || matches(row)) {
        if (found.rows.length === request.limit) {
          found.next = at;
          return;
        }
        found.rows.push(row);
      }
      at++;
    }
  }
}

async function inOrder(
  batches: AsyncIterable<Batch>,
  matches: ((row: Row) => boolean) | null,
  order: (a: Row, b: Row) => number,
  offset: number,
  request: PageRequest,
  found: Found,
): Promise<void> {
  const all: Row[] = [];
  for await (const batch of batches) {
    found.columns = batch.columns;
    for (const row of batch.rows) {
      if (matches !== null && !matches(row)) continue;
      if (all.length === sortedRowsMax) {
        throw new ConnectorError(
          'CONFIG',
          `Only ${sortedRowsMax.toLocaleString('en')} rows of a file can be sorted; filter it, or read it unsorted`,
        );
      }
      all.push(row);
    }
  }
  found.rows = all.sort(order).slice(offset, offset + request.limit);
  found.next = offset + request.limit < all.length ? offset + request.limit : null;
}

function projected(columns: readonly Column[], rows: readonly Row[]): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null])));
}

/**
 * One page of a file. The cursor is an offset, bound to the version of the file, the columns, the conditions and the order.
 * Throws `CONFIG` for unknown columns and operators, a foreign cursor, or more than 100,000 rows to sort.
 */
export async function pageRows(source: PageSource, request: PageRequest): Promise<Page> {
  requirePageLimit(request);
  const wanted = request.columns?.map((name) => findColumn(source.columns, name).name);
  const filters = [request.filter ?? {}, ...(request.where ?? [])];
  const matches = rowFilter({ filters, search: readSearch(request) }, source.columns);
  const order = rowOrder(request.sort, source.columns);
  const offset = offsetOf(source, request);
  const sorted = (request.sort ?? []).map((key) => key.replace(/^-/, ''));
  const needed = wanted && [...new Set([...wanted, ...selectingColumns(request), ...sorted])];
  const names = needed ?? source.columns.map((column) => column.name);
  const batches = source.rows(order === null ? offset : 0, names, request.signal);
  const found: Found = { rows: [], columns: source.columns, next: null };
  if (order === null) await inFileOrder(batches, matches, offset, request, found);
  else await inOrder(batches, matches, order, offset, request, found);
  const columns =
    wanted === undefined ? found.columns : wanted.map((name) => findColumn(found.columns, name));
  return {
    columns,
    rows: projected(columns, found.rows),
    next_cursor: found.next === null ? null : cursorAt(source, request, found.next),
  };
}
