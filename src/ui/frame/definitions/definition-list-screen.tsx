import type { ReactNode } from 'react';
import { Screen } from '../layout/screen.tsx';
import { Pages, usePages } from '../records/pages.tsx';
import { useMay } from '../session/role.ts';
import { DefinitionFilters } from './definition-filters.tsx';
import { type DefinitionSearch, definitionSearch } from './definition-search.ts';

interface DefinitionPage<T> {
  readonly result: readonly T[];
  readonly next_cursor: string | null;
}

/** The query parameters of one page. */
export interface DefinitionQuery {
  readonly sort: 'name';
  readonly status: 'active' | 'archived';
  readonly fields: string;
  readonly q?: string;
  readonly cursor?: string;
}

interface DefinitionListScreenProps<T> {
  readonly title: string;
  /** Begins the keys of its queries. */
  readonly listKey: string;
  readonly fields: string;
  readonly search: DefinitionSearch;
  /** The link to a new one, for those who may write one. */
  readonly add: ReactNode;
  readonly none: string;
  readonly noMatches: string;
  read(query: DefinitionQuery, signal: AbortSignal): Promise<DefinitionPage<T>>;
  onSearch(search: DefinitionSearch): void;
  children(records: readonly T[]): ReactNode;
}

/** Definitions of one kind by name, with a search and those that are archived. */
export function DefinitionListScreen<T>(props: DefinitionListScreenProps<T>): ReactNode {
  const { title, listKey, fields, search, add, none, noMatches, read, onSearch, children } = props;
  const may = useMay('editor');
  const { q, archived } = search;
  const filters = {
    sort: 'name' as const,
    status: archived ? ('archived' as const) : ('active' as const),
    fields,
    ...(q && { q }),
  };
  const query = usePages(
    [listKey, 'list', filters],
    (page, signal) => read({ ...filters, ...page }, signal),
    { isLive: false, keepsBefore: true },
  );
  return (
    <Screen title={title} actions={may && add}>
      <section className="panel" aria-label={title}>
        <DefinitionFilters search={search} onChange={(next) => onSearch(definitionSearch(next))} />
        <Pages query={query} empty={Object.keys(search).length > 0 ? noMatches : none}>
          {children}
        </Pages>
      </section>
    </Screen>
  );
}
