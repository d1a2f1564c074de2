import { type ReactNode, useId, useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { exampleNumber } from '../kit/numbers/typed-number.ts';
import { SearchBox } from '../kit/search-box.tsx';
import { Problems } from '../kit/text/problems.tsx';
import { useInputWords } from '../texts/input-words.ts';
import { useWords } from '../texts/words-context.ts';
import { type FilterDraft, type FilterDrafts, type FilterSpec, isUnread } from './rows-filter.ts';
import type { ExplorerQuery } from './use-explorer-query.ts';

interface ExplorerToolsProps {
  readonly title: string;
  readonly searchable: boolean;
  readonly specs: readonly FilterSpec[];
  readonly asked: ExplorerQuery;
}

/** The search box and the filters, as far as the dashboard's author offers them. */
export function ExplorerTools({ title, searchable, specs, asked }: ExplorerToolsProps): ReactNode {
  const words = useInputWords();
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
            <Icon name="filter" size={14} /> {words.explorer.filters}
            {active > 0 && <span className="explorer-count">{active}</span>}
          </button>
        )}
      </div>
      {open && <FilterPanel title={title} specs={specs} drafts={asked.filters} onChange={asked.setFilters} />}
    </>
  );
}

interface FilterPanelProps {
  readonly title: string;
  readonly specs: readonly FilterSpec[];
  readonly drafts: FilterDrafts;
  onChange(drafts: FilterDrafts): void;
}

/** One control per filter that the dashboard's author offers. */
function FilterPanel({ title, specs, drafts, onChange }: FilterPanelProps): ReactNode {
  const words = useInputWords();
  return (
    <fieldset className="explorer-filters">
      <legend className="visually-hidden">{words.explorer.filtersFor(title)}</legend>
      {specs.map((spec) => (
        <FilterInput
          key={spec.key}
          spec={spec}
          draft={drafts[spec.key] ?? {}}
          onChange={(change) => onChange({ ...drafts, [spec.key]: { ...drafts[spec.key], ...change } })}
        />
      ))}
      <button type="button" className="text-button" onClick={() => onChange({})}>
        {words.explorer.clearFilters}
      </button>
    </fieldset>
  );
}

interface FilterInputProps {
  readonly spec: FilterSpec;
  readonly draft: FilterDraft;
  onChange(change: FilterDraft): void;
}

function FilterInput({ spec, draft, onChange }: FilterInputProps): ReactNode {
  const words = useInputWords();
  const id = useId();
  const { yes, no } = useWords();
  const range = spec.type === 'number' || spec.type === 'date';
  const input = (part: 'text' | 'from' | 'to', said: string | null) => (
    <input
      id={part === 'to' ? undefined : id}
      className="field-box"
      type={spec.type === 'date' ? 'date' : 'text'}
      inputMode={spec.type === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      placeholder={said ?? words.explorer.contains}
      aria-label={said === null ? undefined : `${spec.label}, ${said}`}
      value={draft[part] ?? ''}
      aria-invalid={isUnread(spec, draft[part] ?? '') || undefined}
      aria-describedby={`${id}-problem`}
      onChange={(event) => onChange({ [part]: event.target.value })}
    />
  );
  const unread = [draft.from, draft.to].some((text = '') => isUnread(spec, text));
  return (
    <div className="explorer-filter" data-type={spec.type}>
      <label htmlFor={id}>{spec.label}</label>
      {range ? (
        <span className="explorer-range">
          {input('from', words.explorer.from)}
          <span aria-hidden="true">–</span>
          {input('to', words.explorer.to)}
        </span>
      ) : spec.type === 'boolean' ? (
        <select
          id={id}
          className="field-box"
          value={draft.is ?? ''}
          onChange={(event) => onChange({ is: event.target.value })}
        >
          <option value="">{words.explorer.any}</option>
          <option value="true">{yes}</option>
          <option value="false">{no}</option>
        </select>
      ) : (
        input('text', null)
      )}
      <Problems id={`${id}-problem`} problems={unread ? [words.explorer.notFiltered(exampleNumber())] : []} />
    </div>
  );
}
