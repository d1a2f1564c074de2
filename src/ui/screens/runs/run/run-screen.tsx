import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { JsonView } from '../../../frame/records/json-view.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { isActiveRun } from '../../../kit/run-status.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { LogSection } from '../log/log-section.tsx';
import { isFilteredLog, logQuery } from '../log/use-log.ts';
import { ItemSection, isItem } from './item-section.tsx';
import { LetterSection } from './letter-section.tsx';
import { Losses } from './losses.tsx';
import { PartSection } from './part-section.tsx';
import { RunActions } from './run-actions.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunHistory } from './run-history.tsx';
import { SchemaChanges } from './schema-changes.tsx';
import { StepSection, useSteps } from './step-table.tsx';
import { Verifications } from './verifications.tsx';

type RunDetail = components['schemas']['RunDetail'];

const route = getRouteApi('/signed-in/runs/$id');
const refreshMs = 2_000;

/** One run of a task: its steps, its log, the rows it refused, and what it ran with. */
export function RunScreen(): ReactNode {
  const api = useApi();
  const id = Number(route.useParams().id);
  const { run, runs } = useTexts();
  const query = useQuery({
    queryKey: ['run', id],
    queryFn: ({ signal }) => api.GET('/api/runs/{id}', { params: { path: { id } }, signal }),
    refetchInterval: ({ state }) => (isActiveRun(state.data) ? refreshMs : false),
  });
  const { data } = query;
  return (
    <Screen
      title={data === undefined ? `${runs.title} #${id}` : run.taskTitle(data.task_key ?? data.task_name, id)}
      above={<Above run={data} />}
      facts={data && <RunFacts run={data} />}
      actions={data && <RunActions run={data} />}
    >
      <Loaded query={query}>{(record) => <RunContent key={id} run={record} />}</Loaded>
    </Screen>
  );
}

function Above({ run: record }: { readonly run: RunDetail | undefined }): ReactNode {
  const { run, runs } = useTexts();
  return (
    <p className="screen-above">
      <Link to="/runs">{runs.title}</Link>
      {record?.job_run_id && (
        <>
          {' · '}
          <Link to="/job-runs/$id" params={{ id: String(record.job_run_id) }}>
            {run.partOf(record.job_run_id)}
          </Link>
        </>
      )}
      {record?.helps && (
        <>
          {' · '}
          <Link to="/runs/$id" params={{ id: String(record.helps.run_id) }}>
            {run.helps(record.helps.run_id)}
          </Link>
        </>
      )}
    </p>
  );
}

function RunContent({ run: record }: { readonly run: RunDetail }): ReactNode {
  const { run } = useTexts();
  const navigate = route.useNavigate();
  const filters = route.useSearch();
  const active = isActiveRun(record);
  const steps = useSteps(record.id, active);
  useEffect(() => {
    // Some browsers return a promise, which would be taken for what cleans up.
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <div className="sections">
      {record.error !== null && <Failure error={record.error} />}
      <StepSection steps={steps} progress={active ? record.progress : null} />
      <ItemSection steps={steps.data ?? []} />
      <SchemaChanges steps={steps.data ?? []} />
      <Losses steps={steps.data ?? []} />
      <Verifications steps={steps.data ?? []} />
      <PartSection runId={record.id} active={active} />
      <LogSection
        runId={record.id}
        active={active}
        filters={filters}
        steps={(steps.data ?? []).filter((step) => !isItem(step)).map(({ step_id }) => step_id)}
        onFilter={(next) =>
          void navigate({
            search: isFilteredLog(next) ? logQuery(next) : {},
            replace: true,
            resetScroll: false,
          })
        }
      />
      <LetterSection run={record} />
      <section className="panel" aria-labelledby="run-with">
        <h2 id="run-with">{run.ranWith}</h2>
        <p className="record-facts">
          <TaskName run={record} /> · {run.version} {record.task_version}
        </p>
        <div className="json-pair">
          <JsonView title={run.args} value={record.args} />
          <JsonView title={run.config} value={record.config_snapshot} />
          <JsonView title={run.outputs} value={record.outputs} />
          <RunHistory entries={record.status_history} />
        </div>
      </section>
    </div>
  );
}

/** The task that ran, where it is still there. */
function TaskName({ run: { task_id, task_name } }: { readonly run: RunDetail }): ReactNode {
  if (task_id === null) return task_name;
  return (
    <Link to="/tasks/$id" params={{ id: String(task_id) }}>
      {task_name}
    </Link>
  );
}

function Failure({ error }: { readonly error: NonNullable<RunDetail['error']> }): ReactNode {
  const { run } = useTexts();
  return (
    <section className="failure-note" aria-labelledby="run-failure">
      <h2 id="run-failure">{run.failedBecause}</h2>
      <p>{error.message}</p>
      <p className="record-facts">
        {error.step !== null && `${run.failedStep}: ${error.step} · `}
        {error.code}
      </p>
    </section>
  );
}
