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
import { formatValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { isFiltered, type RunsSearch } from '../run-searches.ts';

type Run = components['schemas']['ListedRun'];

/** Runs of tasks, of jobs or by themselves, newest first. */
export function TaskRunList({ search }: { readonly search: RunsSearch }): ReactNode {
  const api = useApi();
  const { runs } = useCatalogue().texts;
  const filters = useMemo(() => {
    const { status, job, task, label } = search;
    return {
      ...(status && { status }),
      ...(job && { job_id: job }),
      ...(task && { task_id: task }),
      ...(label && { label: [...label] }),
    };
  }, [search]);
  const query = usePages(['runs', filters], (page, signal) =>
    api.GET('/api/runs', {
      params: { query: { ...filters, ...page } },
      signal,
    }),
  );
  return (
    <>
      <Pages query={query} empty={isFiltered(search) ? runs.noMatches : runs.none}>
        {(records) => (
          <table className="list run-list">
            <ListHead
              columns={[
                { label: runs.status },
                { label: runs.task },
                { label: runs.rows, isWide: true, isFigure: true },
                { label: runs.started },
                { label: runs.duration, isWide: true, isFigure: true },
              ]}
            />
            <tbody>
              {records.map((record) => (
                <TaskRunRow key={record.id} record={record} />
              ))}
            </tbody>
          </table>
        )}
      </Pages>
      <ScriptSection calls={[{ method: 'GET', path: '/api/runs', query: filters }]} />
    </>
  );
}

function TaskRunRow({ record }: { readonly record: Run }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { runs } = texts;
  const detail = record.error?.message ?? (record.replay && reasonText(texts, record.reason));
  return (
    <tr>
      <td>
        <StatusBadge status={record.status} />
      </td>
      <td>
        <Link to="/runs/$id" params={{ id: String(record.id) }} className="record-link">
          {record.task_name} <span className="record-id">#{record.id}</span>
        </Link>
        {record.job_id !== null && (
          <p className="record-facts">
            {runs.job}{' '}
            <Link to="/jobs/$id" params={{ id: String(record.job_id) }}>
              {record.job_name}
            </Link>
          </p>
        )}
        <LabelChips labels={record.job_labels} to="/runs" kind="tasks" />
        {detail && <p className="record-error">{detail}</p>}
      </td>
      <td className="wide-only" data-align="right">
        {formatValue(record.items.out, 'integer', { locale })}
      </td>
      <td className="nowrap">
        <When at={record.started_at ?? record.created_at} />
      </td>
      <td className="wide-only" data-align="right">
        <Elapsed from={record.started_at} to={record.ended_at} />
      </td>
    </tr>
  );
}
