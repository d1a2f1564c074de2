import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { LabelChips } from '../../../frame/labels/label-chips.tsx';
import { Elapsed, When } from '../../../frame/records/moments.tsx';
import { reasonText } from '../../../frame/records/reason.ts';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { formatDuration } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';

/** State, times, attempt and executor of a run. */
export function RunFacts({ run: record }: { readonly run: components['schemas']['RunDetail'] }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { run, runs } = texts;
  const { executor, rerun_of, timings, attempt, max_attempts } = record;
  return (
    <ul className="facts">
      <li>
        <span role="status">
          <StatusBadge status={record.status} />
        </span>
      </li>
      {record.job_id !== null && (
        <li>
          {runs.job}{' '}
          <Link to="/jobs/$id" params={{ id: String(record.job_id) }}>
            {record.job_name}
          </Link>
        </li>
      )}
      <li>{reasonText(texts, record.reason)}</li>
      <li>
        <Elapsed from={record.started_at} to={record.ended_at} />
      </li>
      <li>
        <When at={record.started_at ?? record.created_at} />
      </li>
      {max_attempts > 1 && <li>{run.attempt(attempt, max_attempts)}</li>}
      {timings.queued_ms !== null && (
        <li>
          {run.queued} {formatDuration(timings.queued_ms / 1_000, locale)}
        </li>
      )}
      {executor !== null && (
        <li>
          {run.executor} {executor.name ?? executor.id}
        </li>
      )}
      <li>
        {run.version} {record.task_version}
      </li>
      {Object.keys(record.job_labels).length > 0 && (
        <li>
          <LabelChips labels={record.job_labels} to="/runs" kind="tasks" />
        </li>
      )}
      {rerun_of !== null && (
        <li>
          <Link to="/runs/$id" params={{ id: String(rerun_of) }}>
            {runs.rerunOf(rerun_of)}
          </Link>
        </li>
      )}
    </ul>
  );
}
