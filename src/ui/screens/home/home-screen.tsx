import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { LabelField } from '../../frame/labels/label-field.tsx';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { FailingConnectors } from './failing-connectors.tsx';
import { FirstSteps } from './first-steps.tsx';
import { homeSearch } from './home-search.ts';
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

type Overview = components['schemas']['Overview'];
const route = getRouteApi('/signed-in/');

const refreshMs = 5_000;
const placeholderLines = 12;

/** What needs attention now, by one call. */
export function HomeScreen(): ReactNode {
  const api = useApi();
  const { home } = useTexts();
  const { label = [] } = route.useSearch();
  const overview = useQuery({
    queryKey: ['overview', label],
    queryFn: ({ signal }) =>
      api.GET('/api/server/overview', { params: { query: { label: [...label] } }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  return (
    <Screen title={home.title}>
      <FirstSteps />
      {(label.length > 0 || hasLabels(overview.data)) && <HomeFilter label={label} />}
      <Loaded query={overview} lines={placeholderLines}>
        {({ running, failing, late, late_runs, recent, upcoming, queue, executors, dead_letters }) => (
          <div className="overview">
            <OverviewPanel
              title={home.failing}
              hint={home.failingHint}
              more={
                <ShowAll
                  of={home.failing}
                  to="/runs"
                  search={{ status: 'error', since: '24h', ...labelled(label) }}
                />
              }
            >
              <FailingList jobRuns={failing} />
            </OverviewPanel>
            <OverviewPanel title={home.late} hint={home.lateHint}>
              <LateList triggers={late} jobRuns={late_runs} />
            </OverviewPanel>
            <FailingConnectors />
            <OverviewPanel
              title={home.running}
              more={
                <ShowAll of={home.running} to="/runs" search={{ status: 'running', ...labelled(label) }} />
              }
            >
              <RunningList jobRuns={running} />
            </OverviewPanel>
            <OverviewPanel
              title={home.recent}
              more={<ShowAll of={home.recent} to="/runs" search={labelled(label)} />}
            >
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
            <OverviewPanel
              title={home.letters}
              more={<ShowAll of={home.letters} to="/dead-letters" search={labelled(label)} />}
            >
              <LetterList letters={dead_letters} />
            </OverviewPanel>
          </div>
        )}
      </Loaded>
    </Screen>
  );
}

/** Whether labels are in use, among what is shown. */
function hasLabels(overview: Overview | undefined): boolean {
  if (overview === undefined) return false;
  const { running, failing, recent } = overview;
  return [...running, ...failing, ...recent].some(({ job_labels }) => Object.keys(job_labels).length > 0);
}

interface LabelProps {
  readonly label: readonly string[];
}

function HomeFilter({ label }: LabelProps): ReactNode {
  const { jobs, runs } = useTexts();
  const navigate = route.useNavigate();
  return (
    <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
      <LabelField
        place="filter"
        label={jobs.label}
        value={label}
        onChange={(next) => void navigate({ search: homeSearch({ label: next }), replace: true })}
      />
    </form>
  );
}

/** The same labels in another list. */
function labelled(label: readonly string[]) {
  return label.length > 0 ? { label } : {};
}

type ShowAllProps = LinkProps & {
  /** The list of which some are shown here. */
  readonly of: string;
};

/** The way from some records to all of them. */
function ShowAll({ of, ...link }: ShowAllProps): ReactNode {
  const { home } = useTexts();
  return (
    <Link {...link} aria-label={`${home.all}: ${of}`}>
      {home.all}
    </Link>
  );
}
