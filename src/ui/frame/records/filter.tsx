import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { useApi } from '../state/api-context.ts';

const choicesMax = 200;
const choicesStaleMs = 60_000;

interface FilterProps {
  readonly label: string;
  /** What no choice is called; left out where one always holds. */
  readonly any?: string | null;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string | number | undefined;
  onChange(value: string): void;
}

/** One of a few as a filter. What the address names and the list lacks is shown by its number. */
export function Filter({ label, any, options, value, onChange }: FilterProps): ReactNode {
  const id = useId();
  const { runs } = useTexts();
  const chosen = value === undefined ? '' : String(value);
  const isListed = chosen === '' || options.some(([option]) => option === chosen);
  const number = Number(chosen);
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field-box" value={chosen} onChange={({ target }) => onChange(target.value)}>
        {any !== null && <option value="">{any ?? runs.any}</option>}
        {!isListed && <option value={chosen}>{Number.isNaN(number) ? chosen : runs.unknown(number)}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface RecordFilterProps {
  /** Default: what kind of record it is. */
  readonly label?: string;
  /** As in `FilterProps`. */
  readonly any?: string;
  readonly value: number | undefined;
  onChange(value: string): void;
}

/** Query parameters of a list by name. */
export const byName = { sort: 'name', limit: choicesMax } as const;

interface Named {
  readonly id: number;
  readonly name: string;
}

/** How a list of names becomes the choices of a filter. */
export const choices = {
  staleTime: choicesStaleMs,
  select: ({ result }: { readonly result: readonly Named[] }) =>
    result.map(({ id, name }) => [String(id), name] as const),
};

export function JobFilter(props: RecordFilterProps): ReactNode {
  const api = useApi();
  const { data = [] } = useQuery({
    ...choices,
    queryKey: ['jobs', 'names'],
    queryFn: ({ signal }) => api.GET('/api/jobs', { params: { query: byName }, signal }),
  });
  return <Filter label={useTexts().runs.job} options={data} {...props} />;
}

export function TemplateFilter(props: RecordFilterProps): ReactNode {
  const api = useApi();
  const { data = [] } = useQuery({
    ...choices,
    queryKey: ['job-templates', 'names'],
    queryFn: ({ signal }) => api.GET('/api/job-templates', { params: { query: byName }, signal }),
  });
  return <Filter label={useTexts().runs.template} options={data} {...props} />;
}
