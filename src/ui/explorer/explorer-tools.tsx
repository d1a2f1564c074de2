import { type ReactNode, useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { SearchBox } from '../kit/search-box.tsx';
import { FilterPanel } from './filter-panel.tsx';
import type { FilterSpec } from './rows-filter.ts';
import type { ExplorerQuery } from './use-explorer-query.ts';

interface ExplorerToolsProps {
  readonly title: string;
  readonly searchable: boolean;
  readonly specs: readonly FilterSpec[];
  readonly asked: ExplorerQuery;
}

/** The search box and the filters that the dashboard's author offers; nothing where there are none. */
export function ExplorerTools({ title, searchable, specs, asked }: ExplorerToolsProps): ReactNode {
  const [open, setOpen] = useState(false);
  const active = Object.keys(asked.query.filters).length;
  if (!searchable && specs.length === 0) return null;
  return (
    <>
      <div className="explorer-tools">
        {searchable && <SearchBox title={title} value={asked.search} onChange={asked.setSearch} />}
        {specs.length > 0 && (
          <button
            type="button"
            className="button button-plain"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon name="filter" size={14} /> Filters
            {active > 0 && <span className="explorer-count">{active}</span>}
          </button>
        )}
      </div>
      {open && <FilterPanel title={title} specs={specs} drafts={asked.filters} onChange={asked.setFilters} />}
    </>
  );
}
