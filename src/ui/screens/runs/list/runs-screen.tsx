import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Screen } from '../../../frame/layout/screen.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { isFiltered } from '../run-searches.ts';
import { JobRunList } from './job-run-list.tsx';
import { RunFilters } from './run-filters.tsx';
import { TaskRunList } from './task-run-list.tsx';

const exactly = { exact: true, includeSearch: true } as const;
const route = getRouteApi('/signed-in/runs');

/** What has run, runs and will run: runs of jobs, or of single tasks. */
export function RunsScreen(): ReactNode {
  const { runs } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tasks = search.kind === 'tasks' ? ({ kind: 'tasks' } as const) : {};
  return (
    <Screen title={runs.title}>
      <nav className="switch" aria-label={runs.kind}>
        <Link to="/runs" search={search.kind === undefined ? search : {}} activeOptions={exactly}>
          {runs.kinds.jobs}
        </Link>
        <Link
          to="/runs"
          search={search.kind === 'tasks' ? search : { kind: 'tasks' }}
          activeOptions={exactly}
        >
          {runs.kinds.tasks}
        </Link>
      </nav>
      <section className="panel" aria-label={runs.kinds[search.kind ?? 'jobs']}>
        <RunFilters search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
        {search.kind === 'tasks' ? <TaskRunList search={search} /> : <JobRunList search={search} />}
        {isFiltered(search) && (
          <Link to="/runs" search={tasks} className="text-button">
            {runs.clear}
          </Link>
        )}
      </section>
    </Screen>
  );
}
