import type { ReactNode } from 'react';
import { DashboardContent } from '../../../dashboard/dashboard-pages.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { WidgetHostContext } from '../../../kit/widget/widget-host.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Dashboard } from '../dashboard-kind.ts';
import { payloadOf, useMemberHost } from './member-host.ts';
import { useRouteFilters } from './use-route-filters.ts';
import './widget-styles.ts';

const liveId = 'live-dashboard';

/** Shows the dashboard alone, as on a wall display. Absent where the browser cannot. */
export function FullScreenButton(): ReactNode {
  const { dashboards } = useTexts();
  if (!document.fullscreenEnabled) return null;
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={dashboards.fullScreen}
      title={dashboards.fullScreen}
      onClick={() => void document.getElementById(liveId)?.requestFullscreen()}
    >
      <Icon name="full" />
    </button>
  );
}

/** A dashboard with its data, all pages of it, for somebody who is signed in. */
export function LiveDashboard({ dashboard }: { readonly dashboard: Dashboard }): ReactNode {
  const { filters } = useTexts();
  const payload = payloadOf(dashboard);
  const host = useMemberHost(dashboard, useRouteFilters(payload.filters));
  return (
    <WidgetHostContext.Provider value={host}>
      <div className="dashboard-view" id={liveId}>
        <DashboardContent dashboard={payload} filterWords={filters} />
      </div>
    </WidgetHostContext.Provider>
  );
}
