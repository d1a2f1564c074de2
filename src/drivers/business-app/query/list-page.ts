import type { PageRequest } from '../../driver.ts';
import { CursorError } from '../../page/cursor-error.ts';
import { cursorText, queryWithColumnsOf, readCursor, requirePageLimit } from '../../page/page-cursor.ts';
import { readSearch } from '../../page/page-search.ts';
import { type Options, orderOf } from './address.ts';
import { type FilterStyle, FilterWriter } from './filter.ts';
import { selectOf } from './list-options.ts';
import type { Subject } from './property.ts';

/** How an application goes on after a page: Dataverse knows no `$skip`, but the token of its next link. */
export type PageWay = 'skip' | 'skiptoken';

/** Where a page begins. */
export type PageStart = { readonly skip: number } | { readonly token: string };

/** Throws `CursorError` for a cursor of another list. The conditions are never taken from a cursor. */
export function startOf(request: PageRequest, way: PageWay): PageStart {
  requirePageLimit(request);
  if (request.cursor === undefined) return { skip: 0 };
  const cursor = readCursor(request.cursor);
  if (cursor === null) throw new CursorError('The cursor is not from this server; start with the first page');
  if (cursor['bound'] !== queryWithColumnsOf(request))
    throw new CursorError('The cursor belongs to another filter or order; start with the first page');
  const { token, skip } = cursor;
  if (way === 'skiptoken' && typeof token === 'string') return { token };
  if (way === 'skip' && typeof skip === 'number' && Number.isSafeInteger(skip) && skip > 0) return { skip };
  throw new CursorError('The cursor is not from this server; start with the first page');
}

export function cursorTo(request: PageRequest, start: PageStart): string {
  return cursorText({ bound: queryWithColumnsOf(request), ...start });
}

/** The options of a page, sorted by the key at last, so that no record is on two pages or on none. */
export function pageOptions(
  request: PageRequest,
  start: PageStart,
  way: PageWay,
  subject: Subject | null,
  style: FilterStyle,
): Options {
  const { columns, filter = {}, where = [], limit, sort = [] } = request;
  const writer = new FilterWriter(subject, style);
  const search = readSearch(request);
  const conditions = writer.conditions([filter, ...where]);
  const tests = [conditions, search === null ? '' : writer.search(search)].filter((test) => test !== '');
  const sorted = sort.map((item) => item.replace(/^-/, ''));
  const order = [...sort, ...(subject?.type.key ?? []).filter((name) => !sorted.includes(name))];
  const options = {
    $select: selectOf(columns, subject),
    $filter: tests.join(' and '),
    $orderby: orderOf(order, subject),
  };
  if (way === 'skiptoken') return 'token' in start ? { ...options, $skiptoken: start.token } : options;
  return 'token' in start ? options : { ...options, $top: limit + 1, $skip: start.skip || undefined };
}

/** The token of the link to the next page; null where there is none. */
export function tokenOf(nextLink: unknown, base: string): string | null {
  if (typeof nextLink !== 'string') return null;
  return URL.parse(nextLink, base)?.searchParams.get('$skiptoken') ?? null;
}
