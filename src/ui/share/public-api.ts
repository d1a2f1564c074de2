import { ApiError } from '../api/api-error.ts';
import type { DashboardPayload } from '../api/dashboard-payload.ts';
import { post, request } from '../api/request.ts';
import type { WidgetResults } from '../api/widget-batcher.ts';
import type { RowsQuery, SubmitAnswer, WidgetCalls } from '../api/widget-calls.ts';

/** The API calls of a share page; the link's token is the only credential. */
export interface PublicApi extends WidgetCalls {
  dashboard(signal?: AbortSignal): Promise<DashboardPayload>;
  /** Widgets without an answer after `waitMs` are `pending`; at least one is not. */
  widgets(widgetIds: readonly string[], waitMs: number): Promise<WidgetResults>;
  unlock(password: string): Promise<void>;
}

/**
 * Binds the calls to one share token. Every failure is an `ApiError`. `onRefused` is called when a widget call gets a 401 or 404,
 * or a data call a 400, such as for a widget that no longer exists: the link or the dashboard has changed, and its definition
 * tells how. Checks of drafts do not call it: they run in the background, and must not replace the page while somebody types or
 * is about to save.
 */
export function createPublicApi(token: string, onRefused: () => void): PublicApi {
  const base = `/api/public/dashboards/${encodeURIComponent(token)}`;

  async function send<T>(path: string, init: RequestInit): Promise<T> {
    return (await request(`${base}/widgets/${path}`, init)) as T;
  }

  async function ask<T>(path: string, init: RequestInit): Promise<T> {
    const changed = path === 'data' ? [400, 401, 404] : [401, 404];
    try {
      return await send<T>(path, init);
    } catch (error) {
      if (error instanceof ApiError && changed.includes(error.status)) onRefused();
      throw error;
    }
  }

  return {
    dashboard: async (signal) => (await request(base, { ...(signal && { signal }) })) as DashboardPayload,
    widgets: async (widgetIds, waitMs) => {
      const body = { widget_ids: widgetIds, wait_ms: waitMs };
      const answer = await ask<{ widgets?: WidgetResults }>('data', post(body));
      return answer.widgets ?? {};
    },
    unlock: async (password) => {
      await request(`${base}/unlock`, post({ password }));
    },
    options: (widgetId, body, signal) => ask(`${encodeURIComponent(widgetId)}/options`, post(body, signal)),
    submit: (widgetId, body, signal) => {
      const call = body.dry_run === true ? send<SubmitAnswer> : ask<SubmitAnswer>;
      return call(`${encodeURIComponent(widgetId)}/submit`, post(body, signal));
    },
    act: (widgetId, input, pressKey) => {
      const init = post({ input });
      return ask(`${encodeURIComponent(widgetId)}/action`, {
        ...init,
        headers: { ...init.headers, 'idempotency-key': pressKey },
      });
    },
    rows: (widgetId, { cursor, limit, ...query }, signal) =>
      ask(
        `${encodeURIComponent(widgetId)}/rows`,
        post({ page: { cursor, limit }, ...query, search: query.search || null }, signal),
      ),
    exportUrl: (widgetId, format, query) =>
      `${base}/widgets/${encodeURIComponent(widgetId)}/export?${exportQuery(format, query)}`,
  };
}

function exportQuery(format: string, { sort, search, filters }: RowsQuery): string {
  const query = new URLSearchParams({ format });
  if (sort !== null) query.set('sort', sort);
  if (search !== '') query.set('search', search);
  if (Object.keys(filters).length > 0) query.set('filters', JSON.stringify(filters));
  return query.toString();
}
