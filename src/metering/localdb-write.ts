import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MetricPoint } from './backend.ts';

/** A pass removes at most so many runs: it blocks its thread. */
export const PRUNED_RUNS_MAX = 100;
const DAY_MS = 86_400_000;

const DERIVED = /^(task|step|connector)\./;
/** Of a run's points, the tag that says what they are about. */
const SUBJECT_TAG: Readonly<Record<string, string>> = { step: 'step', connector: 'connector' };

/** The statements that change a metrics file. Each call blocks its thread; `write` is one transaction, all or nothing. */
export class LocaldbWriter {
  readonly #database: DatabaseSync;
  readonly #point: StatementSync;
  readonly #run: StatementSync;
  readonly #result: StatementSync;
  readonly #steps: StatementSync;
  readonly #connectors: StatementSync;
  readonly #old: StatementSync;
  readonly #removals: readonly StatementSync[];

  constructor(database: DatabaseSync) {
    this.#database = database;
    const prepare = (sql: string) => database.prepare(sql);
    this.#point = prepare(POINT);
    this.#run = prepare(RUN);
    this.#result = prepare(RESULT);
    this.#steps = prepare(STEPS);
    this.#connectors = prepare(CONNECTORS);
    this.#old = prepare('select run_id from runs where at < ? order by at limit ?');
    this.#removals = ['points', 'step_results', 'connector_results', 'runs'].map((table) =>
      prepare(`delete from ${table} where run_id = ?`),
    );
  }

  write(points: readonly MetricPoint[]): void {
    this.#inTransaction(() => {
      const runs = new Map<number, MetricPoint>();
      const derived = new Map<string, MetricPoint>();
      for (const point of points) {
        this.#insert(point);
        runs.set(point.run_id, point);
        if (DERIVED.test(point.name)) derived.set(`${point.run_id}.${point.attempt}`, point);
      }
      for (const { run_id, task_id, task_name, at } of runs.values())
        this.#run.run(run_id, task_id, task_name, at);
      for (const point of derived.values()) this.#derive(point);
    });
  }

  removeRun(runId: number): void {
    this.#inTransaction(() => this.#remove(runId));
  }

  /** Removes runs of more than `days` ago, at most 100 in one call; returns how many. */
  prune(now: number, days: number): number {
    const runs = this.#old.all(now - days * DAY_MS, PRUNED_RUNS_MAX);
    if (runs.length > 0)
      this.#inTransaction(() => {
        for (const run of runs) this.#remove(Number(run['run_id']));
      });
    return runs.length;
  }

  #insert(point: MetricPoint): void {
    const { run_id, attempt, batch_seq, index, at, name, kind, value, tags } = point;
    const subject = tags[SUBJECT_TAG[name.split('.', 1)[0] ?? ''] ?? ''] ?? '';
    this.#point.run(run_id, attempt, batch_seq, index, at, name, kind, value, subject, JSON.stringify(tags));
  }

  /** Made anew from all points of the attempt, whatever came twice or out of order. */
  #derive({ run_id, attempt }: MetricPoint): void {
    this.#result.run({ run_id, attempt });
    this.#steps.run({ run_id, attempt });
    this.#connectors.run({ run_id, attempt });
  }

  #remove(runId: number): void {
    for (const removal of this.#removals) removal.run(runId);
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }
}

const POINT = `
  insert into points (run_id, attempt, batch_seq, idx, at, name, kind, value, subject, tags_json)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do update set at = excluded.at, name = excluded.name, kind = excluded.kind, value = excluded.value,
    subject = excluded.subject, tags_json = excluded.tags_json`;

const RUN = `
  insert into runs (run_id, task_id, task_name, at) values (?, ?, ?, ?)
  on conflict do update set task_id = excluded.task_id, task_name = excluded.task_name`;

/** The result of the newest attempt that has one. */
const RESULT = `
  update runs set attempt = :attempt, at = result.at, status = result.status, duration_ms = result.duration_ms,
    items = result.items
  from (
    select max(at) as at, max(case name when 'task.duration_ms' then tags_json ->> 'status' end) as status,
      sum(case name when 'task.duration_ms' then value end) as duration_ms,
      coalesce(sum(case name when 'task.items_out' then value end), 0) as items
    from points where run_id = :run_id and attempt = :attempt and name in ('task.duration_ms', 'task.items_out')) as result
  where run_id = :run_id and result.status is not null and coalesce(runs.attempt, 0) <= :attempt`;

const STEPS = `
  insert or replace into step_results
    (run_id, attempt, step, task_id, at, kind, duration_ms, rows_in, rows_out, errors, skipped)
  select points.run_id, points.attempt, points.subject, runs.task_id, max(points.at),
    coalesce(max(tags_json ->> 'kind'), ''),
    total(case name when 'step.duration_ms' then value end), total(case name when 'step.rows_in' then value end),
    total(case name when 'step.rows_out' then value end), total(case name when 'step.errors' then value end),
    total(case name when 'step.skipped' then value end)
  from points join runs using (run_id)
  where points.run_id = :run_id and points.attempt = :attempt and points.subject != ''
    and name in ('step.duration_ms', 'step.rows_in', 'step.rows_out', 'step.errors', 'step.skipped')
  group by points.subject`;

const CONNECTORS = `
  insert or replace into connector_results
    (run_id, attempt, connector, task_id, at, type, calls, duration_ms, errors)
  select points.run_id, points.attempt, points.subject, runs.task_id, max(points.at),
    coalesce(max(tags_json ->> 'type'), ''),
    total(case name when 'connector.calls' then value end),
    total(case name when 'connector.duration_ms' then value end),
    total(case name when 'connector.errors' then value end)
  from points join runs using (run_id)
  where points.run_id = :run_id and points.attempt = :attempt and points.subject != ''
    and name in ('connector.calls', 'connector.duration_ms', 'connector.errors')
  group by points.subject`;
