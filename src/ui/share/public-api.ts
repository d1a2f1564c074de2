import { ApiError, type ApiProblem } from '../api/api-error.ts';
import type { DashboardPayload } from '../api/dashboard-payload.ts';
import type { WidgetResults } from '../api/widget-batcher.ts';
import type { RowsQuery, WidgetCalls } from '../api/widget-calls.ts';

/** The calls that a share page makes; the link's token is the only credential. */
export interface PublicApi extends WidgetCalls {
  dashboard(signal?: AbortSignal): Promise<DashboardPayload>;
  /** Those that are not there after `waitMs` are `pending`; one at least is. */
  widgets(widgetIds: readonly string[], waitMs: number): Promise<WidgetResults>;
  unlock(password: string): Promise<void>;
}

const requestTimeoutMs = 60_000;

/**
 * Binds the calls to one share token. Every failure is an `ApiError`. `onRefused` hears when a call for widgets gets a 401
 * or a 404, or one for data a 400, as for a widget that is not there any more: the link or the dashboard has then changed, and its
 * definition says how.
 */
export function createPublicApi(token: string, onRefused: () => void): PublicApi {
  const base = `/api/public/dashboards/${encodeURIComponent(token)}`;

  async function ask<T>(path: string, init: RequestInit): Promise<T> {
    const changed = path === 'data' ? [400, 401, 404] : [401, 404];
    try {
      return (await request(`${base}/widgets/${path}`, init)) as T;
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
    submit: (widgetId, body, signal) => ask(`${encodeURIComponent(widgetId)}/submit`, post(body, signal)),
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

function post(body: unknown, signal?: AbortSignal): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  };
}

async function request(url: string, init: RequestInit): Promise<unknown> {
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, {
      ...init,
      signal,
      headers: { accept: 'application/json', ...init.headers },
    });
    body = response.status === 204 ? null : await response.json().catch(() => null);
  } catch {
    throw new ApiError(0, 'NETWORK_ERROR', 'The server cannot be reached');
  }
  if (response.ok) return body;
  const { error, message, details } = (body ?? {}) as Readonly<Record<string, unknown>>;
  throw new ApiError(
    response.status,
    typeof error === 'string' ? error : 'INTERNAL_ERROR',
    typeof message === 'string' ? message : `The server answered ${response.status}`,
    retryAfterSeconds(response.headers.get('retry-after')),
    Array.isArray(details) ? details.filter(isProblem) : [],
  );
}

function isProblem(detail: unknown): detail is ApiProblem {
  const { path, message } = (detail ?? {}) as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && typeof message === 'string';
}

/** `Retry-After` in either of its forms (RFC 9110, 10.2.3): seconds, or a date. */
function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
