import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Elapsed, When } from '../../../frame/records/moments.tsx';
import { reasonText } from '../../../frame/records/reason.ts';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { formatValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { LateBadge } from '../parts/late-badge.tsx';

/** State, times and origin of a job run, in one line where there is room. */
export function JobRunFacts({
  jobRun,
}: {
  readonly jobRun: components['schemas']['JobRunDetail'];
}): ReactNode {
  const { texts, locale } = useCatalogue();
  const { run, runs } = texts;
  const { trigger_name, created_by, scheduled_for, sla_at, rerun_of } = jobRun;
  return (
    <ul className="facts">
      <li>
        <span role="status">
          <StatusBadge status={jobRun.status} /> <LateBadge jobRun={jobRun} />
        </span>
      </li>
      <li>
        <Elapsed from={jobRun.started_at} to={jobRun.ended_at} />
      </li>
      <li>
        <When at={jobRun.started_at ?? jobRun.created_at} />
      </li>
      <li>
        <Link to="/jobs/$id" params={{ id: String(jobRun.job_id) }} search={{}}>
          {jobRun.job_name}
        </Link>
      </li>
      <li>
        <Link to="/templates/$id" params={{ id: String(jobRun.job_template_id) }}>
          {jobRun.job_template_name}
        </Link>
      </li>
      <li>
        {trigger_name ?? reasonText(texts, jobRun.reason)}
        {trigger_name === null && created_by !== null && ` ${runs.by(created_by)}`}
      </li>
      {scheduled_for !== null && (
        <li>
          {runs.scheduledFor} {formatValue(scheduled_for, 'datetime', { locale })}
        </li>
      )}
      {sla_at !== null && <li>{runs.slaAt(formatValue(sla_at, 'datetime', { locale }))}</li>}
      {rerun_of !== null && (
        <li>
          <Link to="/job-runs/$id" params={{ id: String(rerun_of) }}>
            {runs.rerunOf(rerun_of)}
          </Link>
        </li>
      )}
      <li>
        <Link to="/runs" search={{ job: jobRun.job_id }}>
          {run.allRuns}
        </Link>
      </li>
    </ul>
  );
}
