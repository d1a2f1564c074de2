import { useEffect, useState } from 'react';
import type { RowsQuery } from '../api/widget-calls.ts';
import { nextSort, sortParam, type TableSort } from '../kit/table/table-rows.ts';
import { conditionsOf, type FilterDrafts, type FilterSpec } from './rows-filter.ts';

const typingDelayMs = 250;

/** Where the reader is: the cursors of the pages that led here, and how many rows lie before each. */
interface Place {
  /** Of which rows; those of other rows lead nowhere. */
  readonly of: string;
  readonly cursors: readonly string[];
  readonly before: readonly number[];
}

export interface ExplorerQuery {
  /** Which rows are asked for: what was typed a moment ago. */
  readonly query: RowsQuery;
  /** Of the page in view; null for the first. */
  readonly cursor: string | null;
  /** Rows on the pages before it. */
  readonly before: number;
  /** How often the reader has started over: each time the first page too is asked for, whatever page came with the widget. */
  readonly restarts: number;
  /** Another text is another page. */
  readonly pageKey: string;
  readonly sort: TableSort | null;
  readonly search: string;
  readonly filters: FilterDrafts;
  sortBy(key: string): void;
  setSearch(text: string): void;
  setFilters(filters: FilterDrafts): void;
  /** To the page of a cursor, after so many rows of this one. */
  goOn(cursor: string, rows: number): void;
  /** To the page before; null on the first. */
  readonly goBack: (() => void) | null;
  clear(): void;
}

/** What a reader asks of an explorer. Other rows, or another order, begin at their first page. */
export function useExplorerQuery(specs: readonly FilterSpec[]): ExplorerQuery {
  const [sort, setSort] = useState<TableSort | null>(null);
  const [search, setSearch] = useState('');
  const [filters, setFilters] = useState<FilterDrafts>({});
  const [restarts, setRestarts] = useState(0);
  const typed = useDelayed(JSON.stringify([search.trim(), conditionsOf(specs, filters)]), typingDelayMs);
  const query = queryOf(sort, typed);
  const of = JSON.stringify(query);
  const start: Place = { of, cursors: [], before: [] };
  const [kept, setPlace] = useState(start);
  const place = kept.of === of ? kept : start;
  const before = place.before.at(-1) ?? 0;
  return {
    query,
    cursor: place.cursors.at(-1) ?? null,
    before,
    restarts,
    pageKey: JSON.stringify([of, place.cursors.length]),
    sort,
    search,
    filters,
    sortBy: (key) => setSort(nextSort(sort, key)),
    setSearch,
    setFilters,
    goOn: (cursor, rows) =>
      setPlace({ of, cursors: [...place.cursors, cursor], before: [...place.before, before + rows] }),
    goBack:
      place.cursors.length === 0
        ? null
        : () => setPlace({ of, cursors: place.cursors.slice(0, -1), before: place.before.slice(0, -1) }),
    clear: () => {
      setSort(null);
      setSearch('');
      setFilters({});
      setPlace(start);
      setRestarts((count) => count + 1);
    },
  };
}

function queryOf(sort: TableSort | null, typed: string): RowsQuery {
  const [search, filters] = JSON.parse(typed) as [string, Record<string, unknown>];
  return { sort: sortParam(sort), search, filters };
}

/** A value once it has stood still for `delayMs`. */
function useDelayed<T>(value: T, delayMs: number): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return delayed;
}
