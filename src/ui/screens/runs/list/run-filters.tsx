import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LabelField } from '../../../frame/labels/label-field.tsx';
import { byName, choices, Filter, JobFilter, TemplateFilter } from '../../../frame/records/filter.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { periods, type RunsSearch, runsSearch, statusesOf } from '../run-searches.ts';

interface RunFiltersProps {
  readonly search: RunsSearch;
  onChange(search: RunsSearch): void;
}

/** The filters of the list. They are part of the address. */
export function RunFilters({ search, onChange }: RunFiltersProps): ReactNode {
  const { runs, jobs } = useTexts();
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
      <LabelField
        place="filter"
        label={jobs.label}
        value={search.label ?? []}
        onChange={(label) => onChange(runsSearch({ ...search, label }))}
      />
    </form>
  );
}

interface RecordFilterProps {
  readonly value: number | undefined;
  onChange(value: string): void;
}

function TaskFilter(props: RecordFilterProps): ReactNode {
  const api = useApi();
  const { data = [] } = useQuery({
    ...choices,
    queryKey: ['tasks', 'names'],
    queryFn: ({ signal }) => api.GET('/api/tasks', { params: { query: byName }, signal }),
  });
  return <Filter label={useTexts().runs.task} options={data} {...props} />;
}

function TriggerFilter(props: RecordFilterProps): ReactNode {
  const api = useApi();
  const { data = [] } = useQuery({
    ...choices,
    queryKey: ['triggers', 'names'],
    queryFn: ({ signal }) => api.GET('/api/triggers', { params: { query: byName }, signal }),
  });
  return <Filter label={useTexts().runs.trigger} options={data} {...props} />;
}
