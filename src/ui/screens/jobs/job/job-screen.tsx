import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { Views } from '../../../frame/layout/views.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DashboardList } from '../../dashboards/dashboard-list.tsx';
import { JobRunList } from '../../runs/list/job-run-list.tsx';
import { BackfillSection } from '../backfill/backfill-section.tsx';
import type { JobView } from '../job-searches.ts';
import { ConfigSection } from './config-section.tsx';
import { JobActions } from './job-actions.tsx';
import { type JobDetail, JobOverview } from './job-overview.tsx';
import { StateSection } from './state-section.tsx';
import { TriggerSection } from './trigger-section.tsx';
import { UpgradeSection } from './upgrade-section.tsx';

const route = getRouteApi('/signed-in/jobs/$id');
const views: readonly (JobView | undefined)[] = [
  undefined,
  'runs',
  'dashboards',
  'config',
  'triggers',
  'state',
  'upgrade',
];
/** What a new job still needs, in order; then its overview sums up. */
const setUp: readonly (JobView | undefined)[] = ['config', 'triggers', undefined];

/** One job: how it does, its configuration, schedule, cursors, and what an upgrade would change. */
export function JobScreen(): ReactNode {
  const api = useApi();
  const id = Number(route.useParams().id);
  const { jobs } = useTexts();
  const { view, setup } = route.useSearch();
  const query = useQuery({
    queryKey: ['job', id],
    queryFn: ({ signal }) => api.GET('/api/jobs/{id}', { params: { path: { id } }, signal }),
  });
  const { data } = query;
  return (
    <Screen
      title={data?.name ?? jobs.title}
      above={
        <p className="screen-above">
          <Link to="/jobs">{jobs.title}</Link>
        </p>
      }
      facts={data && <Facts job={data} />}
      actions={data && <JobActions job={data} />}
    >
      <Views
        label={jobs.viewsLabel}
        views={views}
        textOf={(one) => jobs.views[one ?? 'overview']}
        linkTo={(one) => ({
          to: '/jobs/$id',
          params: { id: String(id) },
          search: { ...(one && { view: one }), ...(setup && { setup }) },
        })}
      />
      <Loaded query={query}>
        {(job) => (
          <div className="sections">
            {setup && <SetUpNote id={id} view={view} />}
            <View key={`${id} ${view}`} job={job} view={view} />
          </div>
        )}
      </Loaded>
    </Screen>
  );
}

function Facts({ job }: { readonly job: JobDetail }): ReactNode {
  const { jobs, runs } = useTexts();
  return (
    <ul className="facts">
      {job.status === 'archived' && <li>{jobs.archived}</li>}
      <li>
        {runs.template}{' '}
        <Link to="/templates/$id" params={{ id: String(job.job_template_id) }}>
          {job.template_name}
        </Link>{' '}
        · {jobs.version(job.template_version)}
      </li>
      {job.description !== null && <li>{job.description}</li>}
    </ul>
  );
}

/** Leads through what follows the creation of a job. */
function SetUpNote({ id, view }: { readonly id: number; readonly view: JobView | undefined }): ReactNode {
  const { jobs } = useTexts();
  const at = setUp.indexOf(view);
  if (at < 0) return null;
  const next = setUp[at + 1];
  const isLast = at === setUp.length - 1;
  const place = { to: '/jobs/$id', params: { id: String(id) }, className: 'button' } as const;
  return (
    <div className="setup-note" role="note">
      <p>{jobs.setUp[view === 'config' || view === 'triggers' ? view : 'overview']}</p>
      <Link {...place} search={isLast ? {} : { setup: true, ...(next && { view: next }) }}>
        {isLast ? jobs.setUpDone : jobs.setUpNext}
      </Link>
    </div>
  );
}

function View({ job, view }: { readonly job: JobDetail; readonly view: JobView | undefined }): ReactNode {
  const { jobs } = useTexts();
  switch (view) {
    case undefined:
      return <JobOverview job={job} />;
    case 'runs':
      return (
        <section className="panel" aria-label={jobs.views.runs}>
          <JobRunList search={{ job: job.id }} />
        </section>
      );
    case 'dashboards':
      return (
        <section className="panel" aria-label={jobs.views.dashboards}>
          <DashboardList job={job.id} />
        </section>
      );
    case 'config':
      return <ConfigSection id={job.id} />;
    case 'triggers':
      return (
        <div className="sections">
          <TriggerSection id={job.id} />
          <BackfillSection jobId={job.id} />
        </div>
      );
    case 'state':
      return <StateSection id={job.id} />;
    case 'upgrade':
      return <UpgradeSection job={job} />;
    default:
      return view satisfies never;
  }
}
