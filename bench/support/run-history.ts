import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../src/base/clock.ts';
import { eachFigure, ROW_COUNTS, type StepResult } from '../../src/base/run-report.ts';
import { createFirstUser } from '../../src/commands/demo/first-user.ts';
import { systemActor } from '../../src/modules/audit/audit.ts';
import { JobRuns } from '../../src/modules/job-runs/job-run-service.ts';
import type { RunnableJob } from '../../src/modules/job-runs/job-run-start.ts';
import { toRunnable } from '../../src/modules/jobs/job.ts';
import { selectJob } from '../../src/modules/jobs/job-store.ts';
import { RunBatch } from '../../src/modules/runs/queue/run-batch.ts';
import { leaseRuns } from '../../src/modules/runs/queue/run-claim-store.ts';
import type { Completion } from '../../src/protocol/control-plane.ts';
import { leaseTokenOf } from '../../src/protocol/held-leases.ts';
import type { Store, Tx } from '../../src/store/store.ts';
import { createApiClient } from '../../test/support/api-client.ts';
import { startServe } from './serve-process.ts';

const example = join(import.meta.dirname, '../../examples/csv-to-postgres');
const steps = ['extract', 'transform', 'load', 'assert'];
const minuteMs = 60_000;

/** The example `csv-to-postgres` as a user sets it up, in a new store in `folder`: a job of one task of four steps. */
export async function makeExampleJob(folder: string): Promise<void> {
  const server = await startServe(folder, { SVC_EXECUTOR_EMBEDDED: 'false', SVC_FILE_ROOTS: example });
  try {
    const { apiKey } = await createFirstUser(server.url, server.setupToken);
    const api = createApiClient({ baseUrl: server.url, key: apiKey });
    const made = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
    const text = (file: string) => readFileSync(join(example, file), 'utf8');
    const file = { name: 'file', type: 'csv', config: { path: join(example, 'orders.csv') } };
    const host = {
      host: 'warehouse.example.com',
      port: 5432,
      database: 'shop',
      user: 'shop',
      password: 'shop',
    };
    const mapping = {
      file: await made('/api/connectors', file),
      warehouse: await made('/api/connectors', { name: 'warehouse', type: 'postgres', config: host }),
    };
    await made('/api/tasks', { yaml_content: text('load-orders.task.yaml') });
    const template = await made('/api/job-templates', {
      name: 'orders',
      yaml_content: text('orders.template.yaml'),
    });
    await made(`/api/job-templates/${template}/jobs`, { name: 'orders', connector_mapping: mapping });
  } finally {
    await server.stop();
  }
}

/** Adds job runs of the job that went well, by the statements that start, claim and complete them; a batch is one transaction of each. */
export class RunHistory {
  readonly #store: Store;
  readonly #jobRuns: JobRuns;
  #job: RunnableJob | null = null;
  #minute = 0;

  constructor(store: Store) {
    this.#store = store;
    this.#jobRuns = new JobRuns({ store, clock: systemClock, wakeQueue: () => {} });
  }

  async add(count: number): Promise<void> {
    await this.#start(count);
    const leases = await this.#claim(count);
    await this.#store.write(async (tx) => {
      const batch = await RunBatch.load(tx, this.#store.dialect, { moved: leases, touched: [] });
      for (const lease of leases) {
        batch.acknowledge(lease);
        batch.complete(completionOf(lease, batch.now), 0);
      }
      const { onRunStarted, onRunFinished } = this.#jobRuns;
      await batch.save(tx, minuteMs, { onRunStarted, onRunFinished });
    });
  }

  async #start(count: number): Promise<void> {
    await this.#store.write(async (tx) => {
      const job = await this.#jobOf(tx);
      const starts = Array.from({ length: count }, () => {
        this.#minute += 1;
        const request = { reason: 'schedule' as const, args: {}, trigger_id: 1, rerun_of: null };
        return { job, request: { ...request, scheduled_for: this.#minute * minuteMs } };
      });
      await this.#jobRuns.startManyInside(tx, starts, systemActor);
    });
  }

  async #claim(count: number) {
    return this.#store.write(async (tx) => {
      const queued = await tx
        .selectFrom('runs')
        .select(['id', 'reason'])
        .where('status', '=', 'queued')
        .orderBy('id')
        .limit(count)
        .execute();
      const runs = queued.map((run) => ({
        ...run,
        executor_id: 1,
        token: leaseTokenOf(1),
        attempt: 1,
        epoch: 1,
      }));
      const now = Date.now();
      await leaseRuns(tx, this.#store.dialect, runs, now + minuteMs, now);
      return runs.map(({ id, attempt, epoch, token }) => ({ run_id: id, attempt, epoch, token }));
    });
  }

  async #jobOf(tx: Tx): Promise<RunnableJob> {
    if (this.#job !== null) return this.#job;
    const row = await selectJob(tx, 1);
    if (row === null) throw new Error('make the job first');
    this.#job = toRunnable(row);
    return this.#job;
  }
}

function completionOf(lease: Completion['lease'], now: number): Completion {
  const counts = { ...eachFigure(ROW_COUNTS, () => 0), rows_in: 2_000, rows_out: 1_950, rows_filtered: 50 };
  const stepOf = (kind: string): StepResult => ({
    step_id: kind,
    kind,
    status: 'success',
    ...counts,
    started_at: now - 900,
    ended_at: now,
    attempts: 1,
    error: '',
    cursor: null,
    schema_changes: [],
  });
  return {
    lease,
    status: 'success',
    reason: '',
    failure: null,
    ...counts,
    steps: steps.map(stepOf),
    args: {},
    retryable: false,
    last_log_seq: 9,
    outputs: null,
  };
}

/** What a run adds to the store, and the columns that tell one from the next. */
const TABLES = {
  job_runs: ['id'],
  runs: ['id', 'job_run_id'],
  run_attempts: ['run_id'],
  run_steps: ['run_id'],
  run_status_history: [],
} as const;

/** Doubles the runs of a closed SQLite file by copies, each a minute later than the one before, until there are `wanted`. */
export function multiplyRuns(path: string, wanted: number): void {
  const database = new DatabaseSync(path);
  database.exec('pragma synchronous = off; pragma cache_size = -524288');
  const count = () => (database.prepare('select max(id) as runs from runs').get() as { runs: number }).runs;
  for (let made = count(); made < wanted; made = count()) {
    const copied = Math.min(made, wanted - made);
    database.exec('begin');
    for (const [table, ids] of Object.entries(TABLES)) {
      const shifted: Readonly<Record<string, string>> = {
        ...Object.fromEntries(ids.map((id) => [id, `${id} + ${made}`])),
        ...Object.fromEntries(
          ['created_at', 'scheduled_for'].map((at) => [at, `${at} + ${made * minuteMs}`]),
        ),
        ...(table === 'run_status_history' && { run_id: `run_id + ${made}`, id: 'null' }),
      };
      const info = database.prepare(`pragma table_info(${table})`).all() as { name: string }[];
      const values = info.map(({ name }) => shifted[name] ?? name).join(', ');
      const owner = table === 'runs' || table === 'job_runs' ? 'id' : 'run_id';
      database.exec(
        `insert into ${table} select ${values} from ${table} where ${owner} <= ${copied} order by ${owner}`,
      );
    }
    database.exec('commit');
  }
  database.close();
}

/** Bytes of each table of a SQLite file, with its indexes. */
export function bytesOfTables(path: string): ReadonlyMap<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      `select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema on sqlite_schema.name = dbstat.name
       group by tbl_name order by bytes desc`,
    )
    .all() as { name: string; bytes: number }[];
  database.close();
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
