import { ApiError, type ApiProblem } from './api-error.ts';

const requestTimeoutMs = 60_000;

/** Sends a request and returns the body of the response; null for 204. Every failure is an `ApiError`. */
export async function request(url: string, init: RequestInit): Promise<unknown> {
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

/** A POST request with a JSON body. */
export function post(body: unknown, signal?: AbortSignal): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  };
}

function isProblem(detail: unknown): detail is ApiProblem {
  const { path, message } = (detail ?? {}) as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && typeof message === 'string';
}

/** `Retry-After` in either form (RFC 9110, 10.2.3): seconds or a date. */
function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
