import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { LabelChips } from '../../../frame/labels/label-chips.tsx';
import { LabelField } from '../../../frame/labels/label-field.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { Filter, TemplateFilter } from '../../../frame/records/filter.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { SearchFilter } from '../../../frame/records/search-field.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { noValue } from '../../../kit/format-value.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type JobsSearch, jobsSearch } from '../job-searches.ts';
import { type JobHealth, Rate, RecentRuns, useJobHealth } from '../parts/job-health.tsx';

type Job = components['schemas']['Job'];
const route = getRouteApi('/signed-in/jobs');

/** The jobs, and how they are doing. */
export function JobsScreen(): ReactNode {
  const api = useApi();
  const { jobs } = useTexts();
  const { template, q, archived, label } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay('editor');
  const filters = {
    sort: 'name' as const,
    status: archived ? ('archived' as const) : ('active' as const),
    ...(template && { job_template_id: template }),
    ...(q && { q }),
    ...(label && { label: [...label] }),
  };
  const query = usePages(
    ['jobs', 'list', filters],
    (page, signal) =>
      api.GET('/api/jobs', {
        params: { query: { ...filters, ...page } },
        signal,
      }),
    { keepsBefore: true },
  );
  const change = (next: Readonly<Record<string, unknown>>) =>
    void navigate({ search: jobsSearch(next), replace: true, resetScroll: false });
  const isNarrowed = template !== undefined || q !== undefined || archived === true || label !== undefined;
  return (
    <Screen
      title={jobs.title}
      actions={
        may && (
          <Link to="/jobs/new" className="button">
            <Icon name="plus" />
            {jobs.new}
          </Link>
        )
      }
    >
      <section className="panel" aria-label={jobs.title}>
        <JobFilters search={route.useSearch()} onChange={change} />
        <Pages query={query} empty={isNarrowed ? jobs.noMatches : jobs.none}>
          {(records) => <JobTable records={records} />}
        </Pages>
        <ScriptSection
          calls={[{ method: 'GET', path: '/api/jobs', query: filters, ...commandOf(route.useSearch()) }]}
        />
      </section>
    </Screen>
  );
}

/** The command line filters by name, status and labels alone. */
function commandOf({ template, q, archived, label = [] }: JobsSearch) {
  if (template !== undefined) return {};
  return {
    command: [
      'jobs',
      ...(q ? [q] : []),
      ...['--status', archived ? 'archived' : 'active'],
      ...label.flatMap((one) => ['--label', one]),
    ],
  };
}

interface JobFiltersProps {
  readonly search: JobsSearch;
  onChange(search: Readonly<Record<string, unknown>>): void;
}

function JobFilters({ search, onChange }: JobFiltersProps): ReactNode {
  const { jobs, runs } = useTexts();
  return (
    <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
      <SearchFilter label={jobs.search} value={search.q ?? ''} onChange={(q) => onChange({ ...search, q })} />
      <TemplateFilter value={search.template} onChange={(template) => onChange({ ...search, template })} />
      <Filter
        label={runs.status}
        any={null}
        options={[
          ['active', jobs.active],
          ['archived', jobs.archived],
        ]}
        value={search.archived ? 'archived' : 'active'}
        onChange={(status) => onChange({ ...search, archived: status === 'archived' })}
      />
      <LabelField
        place="filter"
        label={jobs.label}
        value={search.label ?? []}
        onChange={(label) => onChange({ ...search, label })}
      />
    </form>
  );
}

function JobTable({ records }: { readonly records: readonly Job[] }): ReactNode {
  const { jobs } = useTexts();
  const health = useJobHealth(records.map(({ id }) => id));
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: jobs.lastRun },
          { label: jobs.next, isWide: true },
          { label: jobs.recent, isWide: true },
          { label: jobs.rate, isWide: true, isFigure: true },
        ]}
      />
      <tbody>
        {records.map((record) => (
          <JobRow key={record.id} job={record} health={health.get(record.id)} />
        ))}
      </tbody>
    </table>
  );
}

function JobRow({ job, health }: { readonly job: Job; readonly health: JobHealth | undefined }): ReactNode {
  const { jobs } = useTexts();
  const last = health?.recent[0];
  return (
    <tr>
      <td>
        <Link to="/jobs/$id" params={{ id: String(job.id) }} className="record-link">
          {job.name} <span className="record-id">#{job.id}</span>
        </Link>
        {job.description !== null && <p className="record-facts">{job.description}</p>}
        <LabelChips labels={job.labels} to="/jobs" />
      </td>
      <td>
        {last !== undefined && (
          <Link to="/job-runs/$id" params={{ id: String(last.id) }} className="last-job-run">
            <StatusBadge status={last.status} /> <When at={last.created_at} />
          </Link>
        )}
        {health !== undefined && last === undefined && jobs.neverRan}
      </td>
      <td className="wide-only nowrap">{health?.next_run_at ? <When at={health.next_run_at} /> : noValue}</td>
      <td className="wide-only">{health !== undefined && <RecentRuns health={health} />}</td>
      <td className="wide-only" data-align="right">
        {health !== undefined && <Rate health={health} />}
      </td>
    </tr>
  );
}
