import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Screen } from '../../frame/layout/screen.tsx';
import { JobFilter } from '../../frame/records/filter.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { DashboardList } from './dashboard-list.tsx';
import { dashboardsSearch } from './dashboard-searches.ts';

const route = getRouteApi('/signed-in/dashboards');

/** Every dashboard, by name. */
export function DashboardsScreen(): ReactNode {
  const { dashboards, runs } = useTexts();
  const { job } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Screen title={dashboards.title}>
      <section className="panel" aria-label={dashboards.title}>
        <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
          <JobFilter
            value={job}
            onChange={(chosen) =>
              void navigate({ search: dashboardsSearch({ job: chosen }), replace: true, resetScroll: false })
            }
          />
        </form>
        <DashboardList job={job} />
      </section>
    </Screen>
  );
}
