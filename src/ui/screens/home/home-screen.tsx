import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatValue } from '../../kit/format-value.ts';
import { useCatalogue } from '../../texts/texts-context.tsx';

const refreshMs = 5_000;
const runningMax = 20;

/** What needs attention now. */
export function HomeScreen(): ReactNode {
  const api = useApi();
  const { texts, locale } = useCatalogue();
  const running = useQuery({
    queryKey: ['job-runs', 'running'],
    queryFn: ({ signal }) =>
      api.GET('/api/job-runs', { params: { query: { status: 'running', limit: runningMax } }, signal }),
    refetchInterval: refreshMs,
  });
  return (
    <Screen title={texts.home.title}>
      <section className="panel" aria-labelledby="home-running">
        <h2 id="home-running">{texts.home.running}</h2>
        <Loaded query={running}>
          {({ result }) =>
            result.length === 0 ? (
              <EmptyState>{texts.home.nothingRuns}</EmptyState>
            ) : (
              <table className="list">
                <thead>
                  <tr>
                    <th scope="col">{texts.home.job}</th>
                    <th scope="col">{texts.home.started}</th>
                  </tr>
                </thead>
                <tbody>
                  {result.map((run) => (
                    <tr key={run.id}>
                      <td>{run.job_name}</td>
                      <td>{formatValue(run.started_at, 'relative', { locale })}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
      </section>
    </Screen>
  );
}
