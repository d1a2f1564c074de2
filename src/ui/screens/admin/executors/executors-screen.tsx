import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { refreshMs } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { KeySection } from './key-section.tsx';

type Executor = components['schemas']['Executor'];

/** What runs the tasks: who is there, how much each takes, and the keys that let them in. */
export function ExecutorsScreen(): ReactNode {
  const api = useApi();
  const { admin } = useTexts();
  const isSuper = useMay('superadmin');
  const query = useQuery({
    queryKey: ['executors'],
    queryFn: ({ signal }) => api.GET('/api/server/executors', { signal }),
    refetchInterval: refreshMs,
  });
  return (
    <AdminScreen title={admin.executors.title}>
      <div className="sections">
        <section className="panel" aria-label={admin.executors.title}>
          <Loaded query={query}>
            {({ result }) =>
              result.length === 0 ? (
                <EmptyState>{admin.executors.none}</EmptyState>
              ) : (
                <ExecutorTable executors={result} />
              )
            }
          </Loaded>
        </section>
        {isSuper && <KeySection />}
      </div>
    </AdminScreen>
  );
}

function ExecutorTable({ executors }: { readonly executors: readonly Executor[] }): ReactNode {
  const { admin, jobs, runs, tasks } = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: runs.status },
          { label: admin.executors.slots, isFigure: true },
          { label: tasks.version, isWide: true },
          { label: admin.executors.labels, isWide: true },
          { label: admin.executors.lastSeen, isWide: true },
        ]}
      />
      <tbody>
        {executors.map((executor) => (
          <tr key={executor.id}>
            <td>
              {executor.name}
              <p className="record-facts">{executor.instance_id}</p>
            </td>
            <td>
              <span className="status" data-tone={toneOf(executor.status)}>
                {admin.executors.states[executor.status as keyof typeof admin.executors.states] ??
                  executor.status}
              </span>
            </td>
            <td data-align="right">{executor.slots}</td>
            <td className="wide-only">{executor.version}</td>
            <td className="wide-only">
              {Object.entries(executor.labels)
                .map(([key, value]) => `${key}=${value}`)
                .join(', ')}
            </td>
            <td className="wide-only">
              <When at={executor.last_seen_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function toneOf(status: string): string {
  if (status === 'lost') return 'danger';
  return status === 'draining' ? 'warning' : 'success';
}
