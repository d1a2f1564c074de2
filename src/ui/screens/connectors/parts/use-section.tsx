import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

/** The jobs that bind a connector, and whether their last runs went well. */
export function UseSection({ id }: { readonly id: number }): ReactNode {
  const api = useApi();
  const { connectors, runs } = useTexts();
  const uses = useQuery({
    queryKey: ['connector', id, 'jobs'],
    queryFn: ({ signal }) => api.GET('/api/connectors/{id}/jobs', { params: { path: { id } }, signal }),
  });
  return (
    <section className="panel" aria-label={connectors.uses}>
      <Loaded query={uses}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState>{connectors.noUse}</EmptyState>
          ) : (
            <table className="list run-list">
              <ListHead
                columns={[
                  { label: runs.job },
                  { label: connectors.boundAs, isWide: true },
                  { label: connectors.lastRun },
                ]}
              />
              <tbody>
                {result.map((use) => (
                  <tr key={use.id}>
                    <td>
                      <Link to="/jobs/$id" params={{ id: String(use.id) }} className="record-link">
                        {use.name} <span className="record-id">#{use.id}</span>
                      </Link>
                    </td>
                    <td className="wide-only">{use.bound_as.join(', ')}</td>
                    <td>
                      {use.last_run === null ? (
                        runs.none
                      ) : (
                        <Link to="/job-runs/$id" params={{ id: String(use.last_run.id) }}>
                          <StatusBadge status={use.last_run.status} /> <When at={use.last_run.created_at} />
                        </Link>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </section>
  );
}
