import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Screen } from '../../frame/layout/screen.tsx';
import { JobFilter } from '../../frame/records/filter.tsx';
import { SearchFilter } from '../../frame/records/search-field.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { DashboardList } from './dashboard-list.tsx';
import { dashboardsSearch } from './dashboard-searches.ts';

const route = getRouteApi('/signed-in/dashboards');

/** Every dashboard, by name. */
export function DashboardsScreen(): ReactNode {
  const { dashboards, jobs, runs } = useTexts();
  const { job, q } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Readonly<Record<string, unknown>>) =>
    void navigate({ search: dashboardsSearch({ job, q, ...next }), replace: true, resetScroll: false });
  return (
    <Screen title={dashboards.title}>
      <section className="panel" aria-label={dashboards.title}>
        <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
          <SearchFilter label={jobs.search} value={q ?? ''} onChange={(text) => change({ q: text })} />
          <JobFilter value={job} onChange={(chosen) => change({ job: chosen })} />
        </form>
        <DashboardList job={job} q={q} />
      </section>
    </Screen>
  );
}
