import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { refreshMs } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { type Executor, ExecutorLink, ExecutorState, labelText } from './executor-state.tsx';
import { KeySection } from './key-section.tsx';
import { StartSection } from './start-section.tsx';

/** What runs the tasks: who is there, what each has, how to start another, and the keys that let them in. */
export function ExecutorsScreen(): ReactNode {
  const api = useApi();
  const { executors } = useTexts();
  const isSuper = useMay('superadmin');
  const [withGone, setWithGone] = useState(false);
  const query = useQuery({
    queryKey: ['executors', 'list'],
    queryFn: ({ signal }) => api.GET('/api/server/executors', { signal }),
    refetchInterval: refreshMs,
  });
  return (
    <AdminScreen title={executors.title}>
      <div className="sections">
        <section className="panel" aria-label={executors.title}>
          <Loaded query={query}>
            {({ result }) => {
              const shown = result.filter(({ status }) => withGone || status !== 'gone');
              return (
                <>
                  {shown.length === 0 ? (
                    <EmptyState>{executors.none}</EmptyState>
                  ) : (
                    <ExecutorTable executors={shown} />
                  )}
                  {result.some(({ status }) => status === 'gone') && (
                    <label className="check-line">
                      <input
                        type="checkbox"
                        checked={withGone}
                        onChange={({ target }) => setWithGone(target.checked)}
                      />
                      {executors.gone}
                    </label>
                  )}
                </>
              );
            }}
          </Loaded>
        </section>
        <StartSection />
        {isSuper && <KeySection />}
      </div>
    </AdminScreen>
  );
}

function ExecutorTable({ executors }: { readonly executors: readonly Executor[] }): ReactNode {
  const texts = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: texts.jobs.name },
          { label: texts.runs.status },
          { label: texts.executors.slots, isFigure: true },
          { label: texts.tasks.version, isWide: true },
          { label: texts.executors.labels, isWide: true },
          { label: texts.executors.lastSeen, isWide: true },
        ]}
      />
      <tbody>
        {executors.map((executor) => (
          <tr key={executor.id}>
            <td>
              <ExecutorLink {...executor} />
            </td>
            <td>
              <ExecutorState status={executor.status} />
            </td>
            <td data-align="right">{texts.executors.inUse(executor.running, executor.slots)}</td>
            <td className="wide-only">{executor.version}</td>
            <td className="wide-only">{labelText(executor.labels)}</td>
            <td className="wide-only">
              <When at={executor.last_seen_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
