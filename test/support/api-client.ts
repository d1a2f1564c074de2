import { messageOf } from '../../src/base/errors.ts';
import { isRecord } from '../../src/base/json.ts';

/** Longest wait for one answer; every call of the API that these commands make is short. */
export const requestMsMax = 30_000;

/** An answer of the API that is no success, or none at all (`status` 0, `code` `UNREACHABLE`). */
export class ApiCallError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiCallError';
    this.status = status;
    this.code = code;
  }
}

/** A client of the REST API, for commands that use a server as anybody outside would. */
export interface ApiClient {
  /** JSON of a 2xx answer, undefined for an empty one; the caller names its type. Throws `ApiCallError`. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
}

export interface ApiClientOptions {
  /** Scheme, host and port, without a path. */
  readonly baseUrl: string;
  /** API key; without one the client keeps the cookies that a sign-in sets. */
  readonly key?: string;
}

export function createApiClient({ baseUrl, key }: ApiClientOptions): ApiClient {
  const cookies = new Map<string, string>();

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
    // A write with a cookie must show that it comes from the server's own origin.
    if (key === undefined) headers['origin'] = baseUrl;
    if (cookies.size > 0)
      headers['cookie'] = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers,
      signal: AbortSignal.timeout(requestMsMax),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new ApiCallError(0, 'UNREACHABLE', `The server does not answer: ${messageOf(error)}`);
    });
    keepCookies(cookies, response.headers.getSetCookie());
    const text = await response.text();
    if (!response.ok) throw failureOf(response.status, text, `${method} ${path}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
  };
}

/** Keeps name and value; a cookie that is set to nothing is taken back. */
function keepCookies(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const pair = line.split(';', 1)[0] ?? '';
    const at = pair.indexOf('=');
    if (at <= 0) continue;
    const value = pair.slice(at + 1);
    if (value === '') cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), value);
  }
}

function failureOf(status: number, text: string, call: string): ApiCallError {
  const body = parsed(text);
  const code = typeof body['error'] === 'string' ? body['error'] : 'UNKNOWN';
  const message = typeof body['message'] === 'string' ? body['message'] : `answer ${status}`;
  const details = Array.isArray(body['details']) ? body['details'].filter(isRecord) : [];
  const problems = details.map((problem) => `\n    ${problemText(problem)}`);
  return new ApiCallError(status, code, `${call}: ${message}${problems.join('')}`);
}

function problemText({ path, message, line }: Record<string, unknown>): string {
  const place = [path, typeof line === 'number' ? `line ${line}` : ''].filter(Boolean).join(', ');
  return place === '' ? String(message) : `${place}: ${message}`;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : {};
  } catch {
    return {};
  }
}
