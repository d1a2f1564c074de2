import createFetchClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import { messageOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { ApiError, type ApiProblem } from './api-error.ts';
import type { paths } from './openapi-types.ts';

/** Longest wait for the head of an answer, where the caller names no other. */
export const REQUEST_MS_MAX = 30_000;

export interface ClientOptions {
  /** Scheme, host and port, without a path. */
  readonly server: string;
  /** An API key; left out for what anybody may call. */
  readonly token?: string | undefined;
  /** In place of the global one: it sees the whole request. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Longest wait for the head of an answer, in milliseconds. */
  readonly timeoutMs?: number;
}

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathsWith<M extends Verb> = {
  [P in keyof paths]: paths[P] extends { readonly [K in M]: { responses: unknown } } ? P : never;
}[keyof paths];
type OperationOf<P extends keyof paths, M extends Verb> =
  paths[P][M] extends Record<string | number, unknown> ? paths[P][M] : never;
type WholeAnswerOf<P extends keyof paths, M extends Verb, I> = Extract<
  FetchResponse<OperationOf<P, M>, I, `${string}/${string}`>,
  { error?: never }
>['data'];
/** A record, or a page of records, of which the caller named the fields. */
type Sparse<T> = T extends { readonly result: readonly (infer R)[] }
  ? Omit<T, 'result'> & { result: Partial<R>[] }
  : Partial<T>;
/** The body of a success; undefined where it has none. */
type AnswerOf<P extends keyof paths, M extends Verb, I> = I extends {
  readonly params: { readonly query: { readonly fields: string } };
}
  ? Sparse<WholeAnswerOf<P, M, I>>
  : WholeAnswerOf<P, M, I>;

type Call<M extends Verb> = <P extends PathsWith<M>, I extends MaybeOptionalInit<paths[P], M>>(
  path: P,
  ...init: undefined extends I ? [init?: I] : [init: I]
) => Promise<AnswerOf<P, M, I>>;

/**
 * The REST API, typed by the server's own document (`openapi-types.ts`, generated). A call resolves with the body of the success
 * and throws `ApiError` otherwise.
 */
export interface Client {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
}

/** A client of one server. It holds no connection of its own. */
export function createClient({ server, token, fetch: given, timeoutMs }: ClientOptions): Client {
  const send = given ?? ((request: Request) => fetch(request));
  const inner = createFetchClient<paths>({
    baseUrl: server.replace(/\/+$/, ''),
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    fetch: (request) => headInTime(send, request, timeoutMs ?? REQUEST_MS_MAX),
  });
  inner.use({
    async onResponse({ response }) {
      if (!response.ok) throw await errorOf(response);
    },
  });
  /** The types say what the caller may pass; within, a call is a call. */
  const call =
    (verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') => async (path: string, init?: unknown) => {
      const ask = inner[verb] as unknown as (path: string, init?: unknown) => Promise<{ data?: unknown }>;
      return (await ask(path, init)).data;
    };
  return {
    GET: call('GET') as Call<'get'>,
    POST: call('POST') as Call<'post'>,
    PUT: call('PUT') as Call<'put'>,
    PATCH: call('PATCH') as Call<'patch'>,
    DELETE: call('DELETE') as Call<'delete'>,
  };
}

/** One page of a list, as the API gives it. */
export interface Page<T> {
  readonly result: readonly T[];
  /** null on the last page. */
  readonly next_cursor: string | null;
}

/** Every record of a list, page after page: `for await (const job of eachRecord((cursor) => api.GET('/api/jobs', …)))`. */
export async function* eachRecord<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const { result, next_cursor } = await page(cursor);
    yield* result;
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
}

async function headInTime(
  send: (request: Request) => Promise<Response>,
  request: Request,
  timeoutMs: number,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const signal = AbortSignal.any([request.signal, late.signal]);
    return await send(new Request(request, { signal }));
  } catch (cause) {
    // Whoever gives up a call gets the reason that they gave.
    if (request.signal.aborted) throw cause;
    const why = late.signal.aborted ? `no answer in ${timeoutMs / 1_000} s` : reasonOf(cause);
    const message = `The server ${new URL(request.url).origin} cannot be reached: ${why}`;
    throw new ApiError(0, { error: 'UNREACHABLE', message, details: [], request_id: null }, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** `fetch` says "fetch failed"; its cause says why. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error)
    return cause.message || String((cause as { code?: unknown }).code ?? 'no connection');
  return messageOf(error);
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = parsed(await response.text().catch(() => ''));
  const text = (key: string) => (typeof body[key] === 'string' ? body[key] : null);
  return new ApiError(response.status, {
    error: text('error') ?? 'UNKNOWN',
    message: text('message') ?? `The answer has the status ${response.status} and is none of Headgate’s`,
    details: Array.isArray(body['details']) ? body['details'].filter(isProblem) : [],
    request_id: text('request_id') ?? response.headers.get('x-request-id'),
  });
}

function isProblem(value: unknown): value is ApiProblem {
  return isRecord(value) && typeof value['message'] === 'string' && typeof value['path'] === 'string';
}

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : {};
  } catch {
    return {};
  }
}
