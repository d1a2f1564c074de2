import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../src/base/errors.ts';
import type { ApiClient } from '../../../test/support/api-client.ts';
import { dashboardYaml } from '../dashboard-seed.ts';

const startEveryMs = 400;
const failingEvery = 4;
const widgetsEveryMs = 1_000;
const previewEveryMs = 2_000;
const pruneEveryMs = 5_000;
/** Of each job: few, so that there is as much to prune as there are starts after the first minute. */
const runsKept = 10;
const followers = 8;
const followMsMax = 6_000;
const rowsPerRun = 300;
const logSteps = 10;
const failedDeliveryEvery = 3;
const failuresMax = 10;

const sayings = Array.from(
  { length: logSteps },
  (_, index) => `  - { id: say${index}, kind: log, message: "line ${index}: {{ steps.write.count }} rows" }`,
).join('\n');
const loadYaml = `version: 1
name: soak_load
connectors: { source: { type: dummy }, store: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: shape, kind: transform, input: read, ops: [ { cast: { amount: number } } ], on_error: dead_letter }
  - { id: write, kind: load, input: shape, connector: store, object: amounts, mode: merge, key: [id] }
${sayings}
`;
const failingYaml = `version: 1
name: soak_failing
steps:
  - { id: say, kind: log, message: "about to fail" }
  - { id: check, kind: assert, check_expr: "false", message: "fails each time" }
`;

export interface SoakTarget {
  readonly url: string;
  readonly key: string;
  readonly api: ApiClient;
  /** A SQLite file that runs write into. */
  readonly databasePath: string;
}

interface Seeded {
  readonly connectors: { readonly source: number; readonly store: number };
  readonly jobId: number;
  readonly failingJobId: number;
  readonly sharePath: string;
}

/** What uses a server all at once: runs that go well or fail, followers of their logs, a shared dashboard, previews, a webhook. */
export class SoakLoad {
  readonly #target: SoakTarget;
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[] = [];
  #receiver: Server | null = null;
  /** What came of it, by kind; proof that the load was one. */
  readonly counts = { runs: 0, widgets: 0, previews: 0, pruned: 0, streams: 0, events: 0, deliveries: 0 };

  /** What failed of it, in words. */
  readonly failures: string[] = [];

  constructor(target: SoakTarget) {
    this.#target = target;
  }

  /** Stopped, or more failed than a busy machine explains. */
  get ended(): boolean {
    return this.#stopping.signal.aborted;
  }

  async start(): Promise<void> {
    const { api } = this.#target;
    const seeded = await this.#seed();
    await this.#receiveWebhooks();
    this.#loops.push(
      this.#every(startEveryMs, async (turn) => {
        const id = turn % failingEvery === 0 ? seeded.failingJobId : seeded.jobId;
        await api.post(`/api/jobs/${id}/runs`, {});
        this.counts.runs += 1;
      }),
      this.#every(widgetsEveryMs, () => this.#askWidgets(seeded.sharePath)),
      this.#every(previewEveryMs, async () => {
        await api.post('/api/tasks/preview', { yaml_content: loadYaml, connectors: seeded.connectors });
        this.counts.previews += 1;
      }),
      this.#every(pruneEveryMs, async () => {
        const rules = { keep_last: runsKept, open_dead_letters: true };
        this.counts.pruned += (await api.post<{ job_runs: number }>('/api/runs/prune', rules)).job_runs;
      }),
      ...Array.from({ length: followers }, () => this.#every(0, () => this.#follow())),
    );
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
    this.#receiver?.closeAllConnections();
    this.#receiver?.close();
  }

  async #seed(): Promise<Seeded> {
    const { api, databasePath } = this.#target;
    const made = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
    const rows = Array.from({ length: rowsPerRun }, (_, id) => ({
      id,
      amount: id === 0 ? 'none' : `${id}.5`,
    }));
    const source = await made('/api/connectors', { name: 'source', type: 'dummy', config: { rows } });
    const file = { name: 'store', type: 'sqlite', config: { path: databasePath } };
    const connectors = { source, store: await made('/api/connectors', file) };
    for (const yaml_content of [loadYaml, failingYaml]) await made('/api/tasks', { yaml_content });
    const job = async (name: string, template: string, connector_mapping: object) => {
      const yaml_content = `version: 1\nname: ${name}\n${template}`;
      const templateId = await made('/api/job-templates', { name, yaml_content });
      if (name === 'load') await made(`/api/job-templates/${templateId}/dashboard-templates`, board);
      return made(`/api/job-templates/${templateId}/jobs`, { name, connector_mapping });
    };
    const load =
      'connectors: { source: { type: dummy }, store: { type: sqlite } }\ntasks: { load: { task: soak_load } }\n';
    const jobId = await job('load', load, connectors);
    const failingJobId = await job('failing', 'tasks: { fail: { task: soak_failing } }\n', {});
    const boards = await api.get<{ result: { id: number }[] }>(`/api/jobs/${jobId}/dashboards`);
    const { share_token } = await api.post<{ share_token: string }>(
      `/api/dashboards/${boards.result[0]?.id}/share`,
    );
    return {
      connectors,
      jobId,
      failingJobId,
      sharePath: `/api/public/dashboards/${share_token}/widgets/data`,
    };
  }

  async #receiveWebhooks(): Promise<void> {
    this.#receiver = createServer((request, answer) => {
      request.resume();
      this.counts.deliveries += 1;
      answer.writeHead(this.counts.deliveries % failedDeliveryEvery === 0 ? 500 : 204).end();
    }).listen(0, '127.0.0.1');
    await once(this.#receiver, 'listening');
    const { port } = this.#receiver.address() as AddressInfo;
    await this.#target.api.post('/api/webhooks', {
      name: 'soak',
      events: '*',
      url: `http://127.0.0.1:${port}/`,
    });
  }

  async #askWidgets(path: string): Promise<void> {
    const answer = await fetch(new URL(path, this.#target.url), { method: 'POST' });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
    this.counts.widgets += 1;
  }

  /** Follows one of the newest runs for a while and leaves, in the middle or after its end. */
  async #follow(): Promise<void> {
    const { api, url, key } = this.#target;
    const { result } = await api.get<{ result: { id: number }[] }>('/api/runs?limit=10');
    const run = result[Math.floor(Math.random() * result.length)];
    if (run === undefined) return this.#rest(startEveryMs);
    const stream = get(
      `${url}/api/runs/${run.id}/logs/stream`,
      { headers: { authorization: `Bearer ${key}` }, agent: false },
      (answer) => answer.on('error', () => {}).on('data', () => (this.counts.events += 1)),
    ).on('error', () => {});
    this.counts.streams += 1;
    await this.#rest(Math.random() * followMsMax);
    stream.destroy();
  }

  async #every(ms: number, work: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 1; !this.#stopping.signal.aborted; turn++) {
      const next = performance.now() + ms;
      await work(turn).catch((error: unknown) => this.#fail(error));
      await this.#rest(Math.max(0, next - performance.now()));
    }
  }

  #fail(error: unknown): void {
    this.failures.push(messageOf(error));
    if (this.failures.length > failuresMax) this.#stopping.abort();
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

const board = {
  name: 'Board',
  yaml_content: dashboardYaml([
    '{ id: sum, type: stat, connector: store, method: query, args: { sql: "SELECT sum(amount) AS value FROM amounts" }, value_expr: "data[0].value" }',
    '{ id: rows, type: table, connector: source, method: list }',
  ]),
};
