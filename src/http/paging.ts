import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

/** Query keys of every list. Extend it with the list's filters. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
  cursor: z.string().max(1_024).optional().describe('The next_cursor of the page before'),
});

/** `{result, next_cursor}` of `item`s. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ result: z.array(item), next_cursor: z.string().nullable() });
}

export interface Paging {
  readonly limit: number;
  /** The last row's id of the page before, or null at the start. */
  readonly after: number | null;
  readonly bound: string;
}

/**
 * Reads `limit` and `cursor` of a keyset list ordered by id. The cursor is bound to the filters: used with others it is
 * refused with `VALIDATION_ERROR`.
 */
export function pagingOf(
  query: { limit: number; cursor?: string | undefined },
  filters: object = {},
): Paging {
  const bound = sha256(canonicalJson(filters)).slice(0, 12);
  if (query.cursor === undefined) return { limit: query.limit, after: null, bound };
  const [hash, id] = Buffer.from(query.cursor, 'base64url').toString().split('.');
  if (hash !== bound || id === undefined || !/^\d{1,16}$/.test(id)) {
    throw new AppError(
      'VALIDATION_ERROR',
      'The cursor belongs to another list, or to other filters: start without it',
    );
  }
  return { limit: query.limit, after: Number(id), bound };
}

/** Makes the page of rows that were read with `limit + 1`. */
export function toPage<Row extends { id: number }, Item>(
  rows: readonly Row[],
  paging: Paging,
  toItem: (row: Row) => Item,
): { result: Item[]; next_cursor: string | null } {
  const kept = rows.slice(0, paging.limit);
  const last = kept.at(-1);
  const more = rows.length > paging.limit && last !== undefined;
  return {
    result: kept.map(toItem),
    next_cursor: more ? Buffer.from(`${paging.bound}.${last.id}`).toString('base64url') : null,
  };
}
