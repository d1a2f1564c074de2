import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

/** One page of a list in the order of a column, rows with equal values in the order of their ids. */
export interface Keyset {
  readonly column: string;
  readonly descending: boolean;
  /** The last row of the previous page; null at the start. */
  readonly after: { readonly value: string | number; readonly id: number } | null;
  /** Rows per page. One more is read: it shows that there is a next page. */
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

/** Adds the filters of a list to its query: the values of columns, and what `holding` made of part of the name. */
export function filtered<Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  equal: Filter<Row>,
  holds: RawBuilder<boolean> | null = null,
): SelectQueryBuilder<Tables, From, Row> {
  const conditions = wanted(equal).map(([column, value]) => sql<boolean>`${sql.ref(column)} = ${value}`);
  if (holds !== null) conditions.push(holds);
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query);
}

function wanted<Row>(equal: Filter<Row>): [column: string, value: string | number][] {
  const values = Object.entries<string | number | boolean | undefined>(equal);
  return values.flatMap(([column, value]) =>
    value === undefined ? [] : [[column, typeof value === 'boolean' ? Number(value) : value]],
  );
}

/** Pages with equal text here differ in their values alone: those of `pageValues`. For queries of `filtered` and `onPage`, for `keptQueries`. */
export function pageShape<Row>(equal: Filter<Row>, { column, descending, after }: Keyset): string {
  return [column, descending, after === null, ...wanted(equal).map(([name]) => name)].join(' ');
}

/** The values of such a query, in the order in which they stand in it. */
export function pageValues<Row>(equal: Filter<Row>, { column, after, limit }: Keyset): (string | number)[] {
  const place = after === null ? [] : column === 'id' ? [after.id] : [after.value, after.id];
  return [...wanted(equal).map(([, value]) => value), ...place, limit + 1];
}

/**
 * Adds equalities to the query of a list, of which only the first may choose an index: engines do not know which one has the fewest
 * rows. Give that one first. Undefined ones are ignored.
 */
export function narrowed<Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  equal: Filter<Row>,
): SelectQueryBuilder<Tables, From, Row> {
  const values = Object.entries<string | number | boolean | undefined>(equal);
  return values
    .filter(([, value]) => value !== undefined)
    .reduce((narrower, [column, value], index) => {
      const indexed = sql<boolean>`${sql.ref(column)} = ${value}`;
      return narrower.where(index === 0 ? indexed : besides(column, value));
    }, query);
}

/** An equality that no index serves. */
export function besides(column: string, value: unknown): RawBuilder<boolean> {
  return typeof value === 'number'
    ? sql<boolean>`${sql.ref(column)} + 0 = ${value}`
    : sql<boolean>`${sql.ref(column)} || '' = ${value}`;
}
