import type { ClientBase } from 'pg';
import { IS_OF_RESULT } from '../metrics-sql.ts';

/** Any number that the other users of the database do not lock: `HgMe`. */
const LOCK_KEY = 0x48_67_4d_65;
/** Grows with each step of `STEPS`. */
const VERSION = 1;

const STEPS = [
  `create table headgate_metric_points (
    run_id bigint not null, attempt integer not null, batch_seq bigint not null, idx integer not null,
    at bigint not null, name text not null, kind text not null, value double precision not null,
    subject text not null, tags_json jsonb not null, primary key (run_id, attempt, batch_seq, idx));
  create index headgate_metric_points_of_results on headgate_metric_points (run_id, attempt) where ${IS_OF_RESULT};
  create table headgate_metric_runs (
    run_id bigint primary key, task_id bigint, task_name text not null, at bigint not null,
    attempt integer, status text, duration_ms double precision, items double precision);
  create index headgate_metric_runs_of_task on headgate_metric_runs (task_id, at) include (status, duration_ms, items);
  create index headgate_metric_runs_by_age on headgate_metric_runs (at);
  create table headgate_metric_step_results (
    run_id bigint not null, attempt integer not null, step text not null, task_id bigint, at bigint not null,
    kind text not null, duration_ms double precision not null, rows_in double precision not null,
    rows_out double precision not null, errors double precision not null, skipped double precision not null,
    item_ms double precision, item_p50_ms double precision, item_p95_ms double precision,
    item_max_ms double precision, in_flight_max double precision, primary key (run_id, attempt, step));
  create index headgate_metric_step_results_of_task on headgate_metric_step_results (task_id, step, at);
  create table headgate_metric_connector_results (
    run_id bigint not null, attempt integer not null, connector text not null, task_id bigint, at bigint not null,
    type text not null, calls double precision not null, duration_ms double precision not null,
    errors double precision not null, primary key (run_id, attempt, connector));
  create index headgate_metric_connector_results_of_task on headgate_metric_connector_results (task_id, connector, at);`,
];

/** Creates or migrates the tables. Servers that do so at once wait for each other. */
export async function createServerdbTables(client: ClientBase): Promise<void> {
  await client.query('begin');
  try {
    await createTablesInside(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** The same in a transaction of the caller's. */
export async function createTablesInside(client: Pick<ClientBase, 'query'>): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
  await client.query('create table if not exists headgate_metric_version (version integer not null)');
  const { rows } = await client.query<{ version: number }>('select version from headgate_metric_version');
  const known = rows[0]?.version ?? 0;
  for (const step of STEPS.slice(known)) await client.query(step);
  if (known < VERSION) {
    await client.query('delete from headgate_metric_version');
    await client.query('insert into headgate_metric_version values ($1)', [VERSION]);
  }
}
