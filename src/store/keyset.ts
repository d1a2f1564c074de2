import { type SelectQueryBuilder, sql } from 'kysely';

/** One page of a list in the order of a column, rows with equal values in the order of their ids. */
export interface Keyset {
  readonly column: string;
  readonly descending: boolean;
  /** The last row of the page before; null at the start. */
  readonly after: { readonly value: string | number; readonly id: number } | null;
  /** Rows of a page. One more is read: it tells that there is a page after this one. */
  readonly limit: number;
}

/**
 * Adds order, start and length of a page to a list's query. The column is not nullable: a comparison with null would lose rows.
 * `id` names the column that is unique where the list calls it otherwise. Order and start compare by the same collation,
 * whichever the column has.
 */
export function onPage<Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  { column, descending, after, limit }: Keyset,
  id = 'id',
): SelectQueryBuilder<Tables, From, Row> {
  const direction = descending ? 'desc' : 'asc';
  const beyond = sql.raw(descending ? '<' : '>');
  const unique = sql.ref(id);
  if (column === 'id') {
    const page = query.orderBy(unique, direction).limit(limit + 1);
    return after === null ? page : page.where(sql<boolean>`${unique} ${beyond} ${after.id}`);
  }
  const sorted = sql.ref(column);
  const page = query
    .orderBy(sorted, direction)
    .orderBy(unique, direction)
    .limit(limit + 1);
  if (after === null) return page;
  return page.where(sql<boolean>`(${sorted}, ${unique}) ${beyond} (${after.value}, ${after.id})`);
}
