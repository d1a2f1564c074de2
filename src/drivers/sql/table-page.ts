import { type Column, ConnectorError, type Page, type PageRequest, type Row } from '../driver.ts';
import { CursorError } from '../page/cursor-error.ts';
import { cursorText, queryOf, readCursor, requirePageLimit } from '../page/page-cursor.ts';
import { readSearch, selectingColumns } from '../page/page-search.ts';
import type { BoundValues, SqlFlavor, SqlStatement } from './flavor.ts';
import { quoteIdentifier } from './identifier.ts';
import { parseSort, type SortTerm, writeSelect } from './select.ts';

/** A table as `readTablePage` needs it. */
export interface PagedTable {
  readonly flavor: SqlFlavor;
  /** The table, quoted. */
  readonly from: string;
  /** All columns; those of the primary key are marked. */
  readonly columns: readonly Column[];
  /** Runs one SELECT: the first `shown.length` values of a row as they are shown, the others as they go into a cursor. */
  run(statement: SqlStatement, shown: readonly Column[]): Promise<readonly (readonly unknown[])[]>;
}

/**
 * One page. With a primary key the order is the sort and then the key, and the cursor holds the last row's values of
 * both, so that a page costs the same wherever it is and rows that come or go move nothing. Without one it is an offset.
 */
export async function readTablePage(table: PagedTable, request: PageRequest): Promise<Page> {
  const { limit } = request;
  requirePageLimit(request);
  const shown = pickColumns(table.columns, request);
  const wanted = parseSort(request.sort ?? []);
  for (const term of wanted) requireColumn(table.columns, term.column, request.resource);
  const key = table.columns.filter((column) => column.key === true).map((column) => column.name);
  const isKeyset = key.length > 0;
  const rest = key.filter((column) => !wanted.some((term) => term.column === column));
  const sort = [...wanted, ...rest.map((column) => ({ column, descending: false }))];
  const position = decodeCursor(request);
  if (position?.kind === 'after' && (!isKeyset || position.values.length !== sort.length)) {
    throw foreignCursor();
  }
  const notNull = new Set(table.columns.filter((column) => !column.nullable).map((column) => column.name));
  const offset = position?.kind === 'offset' ? position.offset : 0;
  // Named apart, so that ORDER BY means the table's column.
  const cursorItem = (term: SortTerm, i: number) =>
    `${table.flavor.cursorValue(quoteIdentifier(term.column))} AS _cursor_${i}`;
  const cursorItems = isKeyset ? sort.map(cursorItem) : [];
  const statement = writeSelect(
    {
      from: table.from,
      items: [...shown.map((column) => quoteIdentifier(column.name)), ...cursorItems],
      filters: [request.filter ?? {}, ...(request.where ?? [])],
      search: readSearch(request),
      sort,
      notNull,
      ...(position?.kind === 'after'
        ? { after: (bound) => writeAfter(sort, position.values, notNull, bound) }
        : {}),
      limit: limit + 1,
      offset,
    },
    table.flavor,
  );
  const found = await table.run(statement, shown);
  const rows = found.slice(0, limit).map((values) => toRow(shown, values));
  if (found.length <= limit) return { columns: shown, rows, next_cursor: null };
  const last = found[limit - 1] ?? [];
  const next: PagePosition = isKeyset
    ? { kind: 'after', values: last.slice(shown.length) }
    : { kind: 'offset', offset: offset + limit };
  return { columns: shown, rows, next_cursor: encodeCursor(request, next) };
}

function requireColumn(columns: readonly Column[], name: string, resource: string): Column {
  const column = columns.find((other) => other.name === name);
  if (column === undefined) throw new ConnectorError('CONFIG', `"${resource}" has no column "${name}"`);
  return column;
}

function pickColumns(columns: readonly Column[], request: PageRequest): readonly Column[] {
  for (const name of selectingColumns(request)) requireColumn(columns, name, request.resource);
  if (request.columns === undefined || request.columns.length === 0) return columns;
  return [...new Set(request.columns)].map((name) => requireColumn(columns, name, request.resource));
}

function toRow(columns: readonly Column[], values: readonly unknown[]): Row {
  const row: Row = {};
  for (let i = 0; i < columns.length; i += 1) {
    const column = columns[i];
    if (column !== undefined) row[column.name] = values[i];
  }
  return row;
}

/** The rows that come after `values` in the order of `sort`; nulls come last, and first when descending. */
function writeAfter(
  sort: readonly SortTerm[],
  values: readonly unknown[],
  notNull: ReadonlySet<string>,
  bound: BoundValues,
): string {
  const ascending = sort.every((term) => notNull.has(term.column) && !term.descending);
  if (ascending) {
    // One comparison of rows: the engine answers it from the index of the key.
    const names = sort.map((term) => quoteIdentifier(term.column)).join(', ');
    return `(${names}) > (${values.map((value) => bound.addFromCursor(value)).join(', ')})`;
  }
  const alternatives: string[] = [];
  for (let i = 0; i < sort.length; i += 1) {
    const term = sort[i];
    if (term === undefined) continue;
    const beyond = writeBeyond(term, values[i], notNull, bound);
    if (beyond === null) continue;
    const ties = sort.slice(0, i).map((tie, j) => {
      const name = quoteIdentifier(tie.column);
      return values[j] === null ? `${name} IS NULL` : `${name} = ${bound.addFromCursor(values[j])}`;
    });
    alternatives.push([beyond, ...ties].join(' AND '));
  }
  return alternatives.length === 0 ? '1 = 0' : `(${alternatives.map((text) => `(${text})`).join(' OR ')})`;
}

function writeBeyond(
  term: SortTerm,
  value: unknown,
  notNull: ReadonlySet<string>,
  bound: BoundValues,
): string | null {
  const name = quoteIdentifier(term.column);
  if (value === null) return term.descending ? `${name} IS NOT NULL` : null;
  const beyond = `${name} ${term.descending ? '<' : '>'} ${bound.addFromCursor(value)}`;
  return term.descending || notNull.has(term.column) ? beyond : `(${beyond} OR ${name} IS NULL)`;
}

/** Where the next page begins: after the row with these values of the order's columns, or at an offset. */
type PagePosition =
  | { readonly kind: 'after'; readonly values: readonly unknown[] }
  | { readonly kind: 'offset'; readonly offset: number };

function encodeCursor(request: PageRequest, position: PagePosition): string {
  const place = position.kind === 'after' ? { k: position.values } : { o: position.offset };
  return cursorText({ q: queryOf(request), ...place });
}

/** The position of the request's cursor, or null without one. Throws `CONFIG` for a cursor that another query gave. */
function decodeCursor(request: PageRequest): PagePosition | null {
  if (request.cursor === undefined) return null;
  const cursor = readCursor(request.cursor);
  if (cursor === null || cursor['q'] !== queryOf(request)) {
    throw foreignCursor();
  }
  if (Array.isArray(cursor['k'])) return { kind: 'after', values: cursor['k'] };
  const offset = cursor['o'];
  if (typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0)
    return { kind: 'offset', offset };
  throw foreignCursor();
}

function foreignCursor(): CursorError {
  return new CursorError('The cursor belongs to another query; start with the first page');
}
