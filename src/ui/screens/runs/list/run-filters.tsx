import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { periods, type RunsSearch, runsSearch, statusesOf } from '../run-searches.ts';

const choicesMax = 200;
const choicesStaleMs = 60_000;

interface RunFiltersProps {
  readonly search: RunsSearch;
  onChange(search: RunsSearch): void;
}

/** The filters of the list. They are part of the address. */
export function RunFilters({ search, onChange }: RunFiltersProps): ReactNode {
  const { runs } = useTexts();
  const isTasks = search.kind === 'tasks';
  const set = (key: keyof RunsSearch) => (value: string) => onChange(runsSearch({ ...search, [key]: value }));
  const statuses = statusesOf(search.kind).map((status) => [status, runs.statuses[status]] as const);
  const times = Object.keys(periods).map(
    (period) => [period, runs.periods[period as keyof typeof periods]] as const,
  );
  return (
    <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
      <Filter label={runs.status} options={statuses} value={search.status} onChange={set('status')} />
      <JobFilter value={search.job} onChange={set('job')} />
      {isTasks ? (
        <TaskFilter value={search.task} onChange={set('task')} />
      ) : (
        <>
          <TemplateFilter value={search.template} onChange={set('template')} />
          <TriggerFilter value={search.trigger} onChange={set('trigger')} />
          <Filter
            label={runs.since}
            any={runs.anyTime}
            options={times}
            value={search.since}
            onChange={set('since')}
          />
        </>
      )}
    </form>
  );
}

interface FilterProps {
  readonly label: string;
  readonly any?: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string | number | undefined;
  onChange(value: string): void;
}

function Filter({ label, any, options, value, onChange }: FilterProps): ReactNode {
  const id = useId();
  const { runs } = useTexts();
  const chosen = value === undefined ? '' : String(value);
  const isListed = chosen === '' || options.some(([option]) => option === chosen);
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field-box" value={chosen} onChange={({ target }) => onChange(target.value)}>
        <option value="">{any ?? runs.any}</option>
        {!isListed && <option value={chosen}>{runs.unknown(Number(chosen))}</option>}
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
  readonly value: number | undefined;
  onChange(value: string): void;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

const optionsOf = ({ result }: { readonly result: readonly Named[] }) =>
  result.map(({ id, name }) => [String(id), name] as const);

function JobFilter(props: RecordFilterProps): ReactNode {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: ['jobs', 'names'],
    queryFn: ({ signal }) =>
      api.GET('/api/jobs', { params: { query: { sort: 'name', limit: choicesMax } }, signal }),
    staleTime: choicesStaleMs,
    select: optionsOf,
  });
  return <Filter label={useTexts().runs.job} options={data} {...props} />;
}

function TaskFilter(props: RecordFilterProps): ReactNode {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: ['tasks', 'names'],
    queryFn: ({ signal }) =>
      api.GET('/api/tasks', { params: { query: { sort: 'name', limit: choicesMax } }, signal }),
    staleTime: choicesStaleMs,
    select: optionsOf,
  });
  return <Filter label={useTexts().runs.task} options={data} {...props} />;
}

function TemplateFilter(props: RecordFilterProps): ReactNode {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: ['job-templates', 'names'],
    queryFn: ({ signal }) =>
      api.GET('/api/job-templates', { params: { query: { sort: 'name', limit: choicesMax } }, signal }),
    staleTime: choicesStaleMs,
    select: optionsOf,
  });
  return <Filter label={useTexts().runs.template} options={data} {...props} />;
}

function TriggerFilter(props: RecordFilterProps): ReactNode {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: ['triggers', 'names'],
    queryFn: ({ signal }) =>
      api.GET('/api/triggers', { params: { query: { sort: 'name', limit: choicesMax } }, signal }),
    staleTime: choicesStaleMs,
    select: optionsOf,
  });
  return <Filter label={useTexts().runs.trigger} options={data} {...props} />;
}
