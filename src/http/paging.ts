import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

/** A cursor holds the last row's value of the sorted column, a name of 200 characters at most or an email address. */
const CURSOR_LENGTH_MAX = 2_048;

/** The sort fields of lists, with the type of their column. None is nullable. */
const SORT_FIELDS = {
  id: 'number',
  name: 'text',
  email: 'text',
  type: 'text',
  created_at: 'number',
  updated_at: 'number',
} as const;

type SortField = keyof typeof SORT_FIELDS;
export type SortKey<F extends SortField = SortField> = F | `-${F}`;

/** Query keys of every list. Extend it with the list's filters, and with `sort: sortable(…)`. */
export const pageQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(PAGE_DEFAULT)
    .describe('Maximum records per page'),
  cursor: z.string().max(CURSOR_LENGTH_MAX).optional().describe('The next_cursor of the previous page'),
});

/** The `sort` of a list: one of these fields, with `-` in descending order. */
export function sortable<F extends SortField>(fields: readonly F[], byDefault: SortKey<F>) {
  const keys = fields.flatMap((field): SortKey<F>[] => [field, `-${field}`]);
  return z
    .enum(keys)
    .default(byDefault as never)
    .describe('The sort field; with "-" in descending order');
}

/** `sort` of definitions: newest first. */
export const definitionSort = sortable(['id', 'name', 'created_at', 'updated_at'], '-id');

/** `sort` of runs, served by indexes: newest first. */
export const runSort = sortable(['id', 'created_at'], '-id');

/** `{result, next_cursor}` of `item`s. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    result: z.array(item),
    next_cursor: z.string().nullable().describe('For `cursor`; null on the last page'),
  });
}

/** The requested page of a list, for the store's `onPage`. */
export interface Paging {
  readonly column: SortField;
  readonly descending: boolean;
  readonly after: { readonly value: string | number; readonly id: number } | null;
  readonly limit: number;
  /** The fields of records that will be answered, where not all are. */
  readonly fields?: readonly string[] | undefined;
  /** Only what tells whether a record is as it was when it was last answered. */
  readonly marks?: boolean | undefined;
  /** Names the list: its path, its filters and its order. */
  readonly bound: string;
}

interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** The parts of a request that `pagingOf` reads. */
export interface ListRequest<Query extends ListQuery = ListQuery> {
  readonly query: Query;
  readonly params: unknown;
  readonly routeOptions: { readonly url?: string | undefined };
}

/**
 * Reads `limit`, `cursor` and `sort` of a list. The cursor is bound to the list: with another path, other filters or another
 * order it is refused with `VALIDATION_ERROR`. `order` is that of a list without `sort`.
 */
export function pagingOf(request: ListRequest, order: SortKey = '-id'): Paging {
  const { limit, cursor, fields, ...filters } = request.query;
  const sort = request.query.sort ?? order;
  const column = sort.replace('-', '') as SortField;
  const list = { url: request.routeOptions.url, params: request.params ?? {}, filters: { ...filters, sort } };
  const bound = sha256(canonicalJson(list)).slice(0, 12);
  const after = cursor === undefined ? null : placeOf(cursor, bound, column);
  return { column, descending: sort.startsWith('-'), after, limit, fields, bound };
}

function placeOf(cursor: string, bound: string, column: SortField): Paging['after'] {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, list, id, value] = /^([^.]+)\.(\d{1,16})\.(.*)$/s.exec(text) ?? [];
  const fits =
    value !== undefined &&
    (SORT_FIELDS[column] === 'number' ? /^\d{1,16}$/.test(value) : !value.includes('\0'));
  if (list !== bound || !fits)
    throw new AppError(
      'VALIDATION_ERROR',
      'The cursor belongs to another list, other filters or another order: start without it',
    );
  return { id: Number(id), value: SORT_FIELDS[column] === 'number' ? Number(value) : value };
}

/** Makes the page from rows read by `onPage`. */
export function toPage<Row extends { id: number }, Item>(
  rows: readonly Row[],
  paging: Paging,
  toItem: (row: Row) => Item,
): { result: Item[]; next_cursor: string | null } {
  const kept = rows.slice(0, paging.limit);
  const last: (Row & { [K in SortField]?: unknown }) | undefined = kept.at(-1);
  const more = rows.length > paging.limit && last !== undefined;
  const place = `${paging.bound}.${last?.id}.${last?.[paging.column]}`;
  return {
    result: kept.map(toItem),
    next_cursor: more ? Buffer.from(place).toString('base64url') : null,
  };
}

/** Sends a page, with a `Link` to the next one: relative, so that a proxy with a path of its own need not change it. */
export function answerPage<Page extends { readonly next_cursor: string | null }>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Page {
  if (page.next_cursor === null) return page;
  const query = new URLSearchParams(request.url.split('?')[1]);
  query.set('cursor', page.next_cursor);
  reply.header('link', `<?${query}>; rel="next"`);
  return page;
}
