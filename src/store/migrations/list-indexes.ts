import type { Dialect } from '../dialect.ts';

/** What the list of a table is filtered by, and what it is sorted by besides its id. */
export interface ListedTable {
  readonly table: string;
  readonly filters: readonly string[];
  readonly sorts: readonly string[];
  /** Sorted by too. */
  readonly unique?: readonly string[];
  /** The list is always filtered. */
  readonly isFiltered?: boolean;
}

/** An index in the order of each sort, and of each sort behind each filter. */
export function listIndexes({ name: dialect }: Dialect, lists: readonly ListedTable[]): string[] {
  return lists.flatMap(({ table, filters, sorts, unique = [], isFiltered = false }) => {
    const index = (...columns: string[]) =>
      `create index ${table}_by_${columns.join('_')} on ${table} (${[...columns, 'id'].join(', ')})`;
    // SQLite's index of a unique column goes on to the id by itself.
    const plain = [...(dialect === 'postgres' ? unique : []), ...sorts];
    return [
      ...(isFiltered ? [] : plain.map((sort) => index(sort))),
      ...filters.flatMap((filter) => [
        index(filter),
        ...[...unique, ...sorts].map((sort) => index(filter, sort)),
      ]),
    ];
  });
}
