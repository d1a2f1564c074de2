import { ApiError } from './api-error.ts';
import type { DashboardPayload, WidgetResult } from './dashboard-payload.ts';

/** The calls that a share page makes; the link's token is the only credential. */
export interface PublicApi {
  dashboard(signal?: AbortSignal): Promise<DashboardPayload>;
  widgets(widgetIds: readonly string[]): Promise<Readonly<Record<string, WidgetResult>>>;
  unlock(password: string): Promise<void>;
}

const requestTimeoutMs = 60_000;

/** Binds the calls to one share token. Every failure is an `ApiError`. */
export function createPublicApi(token: string): PublicApi {
  const base = `/api/public/dashboards/${encodeURIComponent(token)}`;
  return {
    dashboard: async (signal) => (await request(base, { ...(signal && { signal }) })) as DashboardPayload,
    widgets: async (widgetIds) => {
      const answer = (await request(`${base}/widgets/data`, post({ widget_ids: widgetIds }))) as {
        widgets?: Record<string, WidgetResult>;
      };
      return answer.widgets ?? {};
    },
    unlock: async (password) => {
      await request(`${base}/unlock`, post({ password }));
    },
  };
}

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
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
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  throw new ApiError(
    response.status,
    typeof error === 'string' ? error : 'INTERNAL_ERROR',
    typeof message === 'string' ? message : `The server answered ${response.status}`,
    retryAfterSeconds(response.headers.get('retry-after')),
  );
}

/** `Retry-After` in either of its forms (RFC 9110, 10.2.3): seconds, or a date. */
function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
