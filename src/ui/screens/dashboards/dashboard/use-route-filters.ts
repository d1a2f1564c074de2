import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { FilterPayload } from '../../../api/dashboard-payload.ts';
import { addressKey, chosenIn, type FilterHost } from '../../../kit/widget/filter-choice.ts';
import type { DashboardSearch } from '../dashboard-searches.ts';

const route = getRouteApi('/signed-in/dashboards/$id');

/** The choices of filters in the address of the screen. */
export function useRouteFilters(filters: readonly FilterPayload[] | undefined): FilterHost {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const text = JSON.stringify(chosenIn(filters, (key) => readText(search, key)));
  return useMemo(
    () => ({
      chosen: JSON.parse(text) as Readonly<Record<string, string>>,
      choose: (changes) =>
        void navigate({ search: (was) => withChanges(was, changes), hash: true, resetScroll: false }),
    }),
    [text, navigate],
  );
}

function readText(search: DashboardSearch, key: string): string | null {
  const value = (search as Readonly<Record<string, string | number | undefined>>)[key];
  return value === undefined ? null : String(value);
}

function withChanges(
  search: DashboardSearch,
  changes: Readonly<Record<string, string | null>>,
): DashboardSearch {
  const entries = new Map<string, unknown>(Object.entries(search));
  for (const [id, text] of Object.entries(changes)) {
    if (text === null) entries.delete(addressKey(id));
    // A text of digits would be put in quotes.
    else entries.set(addressKey(id), String(Number(text)) === text ? Number(text) : text);
  }
  return Object.fromEntries(entries) as DashboardSearch;
}
