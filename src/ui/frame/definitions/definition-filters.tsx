import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { Filter } from '../records/filter.tsx';
import { SearchFilter } from '../records/search-field.tsx';

interface DefinitionFiltersProps {
  readonly search: { readonly q?: string; readonly archived?: true };
  onChange(search: Readonly<Record<string, unknown>>): void;
}

/** The filters of a list of definitions: part of the name, and whether they are in use. */
export function DefinitionFilters({ search, onChange }: DefinitionFiltersProps): ReactNode {
  const { tasks, jobs, runs } = useTexts();
  return (
    <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
      <SearchFilter label={jobs.search} value={search.q ?? ''} onChange={(q) => onChange({ ...search, q })} />
      <Filter
        label={runs.status}
        any={null}
        options={[
          ['active', tasks.active],
          ['archived', tasks.archived],
        ]}
        value={search.archived ? 'archived' : 'active'}
        onChange={(status) => onChange({ ...search, archived: status === 'archived' })}
      />
    </form>
  );
}
