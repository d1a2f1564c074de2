import { ApiError } from '../../../api/api-error.ts';
import type { WidgetResult } from '../../../api/dashboard-payload.ts';
import { RefreshClock } from '../../../kit/widget/refresh-clock.ts';
import type { WidgetHost } from '../../../kit/widget/widget-host.ts';

/** Gives the widgets of a draft the data that came with it. `notInDraft`: what is said where only a saved dashboard has an answer. */
export function draftHost(
  cacheKey: string,
  widgets: Readonly<Record<string, WidgetResult>>,
  notInDraft: string,
): WidgetHost {
  const answeredAt = Date.now();
  const refuse = () => Promise.reject(new ApiError(409, 'CONFLICT', notInDraft));
  return {
    cacheKey,
    refreshIntervalSeconds: null,
    clock: new RefreshClock(() => true),
    calls: { options: refuse, submit: refuse, act: refuse, rows: refuse, exportUrl: () => '' },
    filter: { chosen: {}, choose: () => undefined },
    drafts: new Map(),
    loadWidget: async (id) => ({ ...(widgets[id] ?? { error: notInDraft }), answeredAt }),
  };
}
