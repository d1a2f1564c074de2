import { useMemo, useState } from 'react';
import type { DashboardPayload } from '../../../api/dashboard-payload.ts';
import { createWidgetBatcher } from '../../../api/widget-batcher.ts';
import { useSession } from '../../../frame/session/session.ts';
import type { FilterHost } from '../../../kit/widget/filter-choice.ts';
import { RefreshClock } from '../../../kit/widget/refresh-clock.ts';
import type { WidgetHost } from '../../../kit/widget/widget-host.ts';
import type { Dashboard } from '../dashboard-kind.ts';
import { createMemberApi } from './member-api.ts';

/**
 * How the widgets of a dashboard get their data for somebody who is signed in. `refreshSeconds`: of a dashboard that names no interval;
 * null for none.
 */
export function useMemberHost(
  dashboard: Dashboard,
  filter: FilterHost,
  refreshSeconds: number | null = null,
): WidgetHost {
  const { id, version } = dashboard;
  const session = useSession();
  const [drafts] = useState(() => new Map<string, unknown>());
  const refreshIntervalSeconds = payloadOf(dashboard).refresh_interval_seconds ?? refreshSeconds;
  return useMemo(() => {
    const calls = createMemberApi(id, filter.chosen, session.reportRefusal);
    return {
      // Data of another version no longer counts.
      cacheKey: `${id}@${version} ${JSON.stringify(filter.chosen)}`,
      clock: new RefreshClock(() => document.visibilityState === 'hidden'),
      loadWidget: createWidgetBatcher(calls.widgets),
      calls,
      filter,
      drafts,
      refreshIntervalSeconds,
    };
  }, [id, version, session, drafts, filter, refreshIntervalSeconds]);
}

/** The normalized document has all that the public projection of it has, and more. */
export function payloadOf({ document }: Dashboard): DashboardPayload {
  return document as unknown as DashboardPayload;
}
