import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { Elapsed, When } from '../../../frame/records/moments.tsx';
import { refreshMs } from '../../../frame/records/pages.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { FactRow } from '../fact-row.tsx';
import { DrainButton } from './drain-button.tsx';
import { ExecutorState, labelText } from './executor-state.tsx';

type ExecutorDetail = components['schemas']['ExecutorDetail'];

const route = getRouteApi('/signed-in/admin/executors/$id');

/** One executor: what it is, what it runs now, and whether it gets more. */
export function ExecutorScreen(): ReactNode {
  const api = useApi();
  const { executors } = useTexts();
  const isAdmin = useMay('admin');
  const id = Number(route.useParams().id);
  const query = useQuery({
    queryKey: ['executors', id],
    queryFn: ({ signal }) => api.GET('/api/server/executors/{id}', { params: { path: { id } }, signal }),
    refetchInterval: refreshMs,
  });
  const executor = query.data;
  const mayDrain = isAdmin && executor !== undefined && executor.status !== 'gone';
  return (
    <AdminScreen
      title={executor?.name ?? executors.title}
      {...(mayDrain && { actions: <DrainButton executor={executor} /> })}
    >
      <Loaded query={query}>
        {(found) => (
          <div className="sections">
            <section className="panel" aria-label={found.name}>
              <Facts executor={found} />
            </section>
            <section className="panel" aria-labelledby="executor-runs">
              <h2 id="executor-runs">{executors.runsOf}</h2>
              {found.runs.length === 0 ? (
                <EmptyState>{executors.noRuns}</EmptyState>
              ) : (
                <HeldRuns runs={found.runs} />
              )}
            </section>
          </div>
        )}
      </Loaded>
    </AdminScreen>
  );
}

function Facts({ executor }: { readonly executor: ExecutorDetail }): ReactNode {
  const { executors, tasks, runs } = useTexts();
  const { drain } = executor;
  return (
    <table className="list">
      <tbody>
        <FactRow label={runs.status}>
          <ExecutorState status={executor.status} />
          {drain !== null && (
            <p className="record-facts">
              {executors.drainedBy(drain.requested_by ?? '')}, <When at={drain.requested_at} />
            </p>
          )}
        </FactRow>
        <FactRow label={executors.slots}>{executors.inUse(executor.running, executor.slots)}</FactRow>
        <FactRow label={executors.labels}>{labelText(executor.labels) || '–'}</FactRow>
        <FactRow label={tasks.version}>{executor.version}</FactRow>
        <FactRow label={executors.instance}>
          <code>{executor.instance_id}</code>
        </FactRow>
        <FactRow label={executors.registered}>
          <When at={executor.registered_at} />
        </FactRow>
        <FactRow label={executors.lastSeen}>
          <When at={executor.last_seen_at} />
        </FactRow>
        <FactRow label={executors.connectorTypes}>{executor.connector_types.join(', ')}</FactRow>
      </tbody>
    </table>
  );
}

function HeldRuns({ runs }: { readonly runs: ExecutorDetail['runs'] }): ReactNode {
  const texts = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: texts.runs.task },
          { label: texts.runs.status },
          { label: texts.runs.job, isWide: true },
          { label: texts.runs.duration, isFigure: true },
        ]}
      />
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <Link to="/runs/$id" params={{ id: String(run.id) }} className="record-link">
                {run.task_name} <span className="record-id">#{run.id}</span>
              </Link>
            </td>
            <td>
              <StatusBadge status={run.status} />
            </td>
            <td className="wide-only">{run.job_name}</td>
            <td data-align="right">
              <Elapsed from={run.started_at} to={null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
