import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { When } from '../../../frame/records/moments.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { noValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import { TaskSection } from '../overrides/task-section.tsx';
import { Rate, RecentRuns, useJobHealth } from '../parts/job-health.tsx';
import { useScheduleText } from '../parts/schedule-text.ts';
import { LabelSection } from './label-section.tsx';

export type JobDetail = components['schemas']['JobDetail'];

/** How a job does, what it is made of, and when it runs. */
export function JobOverview({ job }: { readonly job: JobDetail }): ReactNode {
  const { jobs, connectors } = useCatalogue().texts;
  const health = useJobHealth([job.id]).get(job.id);
  const last = health?.recent[0];
  return (
    <>
      <section className="panel" aria-labelledby="job-health">
        <h2 id="job-health">{jobs.health}</h2>
        <dl className="figures job-figures">
          <Figure label={jobs.lastRun}>
            {last === undefined ? (
              jobs.neverRan
            ) : (
              <Link to="/job-runs/$id" params={{ id: String(last.id) }}>
                <StatusBadge status={last.status} /> <When at={last.created_at} />
              </Link>
            )}
          </Figure>
          <Figure label={jobs.next}>
            {health?.next_run_at ? <When at={health.next_run_at} /> : jobs.notScheduled}
          </Figure>
          <Figure label={jobs.rate}>{health === undefined ? noValue : <Rate health={health} />}</Figure>
          <Figure label={jobs.recent}>{health !== undefined && <RecentRuns health={health} />}</Figure>
        </dl>
      </section>
      <section className="panel" aria-labelledby="job-connectors">
        <h2 id="job-connectors">{connectors.title}</h2>
        <table className="list">
          <tbody>
            {Object.entries(job.resolved_connectors).map(([name, connector]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <Link to="/connectors/$id" params={{ id: String(connector.id) }} className="record-link">
                    {connector.name}
                  </Link>{' '}
                  <span className="record-id">{connector.type}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Schedule id={job.id} />
      <LabelSection job={job} />
      <TaskSection job={job} />
    </>
  );
}

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The triggers of a job. */
export function useTriggers(id: number) {
  const api = useApi();
  return useQuery({
    queryKey: ['job', id, 'triggers'],
    queryFn: ({ signal }) =>
      api.GET('/api/jobs/{id}/triggers', { params: { path: { id }, query: { limit: 200 } }, signal }),
    select: ({ result }) => result,
  });
}

function Schedule({ id }: { readonly id: number }): ReactNode {
  const { jobs } = useCatalogue().texts;
  const triggers = useTriggers(id).data;
  const textOf = useScheduleText();
  if (triggers === undefined) return null;
  return (
    <section className="panel" aria-labelledby="job-schedule">
      <h2 id="job-schedule">{jobs.schedule}</h2>
      {triggers.length === 0 ? (
        <p className="field-hint">{jobs.notScheduled}</p>
      ) : (
        <ul className="records">
          {triggers.map(({ id: trigger, name, cron, timezone, state }) => (
            <li key={trigger}>
              <span className="record-name">{name}</span>
              <span className="record-facts">
                {textOf(cron)} · {timezone} · {wordOf(jobs.triggerStates, state)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
