import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Filter } from '../../../frame/records/filter.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { OptionsCombobox } from '../../../kit/combobox/options-combobox.tsx';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type MetricsSearch, measuredDays, metricsSearch } from '../admin-searches.ts';
import { DayCharts } from './day-charts.tsx';
import { SummaryTables } from './summary-tables.tsx';

const route = getRouteApi('/signed-in/admin/metrics');
const daysDefault = 30;
const optionsMax = 50;
const refreshMs = 60_000;

/** What was measured of one task: per day as charts, and over the whole time. */
export function MeasurementSection(): ReactNode {
  const { metrics, runs } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const newest = useNewestTask(search.task === undefined);
  const task = search.task ?? newest;
  const days = search.days ?? daysDefault;
  const change = (next: MetricsSearch) =>
    void navigate({ search: metricsSearch({ ...search, ...next }), replace: true, resetScroll: false });
  return (
    <section className="panel stack" aria-label={metrics.measurements}>
      <h2>{metrics.measurements}</h2>
      <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
        <TaskField task={task} onChange={(id) => change({ task: id })} />
        <Filter
          label={metrics.days}
          any={null}
          options={measuredDays.map((one) => [String(one), metrics.lastDays(one)] as const)}
          value={days}
          onChange={(text) => change(metricsSearch({ days: text }))}
        />
      </form>
      {task === undefined ? (
        <EmptyState>{metrics.choose}</EmptyState>
      ) : (
        <Measurements key={`${task} ${days}`} task={task} days={days} />
      )}
    </section>
  );
}

/** The task of the newest run: what is looked at unless another is chosen. */
function useNewestTask(enabled: boolean): number | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['runs', 'newest-task'],
    queryFn: ({ signal }) => api.GET('/api/runs', { params: { query: { limit: 1 } }, signal }),
    enabled,
  });
  return data?.result[0]?.task_id ?? undefined;
}

interface TaskFieldProps {
  readonly task: number | undefined;
  onChange(id: number): void;
}

function TaskField({ task, onChange }: TaskFieldProps): ReactNode {
  const api = useApi();
  const id = useId();
  const { metrics } = useTexts();
  const { data } = useQuery({
    queryKey: ['task', task, 'name'],
    queryFn: ({ signal }) =>
      api.GET('/api/tasks/{id}', {
        params: { path: { id: task ?? 0 }, query: { fields: 'id,name' } },
        signal,
      }),
    enabled: task !== undefined,
  });
  return (
    <div className="filter filter-wide">
      <label htmlFor={id}>{metrics.task}</label>
      <OptionsCombobox
        id={id}
        label={metrics.task}
        multiple={false}
        required
        value={task === undefined ? [] : [String(task)]}
        source={{
          kind: 'server',
          key: 'tasks',
          searchInPage: false,
          known: data?.name === undefined ? [] : [{ value: String(task), label: data.name }],
          async load(page, signal) {
            const query = { ...page, limit: optionsMax, sort: 'name' as const, fields: 'id,name' };
            const found = await api.GET('/api/tasks', { params: { query }, signal });
            const options = found.result.map((one) => ({ value: String(one.id), label: one.name ?? '' }));
            return { options, next_cursor: found.next_cursor };
          },
        }}
        onChange={([chosen]) => onChange(Number(chosen))}
      />
    </div>
  );
}

function Measurements({ task, days }: { readonly task: number; readonly days: number }): ReactNode {
  const api = useApi();
  const { metrics } = useTexts();
  const params = { path: { taskId: task }, query: { days } };
  const perDay = useQuery({
    queryKey: ['metrics', task, days, 'days'],
    queryFn: ({ signal }) => api.GET('/api/metrics/data/timeseries/{taskId}', { params, signal }),
    refetchInterval: refreshMs,
  });
  const summary = useQuery({
    queryKey: ['metrics', task, days, 'summary'],
    queryFn: ({ signal }) => api.GET('/api/metrics/data/summary/{taskId}', { params, signal }),
    refetchInterval: refreshMs,
  });
  return (
    <Loaded query={perDay}>
      {({ available, points }) =>
        available && points.length > 0 ? (
          <>
            <p className="field-hint">{metrics.measurementsHint}</p>
            <DayCharts points={points} days={days} />
            <Loaded query={summary}>{(found) => <SummaryTables summary={found} />}</Loaded>
          </>
        ) : (
          <EmptyState>{available ? metrics.noRuns : metrics.notStored}</EmptyState>
        )
      }
    </Loaded>
  );
}
