import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { FirstSteps } from './first-steps.tsx';
import {
  FailingList,
  LateList,
  LetterList,
  RecentList,
  RunningList,
  UpcomingList,
} from './overview-lists.tsx';
import { OverviewPanel } from './overview-panel.tsx';
import { ExecutorFigures, QueueFigures } from './server-figures.tsx';

const refreshMs = 5_000;
const placeholderLines = 12;

/** What needs attention now, by one call. */
export function HomeScreen(): ReactNode {
  const api = useApi();
  const { home } = useTexts();
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => api.GET('/api/server/overview', { signal }),
    refetchInterval: refreshMs,
  });
  return (
    <Screen title={home.title}>
      <FirstSteps />
      <Loaded query={overview} lines={placeholderLines}>
        {({ running, failing, late, recent, upcoming, queue, executors, dead_letters }) => (
          <div className="overview">
            <OverviewPanel title={home.failing} hint={home.failingHint} more={<AllFailed />}>
              <FailingList jobRuns={failing} />
            </OverviewPanel>
            <OverviewPanel title={home.late} hint={home.lateHint}>
              <LateList triggers={late} />
            </OverviewPanel>
            <OverviewPanel title={home.running} more={<AllRunning />}>
              <RunningList jobRuns={running} />
            </OverviewPanel>
            <OverviewPanel title={home.recent} more={<AllRuns />}>
              <RecentList jobRuns={recent} />
            </OverviewPanel>
            <OverviewPanel title={home.queue}>
              <QueueFigures queue={queue} />
            </OverviewPanel>
            <OverviewPanel title={home.executors}>
              <ExecutorFigures executors={executors} />
            </OverviewPanel>
            <OverviewPanel title={home.upcoming}>
              <UpcomingList triggers={upcoming} />
            </OverviewPanel>
            <OverviewPanel title={home.letters} more={<AllLetters />}>
              <LetterList letters={dead_letters} />
            </OverviewPanel>
          </div>
        )}
      </Loaded>
    </Screen>
  );
}

function AllFailed(): ReactNode {
  const { home } = useTexts();
  return (
    <Link to="/runs" search={{ status: 'error', since: '24h' }} aria-label={`${home.all}: ${home.failing}`}>
      {home.all}
    </Link>
  );
}

function AllRunning(): ReactNode {
  const { home } = useTexts();
  return (
    <Link to="/runs" search={{ status: 'running' }} aria-label={`${home.all}: ${home.running}`}>
      {home.all}
    </Link>
  );
}

function AllRuns(): ReactNode {
  const { home } = useTexts();
  return (
    <Link to="/runs" aria-label={`${home.all}: ${home.recent}`}>
      {home.all}
    </Link>
  );
}

function AllLetters(): ReactNode {
  const { home } = useTexts();
  return (
    <Link to="/dead-letters" aria-label={`${home.all}: ${home.letters}`}>
      {home.all}
    </Link>
  );
}
