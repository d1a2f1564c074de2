import { useEffect, useState } from 'react';
import type { RowsQuery } from '../api/widget-calls.ts';
import { nextSort, sortParam, type TableSort } from '../kit/table/table-rows.ts';
import { conditionsOf, type FilterDrafts, type FilterSpec } from './rows-filter.ts';

const typingDelayMs = 250;

/** Where the reader is: the cursors of the pages visited so far, and how many rows come before each. */
interface Place {
  /** The query that the cursors belong to; they are useless for any other. */
  readonly of: string;
  readonly cursors: readonly string[];
  readonly before: readonly number[];
}

export interface ExplorerQuery {
  /** The rows to request, debounced. */
  readonly query: RowsQuery;
  /** Cursor of the current page; null for the first. */
  readonly cursor: string | null;
  /** Number of rows on the pages before it. */
  readonly before: number;
  /** How often the reader has started over: from then on the first page is requested too, whatever page came with the widget. */
  readonly restarts: number;
  /** Identifies the page: a different text means a different page. */
  readonly pageKey: string;
  readonly sort: TableSort | null;
  readonly search: string;
  readonly filters: FilterDrafts;
  sortBy(key: string): void;
  setSearch(text: string): void;
  setFilters(filters: FilterDrafts): void;
  /** Moves to the page of a cursor; `rows` is the number of rows on the current page. */
  goOn(cursor: string, rows: number): void;
  /** Moves to the previous page; null on the first. */
  readonly goBack: (() => void) | null;
  clear(): void;
}

/** The reader's query of an explorer. A different query or order starts at its first page. */
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

/** Debounces a value by `delayMs`. */
function useDelayed<T>(value: T, delayMs: number): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return delayed;
}
