import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { JsonView } from '../../../frame/records/json-view.tsx';
import { isActiveRun } from '../../../kit/run-status.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { JobRunActions } from './job-run-actions.tsx';
import { JobRunFacts } from './job-run-facts.tsx';
import { TaskGraph } from './task-graph.tsx';
import { taskStates } from './task-states.ts';
import { TaskTable } from './task-table.tsx';
import { TaskTimeline } from './task-timeline.tsx';
import { useJobRun } from './use-job-run.ts';

type JobRunDetail = components['schemas']['JobRunDetail'];

const exactly = { exact: true, includeSearch: true } as const;
const route = getRouteApi('/signed-in/job-runs/$id');

/** One run of a job: its tasks as they are now, why it failed, and what it ran with. */
export function JobRunScreen(): ReactNode {
  const { id } = route.useParams();
  const { run, runs } = useTexts();
  const query = useJobRun(Number(id));
  const { data } = query;
  return (
    <Screen
      title={data === undefined ? `${runs.title} #${id}` : run.jobTitle(data.job_name, data.id)}
      above={
        <Link to="/runs" className="screen-above">
          {runs.title}
        </Link>
      }
      facts={data && <JobRunFacts jobRun={data} />}
      actions={data && <JobRunActions jobRun={data} />}
    >
      <Loaded query={query}>{(jobRun) => <JobRunContent jobRun={jobRun} />}</Loaded>
    </Screen>
  );
}

function JobRunContent({ jobRun }: { readonly jobRun: JobRunDetail }): ReactNode {
  const { run } = useTexts();
  const tasks = taskStates(jobRun);
  return (
    <div className="sections">
      {jobRun.error !== null && <Failure error={jobRun.error} refused={refusedOf(jobRun)} />}
      <section className="panel" aria-labelledby="run-tasks">
        <div className="panel-head">
          <h2 id="run-tasks">{run.tasks}</h2>
          <ViewChoice />
        </div>
        <TaskView jobRun={jobRun} />
        <TaskTable tasks={tasks} />
      </section>
      <section className="panel" aria-labelledby="run-with">
        <h2 id="run-with">{run.ranWith}</h2>
        <div className="json-pair">
          <JsonView title={run.args} value={jobRun.args} />
          <JsonView title={run.config} value={jobRun.config_snapshot} />
        </div>
      </section>
    </div>
  );
}

function TaskView({ jobRun }: { readonly jobRun: JobRunDetail }): ReactNode {
  const { view } = route.useSearch();
  const tasks = taskStates(jobRun);
  if (view === 'timeline') return <TaskTimeline tasks={tasks} active={isActiveRun(jobRun)} />;
  return <TaskGraph tasks={tasks} />;
}

/** Part of the address, as what is shown should be. */
function ViewChoice(): ReactNode {
  const { run } = useTexts();
  const { id } = route.useParams();
  return (
    <nav className="switch" aria-label={run.view}>
      <Link
        to="/job-runs/$id"
        params={{ id }}
        search={{}}
        replace
        resetScroll={false}
        activeOptions={exactly}
      >
        {run.graph}
      </Link>
      <Link
        to="/job-runs/$id"
        params={{ id }}
        search={{ view: 'timeline' }}
        replace
        resetScroll={false}
        activeOptions={exactly}
      >
        {run.timeline}
      </Link>
    </nav>
  );
}

/** How many rows the run refused that failed the job run. */
function refusedOf({ error, runs }: JobRunDetail): number {
  return runs.find(({ id }) => id === error?.run_id)?.items.failed ?? 0;
}

interface FailureProps {
  readonly error: NonNullable<JobRunDetail['error']>;
  readonly refused: number;
}

function Failure({ error, refused }: FailureProps): ReactNode {
  const { run } = useTexts();
  return (
    <section className="failure-note" aria-labelledby="run-failure">
      <h2 id="run-failure">{run.failedBecause}</h2>
      <p>{error.message}</p>
      <p className="record-facts">
        {error.task !== null && `${run.failedTask}: ${error.task}`}
        {error.step !== null && ` · ${run.failedStep}: ${error.step}`}
        {` · ${error.code}`}
      </p>
      {error.run_id !== null && (
        <p className="failure-links">
          {refused > 0 && (
            <Link to="/runs/$id" params={{ id: String(error.run_id) }} hash="letters">
              {run.toLetters(refused)}
            </Link>
          )}
          <Link to="/runs/$id" params={{ id: String(error.run_id) }} hash="log">
            {run.toLog}
          </Link>
        </p>
      )}
    </section>
  );
}
