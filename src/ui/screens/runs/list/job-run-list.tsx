import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { LabelChips } from '../../../frame/labels/label-chips.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { Elapsed, When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { reasonText } from '../../../frame/records/reason.ts';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { LateBadge } from '../parts/late-badge.tsx';
import { isFiltered, type JobRunStatus, periods, type RunsSearch } from '../run-searches.ts';

type JobRun = components['schemas']['JobRun'];

/** Runs of jobs, newest first, as they are now. */
export function JobRunList({ search }: { readonly search: RunsSearch }): ReactNode {
  const api = useApi();
  const { runs } = useCatalogue().texts;
  const filters = useMemo(() => filtersOf(search), [search]);
  const query = usePages(['job-runs', filters], (page, signal) =>
    api.GET('/api/job-runs', {
      params: { query: { ...filters, ...page } },
      signal,
    }),
  );
  return (
    <>
      <Pages query={query} empty={isFiltered(search) ? runs.noMatches : runs.none}>
        {(records) => <JobRunTable records={records} />}
      </Pages>
      <ScriptSection
        calls={[{ method: 'GET', path: '/api/job-runs', query: filters, ...commandOf(search) }]}
      />
    </>
  );
}

function filtersOf({ status, job, template, trigger, since, label }: RunsSearch) {
  return {
    ...(status && { status: status as JobRunStatus }),
    ...(job && { job_id: job }),
    ...(template && { job_template_id: template }),
    ...(trigger && { trigger_id: trigger }),
    ...(label && { label: [...label] }),
    // Of the pages of one list it must be the same, so it is taken once.
    ...(since && {
      created_from: new Date(Date.now() - periods[since]).toISOString(),
      sort: '-created_at' as const,
    }),
  };
}

/** The command line filters by status, job and labels alone. */
function commandOf({ status, job, template, trigger, since, label = [] }: RunsSearch) {
  if (template !== undefined || trigger !== undefined || since !== undefined) return {};
  return {
    command: [
      'runs',
      ...(status ? ['--status', status] : []),
      ...(job ? ['--job', String(job)] : []),
      ...label.flatMap((one) => ['--label', one]),
    ],
  };
}

function JobRunTable({ records }: { readonly records: readonly JobRun[] }): ReactNode {
  const { runs } = useCatalogue().texts;
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: runs.status },
          { label: runs.job },
          { label: runs.template, isWide: true },
          { label: runs.trigger, isWide: true },
          { label: runs.started },
          { label: runs.duration, isWide: true, isFigure: true },
        ]}
      />
      <tbody>
        {records.map((record) => (
          <JobRunRow key={record.id} record={record} />
        ))}
      </tbody>
    </table>
  );
}

function JobRunRow({ record }: { readonly record: JobRun }): ReactNode {
  const { texts } = useCatalogue();
  const error = record.error?.message;
  return (
    <tr>
      <td>
        <StatusBadge status={record.status} /> <LateBadge jobRun={record} />
      </td>
      <td>
        <Link to="/job-runs/$id" params={{ id: String(record.id) }} className="record-link">
          {record.job_name} <span className="record-id">#{record.id}</span>
        </Link>
        <LabelChips labels={record.job_labels} to="/runs" />
        {error !== undefined && <p className="record-error">{error}</p>}
      </td>
      <td className="wide-only">{record.job_template_name}</td>
      <td className="wide-only">{record.trigger_name ?? reasonText(texts, record.reason)}</td>
      <td className="nowrap">
        <When at={record.started_at ?? record.created_at} />
      </td>
      <td className="wide-only" data-align="right">
        <Elapsed from={record.started_at} to={record.ended_at} />
      </td>
    </tr>
  );
}
