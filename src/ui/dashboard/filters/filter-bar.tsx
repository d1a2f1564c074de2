import type { ReactNode } from 'react';
import type { FilterPayload } from '../../api/dashboard-payload.ts';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { filters as german } from '../../texts/de/definitions/filters.ts';
import { filters as english, type FilterWords } from '../../texts/en/definitions/filters.ts';
import { FilterControl } from './filter-control.tsx';

interface FilterBarProps {
  readonly filters: readonly FilterPayload[];
  /** Default: those of the browser's language. */
  readonly words: FilterWords | undefined;
}

/** The controls of a dashboard's filters, above its pages. */
export function FilterBar({ filters, words: given }: FilterBarProps): ReactNode {
  const { filter } = useWidgetHost();
  const { chosen, choose } = filter;
  const words = given ?? (navigator.language.startsWith('de') ? german : english);
  const ids = filters.map(({ id }) => id);
  return (
    <fieldset className="filter-bar">
      <legend className="visually-hidden">{words.label}</legend>
      {filters.map((one) => (
        <FilterControl
          key={one.id}
          filter={one}
          text={chosen[one.id] ?? one.default ?? ''}
          words={words}
          onChoose={(text) => choose({ [one.id]: text === (one.default ?? '') ? null : text })}
        />
      ))}
      {Object.keys(chosen).length > 0 && (
        <button
          type="button"
          className="text-button"
          onClick={() => choose(Object.fromEntries(ids.map((id) => [id, null])))}
        >
          {words.reset}
        </button>
      )}
    </fieldset>
  );
}
