import { ApiError } from '../api/api-error.ts';
import { createWidgetCalls, filterOf } from '../api/create-widget-calls.ts';
import type { DashboardPayload, FilterTexts } from '../api/dashboard-payload.ts';
import { post, request } from '../api/request.ts';
import type { WidgetResults } from '../api/widget-batcher.ts';
import type { WidgetCalls } from '../api/widget-calls.ts';

/** The API calls of a share page; the link's token is the only credential. */
export interface PublicApi extends WidgetCalls {
  dashboard(signal?: AbortSignal): Promise<DashboardPayload>;
  /** Widgets without an answer after `waitMs` are `pending`; at least one is not. */
  widgets(widgetIds: readonly string[], waitMs: number): Promise<WidgetResults>;
  unlock(password: string): Promise<void>;
  /** The same calls for what was chosen of the dashboard's filters. */
  choosing(filter: FilterTexts): PublicApi;
}

/**
 * Binds the calls to one share token. Every failure is an `ApiError`. `onRefused` is called when a widget call gets a 401 or 404,
 * or a data call a 400, such as for a widget that no longer exists: the link or the dashboard has changed, and its definition
 * tells how. Checks of drafts do not call it: they run in the background, and must not replace the page while somebody types or
 * is about to save.
 */
export function createPublicApi(token: string, onRefused: () => void, filter: FilterTexts = {}): PublicApi {
  const base = `/api/public/dashboards/${encodeURIComponent(token)}`;

  const send = async <T>(url: string, init: RequestInit) => (await request(url, init)) as T;

  async function askAs<T>(changed: readonly number[], url: string, init: RequestInit): Promise<T> {
    try {
      return await send<T>(url, init);
    } catch (error) {
      if (error instanceof ApiError && changed.includes(error.status)) onRefused();
      throw error;
    }
  }

  return {
    ...createWidgetCalls({
      base: `${base}/widgets`,
      ask: (url, init) => askAs([401, 404], url, init),
      askQuietly: send,
      filter,
    }),
    dashboard: async (signal) => (await request(base, { ...(signal && { signal }) })) as DashboardPayload,
    widgets: async (widgetIds, waitMs) => {
      const body = { widget_ids: widgetIds, wait_ms: waitMs, ...filterOf(filter) };
      const url = `${base}/widgets/data`;
      return (await askAs<{ widgets?: WidgetResults }>([400, 401, 404], url, post(body))).widgets ?? {};
    },
    unlock: async (password) => {
      await request(`${base}/unlock`, post({ password }));
    },
    choosing: (chosen) => createPublicApi(token, onRefused, chosen),
  };
}
