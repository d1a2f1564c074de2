import type { StepResult } from '../../src/base/run-report.ts';
import type { Completion, Lease } from '../../src/protocol/control-plane.ts';
import { completionOf } from '../modules/runs/plane.ts';
import { REGISTER_REQUEST } from '../protocol/support/samples.ts';
import { EXECUTOR_KEY } from './crash-server.ts';

let instances = 0;

/**
 * An executor that speaks bare HTTP to a server that may die at any of its calls: each is sent once, and tried again by whoever
 * calls it.
 */
export class BareExecutor {
  readonly #url: string;
  readonly #key: string;
  #own: Readonly<Record<string, string>> = {};

  private constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  static async register(
    url: string,
    connectorTypes: readonly string[] = ['csv'],
    key = EXECUTOR_KEY,
  ): Promise<BareExecutor> {
    const executor = new BareExecutor(url, key);
    instances += 1;
    const { executor_id, session_token } = await executor.#post<{
      executor_id: number;
      session_token: string;
    }>('/api/executors/register', {
      ...REGISTER_REQUEST,
      instance_id: `bare-${process.pid}-${instances}`,
      features: ['replay', 'foreach'],
      connector_types: connectorTypes,
    });
    executor.#own = { 'x-executor-id': String(executor_id), 'x-session-token': session_token };
    return executor;
  }

  /** The lease of one run, begun; with `runId`, of that one: those that wait before it are skipped. */
  async take(runId?: number): Promise<Lease> {
    for (;;) {
      const next = `/api/executors/${this.#own['x-executor-id']}/next?wait=10`;
      const { assignments } = await this.#post<{ assignments: { lease: Lease }[] }>(next, { credits: 1 });
      const lease = assignments[0]?.lease;
      if (lease === undefined) throw new Error('nothing was assigned');
      await this.#post(`${runOf(lease)}/start`, { lease });
      if (runId === undefined || lease.run_id === runId) return lease;
      await this.complete(lease, { status: 'skipped' });
    }
  }

  /** `count` rows that the step `shape` refused. */
  async leave(lease: Lease, count: number, row: object = {}): Promise<void> {
    const items = Array.from({ length: count }, (_, n) => ({
      step_id: 'shape',
      item: { n, ...row },
      code: 'CAST_ERROR',
      message: 'no',
    }));
    await this.#post(`${runOf(lease)}/dead-letters`, { lease, first_seq: 1, items });
  }

  /** Lines of its log, from this sequence number on. */
  async log(lease: Lease, first_seq: number, lines: readonly BareLine[]): Promise<void> {
    const sent = lines.map((line) => ({ at: Date.now(), level: 'info', step_id: '', fields: null, ...line }));
    await this.#post(`${runOf(lease)}/logs`, { lease, first_seq, lines: sent });
  }

  async complete(lease: Lease, over: Partial<Completion>): Promise<void> {
    await this.#post(`${runOf(lease)}/complete`, { ...completionOf(lease), ...over });
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(new URL(path, this.#url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        ...this.#own,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text === '' ? 'null' : text) as T;
  }
}

export interface BareLine {
  readonly message: string;
  readonly level?: string;
  readonly step_id?: string;
}

const runOf = (lease: Lease) => `/api/executor-callbacks/runs/${lease.run_id}`;

export const stepOf = (step_id: string, kind: string, status: StepResult['status']): StepResult => ({
  step_id,
  kind,
  status,
  rows_in: 2,
  rows_out: 2,
  rows_failed: 0,
  rows_skipped: 0,
  rows_filtered: 0,
  rows_deleted: 0,
  started_at: 1,
  ended_at: 2,
  attempts: 1,
  error: '',
  cursor: null,
  schema_changes: [],
});
