import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

/** One page of a list in the order of a column, rows with equal values in the order of their ids. */
export interface Keyset {
  readonly column: string;
  readonly descending: boolean;
  /** The last row of the previous page; null at the start. */
  readonly after: { readonly value: string | number; readonly id: number } | null;
  /** Rows of a page. One more is read: it shows that there is a next page. */
  readonly limit: number;
}

/**
 * Adds order, start and length of a page to a list's query. The column is not nullable: a comparison with null would lose rows.
 * `id` names the unique column if it is not `id`. Order and start compare with the same collation, that of the column.
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

/** Wanted values of columns; flags as `true` or `false`. Undefined ones are ignored. */
export type Filter<Row> = { readonly [K in keyof Row]?: string | number | boolean | undefined };

/** Adds the filters of a list to its query: the values of columns, and part of the name. */
export function filtered<Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  equal: Filter<Row>,
  q?: string,
): SelectQueryBuilder<Tables, From, Row> {
  const values = Object.entries<string | number | boolean | undefined>(equal);
  const conditions = values.flatMap(([column, value]) =>
    value === undefined
      ? []
      : [sql<boolean>`${sql.ref(column)} = ${typeof value === 'boolean' ? Number(value) : value}`],
  );
  if (q !== undefined) conditions.push(contains('name', q));
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query);
}

/** Matches part of a text column, case-insensitive; the engine's wildcards are plain characters. */
export function contains(column: string, q: string): RawBuilder<boolean> {
  const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
