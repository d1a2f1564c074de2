import { type ReactNode, useMemo, useState } from 'react';
import type { DashboardPayload } from '../../../api/dashboard-payload.ts';
import { createWidgetBatcher } from '../../../api/widget-batcher.ts';
import { DashboardContent } from '../../../dashboard/dashboard-pages.tsx';
import { useSession } from '../../../frame/session/session.ts';
import { Icon } from '../../../kit/icon.tsx';
import { RefreshClock } from '../../../kit/widget/refresh-clock.ts';
import { WidgetHostContext } from '../../../kit/widget/widget-host.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Dashboard } from '../dashboard-kind.ts';
import { createMemberApi } from './member-api.ts';
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
  const { id, version } = dashboard;
  const session = useSession();
  const { filters } = useTexts();
  const [drafts] = useState(() => new Map<string, unknown>());
  const payload = payloadOf(dashboard);
  const filter = useRouteFilters(payload.filters);
  const host = useMemo(() => {
    const calls = createMemberApi(id, filter.chosen, session.reportEnd);
    return {
      // Data of another version no longer counts.
      cacheKey: `${id}@${version} ${JSON.stringify(filter.chosen)}`,
      clock: new RefreshClock(() => document.visibilityState === 'hidden'),
      loadWidget: createWidgetBatcher(calls.widgets),
      calls,
      filter,
      drafts,
      refreshIntervalSeconds: payload.refresh_interval_seconds,
    };
  }, [id, version, session, drafts, filter, payload.refresh_interval_seconds]);
  return (
    <WidgetHostContext.Provider value={host}>
      <div className="dashboard-view" id={liveId}>
        <DashboardContent dashboard={payload} filterWords={filters} />
      </div>
    </WidgetHostContext.Provider>
  );
}

/** The normalized document has all that the public projection of it has, and more. */
export function payloadOf({ document }: Dashboard): DashboardPayload {
  return document as unknown as DashboardPayload;
}
