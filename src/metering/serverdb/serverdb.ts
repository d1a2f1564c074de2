import type { Socket } from 'node:net';
import pg from 'pg';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { BoundedClient, createPgPool } from '../../base/pg-pool.ts';
import type { MetricPoint, MetricsBackend, StoredMetrics } from '../backend.ts';
import { FailureLog } from '../failure-log.ts';
import { metricsSql } from '../metrics-sql.ts';
import { type PackedPoints, packPoints } from '../packed-points.ts';
import { readMetrics } from '../stored-metrics.ts';
import { createServerdbTables } from './serverdb-tables.ts';

const CONNECTIONS_MAX = 3;
const CONNECT_MS_MAX = 5_000;
const STATEMENT_MS_MAX = 30_000;
const IDLE_MS_MAX = 30_000;
/** Points in one transaction; those that arrive meanwhile form the next one. */
const COMMIT_POINTS_MAX = 20_000;
/** Points waiting for their commit; beyond it, executors wait with theirs. */
const WAITING_POINTS_MAX = 100_000;
const PRUNE_EVERY_MS = 3_600_000;
const PRUNED_RUNS_MAX = 500;
const DAY_MS = 86_400_000;
const INT8_OID = 20;

const SQL = metricsSql({ prefix: 'headgate_metric_', value: (n) => `$${n}`, byResultIndex: '' });

export interface ServerdbOptions {
  /** `postgres://…` */
  readonly url: string;
  /** Older runs are removed, in passes: every hour as points arrive. */
  readonly retentionDays: number;
  /** Makes the socket of each connection; default: one that goes anywhere. */
  readonly socket?: () => Socket;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Waiting {
  readonly points: readonly MetricPoint[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Metrics in a PostgreSQL database, in tables of their own (`headgate_metric_*`) that several servers and executors may share.
 * Connects at the first call; after a failed call, the next one reconnects.
 */
export class Serverdb implements MetricsBackend {
  readonly durable = true;
  readonly stored: StoredMetrics;
  readonly #options: ServerdbOptions;
  readonly #pool: pg.Pool;
  readonly #failures: FailureLog;
  #tables: Promise<void> | null = null;
  #waiting: Waiting[] = [];
  #waitingPoints = 0;
  #working: Promise<void> | null = null;
  #pruning: Promise<void> = Promise.resolve();
  #prunedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: ServerdbOptions) {
    this.#options = options;
    this.#failures = new FailureLog({ ...options, message: 'the serverdb metrics backend fails' });
    const config = {
      connectionString: options.url,
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      idleTimeoutMillis: IDLE_MS_MAX,
      query_timeout: STATEMENT_MS_MAX,
      application_name: 'headgate-metrics',
      types: { getTypeParser: typeParser },
      allowExitOnIdle: true,
      Client: BoundedClient,
      ...(options.socket && { stream: options.socket }),
    };
    this.#pool = createPgPool(config, (error) => this.#failures.add(error));
    this.stored = {
      ...readMetrics(SQL, async <Row>(sql: string, values: readonly (number | string)[]) => {
        await this.connect();
        return (await this.#pool.query(sql, [...values])).rows as Row[];
      }),
      removeRuns: (runIds) => this.#removeRuns(runIds),
    };
  }

  /** Connects to the database and creates the tables. Rejects if that fails. */
  connect(): Promise<void> {
    this.#tables ??= this.#withClient(createServerdbTables).catch((error: unknown) => {
      this.#tables = null;
      throw error;
    });
    return this.#tables;
  }

  write(points: readonly MetricPoint[]): Promise<void> {
    if (points.length === 0) return Promise.resolve();
    if (this.#closed) return Promise.reject(new Error('The metrics database is closed'));
    if (this.#waitingPoints > 0 && this.#waitingPoints + points.length > WAITING_POINTS_MAX)
      return Promise.reject(new Error('The metrics database is too slow for the incoming points'));
    this.#waitingPoints += points.length;
    return new Promise<void>((resolve, reject) => {
      this.#waiting.push({ points, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
    await this.#pruning;
    await this.#pool.end();
  }

  async #work(): Promise<void> {
    // Points written in one turn share a transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const taken = this.#take();
      await this.#store(taken);
      for (const { points } of taken) this.#waitingPoints -= points.length;
    }
    this.#working = null;
    this.#prune();
  }

  #take(): Waiting[] {
    let [count, size] = [0, 0];
    for (const { points } of this.#waiting) {
      size += points.length;
      if (count > 0 && size > COMMIT_POINTS_MAX) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** If several cannot be stored together because of their points, each is stored on its own. */
  async #store(taken: readonly Waiting[]): Promise<void> {
    try {
      await this.connect();
      const packed = packPoints(taken.flatMap(({ points }) => points));
      await this.#inTransaction((client) => insert(client, packed));
      for (const { resolve } of taken) resolve();
    } catch (error) {
      if (taken.length > 1 && isOfTheData(error)) for (const one of taken) await this.#store([one]);
      else {
        this.#failures.add(error);
        for (const { reject } of taken) reject(error);
      }
    }
  }

  async #removeRuns(runIds: readonly number[]): Promise<void> {
    await this.connect();
    await this.#inTransaction(async (client) => {
      for (const runId of runIds) for (const sql of SQL.deletions) await client.query(sql, [runId]);
    });
  }

  #prune(): void {
    const { clock, retentionDays } = this.#options;
    const now = clock.now();
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    const pass = async () => {
      const old = await this.#pool.query<{ run_id: number }>(SQL.oldRuns, [
        now - retentionDays * DAY_MS,
        PRUNED_RUNS_MAX,
      ]);
      if (old.rows.length > 0) await this.#removeRuns(old.rows.map((row) => row.run_id));
      // A full pass leaves some: the next write continues.
      if (old.rows.length === PRUNED_RUNS_MAX) this.#prunedAt = Number.NEGATIVE_INFINITY;
    };
    this.#pruning = pass().catch((error: unknown) => this.#failures.add(error));
  }

  #inTransaction(work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
    return this.#withClient(async (client) => {
      await client.query('begin');
      try {
        await work(client);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  async #withClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let failed = false;
    try {
      return await work(client);
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      client.release(failed);
    }
  }
}

/**
 * The runs' rows are locked first, by ascending id: others that report the same run wait, so that results always include all
 * committed points.
 */
async function insert(client: pg.ClientBase, packed: PackedPoints): Promise<void> {
  const { runs } = packed;
  await client.query(RUNS, [
    runs.map((run) => run.runId),
    runs.map((run) => run.taskId),
    runs.map((run) => run.taskName),
    runs.map((run) => run.at),
  ]);
  await client.query(POINTS, [
    ...[packed.runId, packed.attempt, packed.batchSeq, packed.index, packed.at],
    ...[packed.name, packed.kind, packed.value, packed.subject, packed.tagsJson],
  ]);
  for (const { runId, attempt } of packed.changed)
    for (const sql of [SQL.deriveResult, SQL.deriveSteps, SQL.deriveConnectors])
      await client.query(sql, [runId, attempt]);
}

/** Ids, times and counts are all below 2^53. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8_OID && format !== 'binary') return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}

/** SQLSTATE classes 22 and 23: the data cannot be stored anywhere. */
function isOfTheData(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}

const RUNS = `
  insert into headgate_metric_runs (run_id, task_id, task_name, at)
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) as new(run_id, task_id, task_name, at)
  order by new.run_id
  on conflict (run_id) do update set task_id = excluded.task_id, task_name = excluded.task_name`;

const POINTS = `
  insert into headgate_metric_points (run_id, attempt, batch_seq, idx, at, name, kind, value, subject, tags_json)
  select * from unnest($1::bigint[], $2::integer[], $3::bigint[], $4::integer[], $5::bigint[], $6::text[], $7::text[],
    $8::double precision[], $9::text[], $10::jsonb[])
  on conflict (run_id, attempt, batch_seq, idx) do update set at = excluded.at, name = excluded.name,
    kind = excluded.kind, value = excluded.value, subject = excluded.subject, tags_json = excluded.tags_json`;
