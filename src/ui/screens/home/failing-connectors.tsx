import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { When } from '../../frame/records/moments.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { Entry } from './overview-lists.tsx';
import { OverviewPanel } from './overview-panel.tsx';

const refreshMs = 15_000;
const shownMax = 20;

/** Connectors that cannot be reached, or refuse their credentials, with since when; nothing where there are none. */
export function FailingConnectors(): ReactNode {
  const api = useApi();
  const { home } = useTexts();
  const { data } = useQuery({
    queryKey: ['connectors', 'failing'],
    queryFn: ({ signal }) =>
      api.GET('/api/connectors/health', {
        params: { query: { status: 'failing', limit: shownMax } },
        signal,
      }),
    refetchInterval: refreshMs,
  });
  const failing = data?.result ?? [];
  if (failing.length === 0) return null;
  return (
    <OverviewPanel title={home.connectors} hint={home.connectorsHint}>
      <ul className="overview-list">
        {failing.map(({ connector_id: id, name, type, since }) => (
          <Entry
            key={id}
            link={
              <Link
                to="/connectors/$id"
                params={{ id: String(id) }}
                search={{ view: 'health' }}
                className="record-link"
              >
                {name}
              </Link>
            }
            detail={type}
            time={<When at={since} />}
          />
        ))}
      </ul>
    </OverviewPanel>
  );
}
