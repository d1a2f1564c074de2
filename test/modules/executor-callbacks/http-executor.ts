import type { Test } from 'tap';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { REGISTER_REQUEST } from '../../protocol/support/samples.ts';
import { EXECUTOR_KEY, type FullApp, startFullApp } from '../../support/full-app.ts';
import type { ReadableLine } from '../../support/log-lines.ts';
import type { Visitor } from '../../support/visitor.ts';

const TASK = `
version: 1
name: copy_people
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: replace }
`;

export interface CallbackAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Record<string, unknown>;
}

interface Startable {
  readonly id: number;
  readonly connectors: object;
}

/** The whole control plane, a user who starts runs, and an executor that speaks bare HTTP. */
export class HttpExecutor {
  readonly full: FullApp;
  readonly root: Visitor;
  readonly #own: Readonly<Record<string, string>>;
  readonly #task: Startable;
  readonly #id: number;

  private constructor(full: FullApp, root: Visitor, task: Startable, id: number, token: string) {
    this.full = full;
    this.root = root;
    this.#task = task;
    this.#id = id;
    this.#own = {
      authorization: `Bearer ${EXECUTOR_KEY}`,
      'x-executor-id': String(id),
      'x-session-token': token,
    };
  }

  static async start(t: Test): Promise<HttpExecutor> {
    const full = await startFullApp(t);
    const { visitor: root } = await full.superadmin();
    const made = async (path: string, body: object) => (await root.post<{ id: number }>(path, body)).body.id;
    const connectors = {
      source: await made('/api/connectors', { name: 's', type: 'csv', config: { path: '/nowhere/a.csv' } }),
      target: await made('/api/connectors', { name: 't', type: 'sqlite', config: { path: '/nowhere/a.db' } }),
    };
    const task = { id: await made('/api/tasks', { yaml_content: TASK }), connectors };
    const register = { ...REGISTER_REQUEST, connector_types: ['csv', 'sqlite'] };
    const { body } = await full
      .withToken(EXECUTOR_KEY)
      .post<{ executor_id: number; session_token: string }>('/api/executors/register', register);
    return new HttpExecutor(full, root, task, body.executor_id, body.session_token);
  }

  async send(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: object | string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<CallbackAnswer> {
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const answer = await this.full.http.inject({
      method,
      url,
      headers: {
        ...this.#own,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isText ? body : JSON.stringify(body) }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body === '' ? {} : (JSON.parse(answer.body) as Record<string, unknown>),
    };
  }

  post(lease: Lease, call: string, body: object | string | Buffer): Promise<CallbackAnswer> {
    return this.send('POST', `/api/executor-callbacks/runs/${lease.run_id}/${call}`, body);
  }

  logs(lease: Lease, first_seq: number, lines: readonly object[]): Promise<CallbackAnswer> {
    return this.post(lease, 'logs', { lease, first_seq, lines });
  }

  beat(leases: readonly Lease[]): Promise<CallbackAnswer> {
    return this.send('POST', `/api/executors/${this.#id}/heartbeat`, { leases });
  }

  /** A run that this executor has been given, and has not begun. */
  async claimed(): Promise<Lease> {
    const made = await this.root.post(`/api/tasks/${this.#task.id}/runs`, {
      connectors: this.#task.connectors,
    });
    if (made.status !== 201 && made.status !== 202) throw new Error(made.text);
    const { body } = await this.send('POST', `/api/executors/${this.#id}/next?wait=10`, { credits: 1 });
    const [assignment] = body['assignments'] as { lease: Lease }[];
    if (assignment === undefined) throw new Error('nothing was assigned');
    return assignment.lease;
  }

  async started(): Promise<Lease> {
    const lease = await this.claimed();
    await this.post(lease, 'start', { lease });
    return lease;
  }

  /** The lines that the run's log shows. */
  async shown(lease: Lease): Promise<{ seq: number; message: string; fields: unknown }[]> {
    const { body } = await this.root.get<{ result: never[] }>(`/api/runs/${lease.run_id}/logs`);
    return body.result;
  }
}

export function lineOf(message: string, fields: ReadableLine['fields'] = null): ReadableLine {
  return { at: 1_700_000_000_000, level: 'info', step_id: 'read', message, fields };
}

/** As the release before sends it: without `rows_filtered`. */
export function completionOf(lease: Lease, last_log_seq = 0): object {
  return {
    lease,
    status: 'success',
    reason: '',
    failure: null,
    rows_in: 3,
    rows_out: 3,
    rows_failed: 0,
    rows_skipped: 0,
    last_log_seq,
    steps: [],
    retryable: false,
    outputs: null,
  };
}
