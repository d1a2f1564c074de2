import type { ServerResponse } from 'node:http';
import type { Test } from 'tap';
import type { Connection, Row } from '../../../src/drivers/driver.ts';
import { httpDriver } from '../../../src/drivers/http/driver.ts';
import { type HttpReceiver, type Received, startReceiver } from '../../support/http-receiver.ts';

export const signal = new AbortController().signal;

/** An API on loopback, and a connector of it. */
export interface HttpApi {
  readonly receiver: HttpReceiver;
  readonly base: string;
  /** The parameters of each request, as one text. */
  readonly queries: () => string[];
  connect(config?: object): Promise<Connection>;
}

type Handler = (
  query: URLSearchParams,
  request: Received,
  index: number,
  response: ServerResponse,
) => unknown;

/** What `handler` returns is answered as JSON; `undefined`: it has answered itself. */
export async function startApi(t: Test, handler: Handler): Promise<HttpApi> {
  const receiver = await startReceiver(t);
  const base = `http://127.0.0.1:${receiver.port}`;
  receiver.answer = (response, request, index) => {
    const { searchParams } = new URL(request.path, base);
    const value = handler(searchParams, request, index, response);
    if (value === undefined) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(value));
  };
  return {
    receiver,
    base,
    queries: () => receiver.received.map(({ path }) => path.split('?')[1] ?? ''),
    async connect(config = {}) {
      const outbound = { policy: 'allowlist' as const, allow: ['127.0.0.1'], ownPorts: [] };
      const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000, outbound };
      const retry = { base_ms: 1 };
      const connection = await httpDriver.connect({ base_url: `${base}/v1`, retry, ...config }, context);
      t.teardown(() => connection.close());
      return connection;
    },
  };
}

export function answer(
  response: ServerResponse,
  status: number,
  body = '',
  headers: Record<string, string> = {},
): undefined {
  response.writeHead(status, headers).end(body);
  return undefined;
}

export async function rowsOf(connection: Connection, args: object, options: object = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method: 'list', args, signal, ...options }))
    rows.push(...batch.rows);
  return rows;
}

/** Records with the ids `from` to `to`. */
export function records(from: number, to: number): Row[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ id: from + index }));
}

export function idsOf(rows: readonly Row[]): unknown[] {
  return rows.map(({ id }) => id);
}
