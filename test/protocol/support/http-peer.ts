import { once } from 'node:events';
import { connect } from 'node:net';
import type { Test } from 'tap';
import type { MetricPoint } from '../../../src/metering/backend.ts';
import { httpApp, KEY } from './http-binding.ts';
import { MemoryControlPlane } from './memory-control-plane.ts';
import { REGISTER_REQUEST } from './samples.ts';

export interface PeerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** The executor's routes over a control plane in memory, and a registered executor that sends whatever it is told to. */
export async function startHttpPeer(t: Test, settings: Readonly<Record<string, string>> = {}) {
  const plane = new MemoryControlPlane();
  const points: MetricPoint[] = [];
  const app = await httpApp(plane, points, settings);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  const { executor_id, session_token } = await plane.register(REGISTER_REQUEST);
  const own: Readonly<Record<string, string>> = {
    authorization: `Bearer ${KEY}`,
    'x-executor-id': String(executor_id),
    'x-session-token': session_token,
  };

  async function send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object | string | Buffer,
    headers: Readonly<Record<string, string>> = own,
  ): Promise<PeerAnswer> {
    const isBytes = typeof body === 'string' || Buffer.isBuffer(body);
    const answer = await fetch(`${url}${path}`, {
      method,
      redirect: 'error',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined
        ? {}
        : { body: isBytes ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  /** A question for work over a connection of its own, which `leave` breaks. */
  async function ask(credits: number): Promise<{ readonly leave: () => void }> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const body = JSON.stringify({ credits });
    const lines = Object.entries({ ...own, host: 'x', 'content-type': 'application/json' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(
      `POST /api/executors/${executor_id}/next?wait=30 HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`,
    );
    return { leave: () => socket.destroy() };
  }

  return { plane, points, app, url, executorId: executor_id, own, send, ask };
}
