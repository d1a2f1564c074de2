import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Store } from '../../src/store/store.ts';

export interface EndedRuns {
  /** Of so many job runs, each with one run of one attempt, two steps, three entries of history and a settled dead letter. */
  readonly jobId: number;
  readonly count: number;
  /** The first ended then; each next one `everyMs` later. */
  readonly endedAt?: number;
  readonly everyMs?: number;
  readonly letters?: 'open' | 'discarded';
}

const BY_STATEMENT = 5_000;

/** Ended job runs as rows: starting and running as many would take hours. Gives the ids of the first job run and the first run. */
export async function makeEndedRuns(
  store: Store,
  { jobId, count, endedAt = 0, everyMs = 1, letters = 'discarded' }: EndedRuns,
): Promise<{ jobRunId: number; runId: number }> {
  const first = {
    jobRunId: (await maxOf(store, 'job_runs')) + 1,
    runId: (await maxOf(store, 'runs')) + 1,
  };
  for (let from = 0; from < count; from += BY_STATEMENT)
    await store.write(async (tx) => {
      const rows = Math.min(BY_STATEMENT, count - from);
      const numbers = sql`with recursive n(i) as (
        select cast(${from} as bigint) union all select i + 1 from n where i + 1 < cast(${from + rows} as bigint))`;
      const jobRunId = sql`(i + cast(${first.jobRunId} as bigint))`;
      const runId = sql`(i + cast(${first.runId} as bigint))`;
      const at = sql`(cast(${endedAt} as bigint) + i * cast(${everyMs} as bigint))`;
      await sql`insert into job_runs (id, job_id, status, reason, args_json, config_json, parsed_json, created_at, started_at, ended_at)
        ${numbers} select ${jobRunId}, cast(${jobId} as bigint), 'success', 'manual', '{}', '{}', '{"tasks":[]}', ${at}, ${at}, ${at} from n`.execute(
        tx,
      );
      await sql`insert into runs (id, task_name, task_version, yaml_content, job_run_id, job_id, task_key, status, reason,
          attempt, max_attempts, retry_json, args_json, config_json, connectors_json, connector_types, labels_json,
          created_at, available_at, started_at, ended_at)
        ${numbers} select ${runId}, 'hello', 1, 'name: hello', ${jobRunId}, cast(${jobId} as bigint), 'say', 'success', 'done',
          1, 1, '{}', '{}', '{}', '{}', ',', '{}', ${at}, ${at}, ${at}, ${at} from n`.execute(tx);
      await sql`insert into run_attempts (run_id, attempt, epoch, lease_token, executor_id, started_at, ended_at, outcome)
        ${numbers} select ${runId}, 1, 1, 'token', 1, ${at}, ${at}, 'success' from n`.execute(tx);
      for (const position of [0, 1])
        await sql`insert into run_steps (run_id, attempt, position, step_id, kind, status, rows_in, rows_out, rows_failed,
            rows_skipped, started_at, ended_at, attempts, error)
          ${numbers} select ${runId}, 1, cast(${position} as integer), 'say', 'log', 'success', 0, 0, 0, 0, ${at}, ${at}, 1, '' from n`.execute(
          tx,
        );
      for (const status of ['queued', 'running', 'success'])
        await sql`insert into run_status_history (run_id, at, to_status, reason, attempt)
          ${numbers} select ${runId}, ${at}, ${sql.lit(status)}, 'done', 1 from n`.execute(tx);
      await sql`insert into dead_letters (run_id, job_id, attempt, seq, step_id, item_json, code, message, status, created_at)
        ${numbers} select ${runId}, cast(${jobId} as bigint), 1, 1, 'say', '{}', 'X', 'x', ${sql.lit(letters)}, ${at} from n`.execute(
        tx,
      );
    });
  await keepIdsAhead(store);
  return first;
}

/** PostgreSQL counts its identities apart from the rows. */
async function keepIdsAhead(store: Store): Promise<void> {
  if (store.dialect.name === 'sqlite') return;
  for (const table of ['job_runs', 'runs'])
    await store.write((tx) =>
      sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
        tx,
      ),
    );
}

async function maxOf(store: Store, table: 'job_runs' | 'runs'): Promise<number> {
  const query = store.read.selectFrom(table).select((eb) => eb.fn.max('id').as('id'));
  return Number((await query.executeTakeFirst())?.id ?? 0);
}

const OF_RUNS = [
  'job_runs',
  'runs',
  'run_attempts',
  'run_steps',
  'run_status_history',
  'dead_letters',
] as const;

/** The number of rows of each table that deleting runs empties. */
export async function countRunRows(store: Store): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of [
    ...OF_RUNS,
    'job_config_versions',
    'trigger_ticks',
    'backfill_times',
    'deletions',
  ] as const) {
    const query = store.read.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'));
    counts[table] = Number((await query.executeTakeFirstOrThrow()).count);
  }
  return counts;
}

/** Two lines and a cursor for each of so many runs from `firstRun` on. */
export async function makeLogRows(store: Store, firstRun: number, count: number): Promise<void> {
  const numbers = `with recursive n(i) as (
    select cast(${firstRun} as bigint) union all select i + 1 from n where i < ${firstRun + count - 1})`;
  const cursors = `insert into run_log_cursors (run_id, attempt, acked_seq, bytes, last_at) ${numbers} select i, 1, 2, 40, 1 from n`;
  const line = (seq: number) => `insert into run_logs (run_id, attempt, seq, at, level, step_id, message, day)
    ${numbers} select i, 1, ${seq}, 0, 2, 'say', 'a line of some length, as lines are', 0 from n`;
  if (store.bulkFiles !== null) {
    const logs = new DatabaseSync(store.bulkFiles.logsPath);
    logs.exec(['begin', line(1), line(2), cursors, 'commit'].join(';'));
    logs.close();
    return;
  }
  await store.write(async (tx) => {
    await sql
      .raw('create table if not exists run_logs_d0 partition of run_logs for values in (0)')
      .execute(tx);
    for (const statement of [line(1), line(2), cursors]) await sql.raw(statement).execute(tx);
  });
}

export async function logRowsOf(store: Store): Promise<{ lines: number; cursors: number }> {
  const countOf = async (table: 'run_logs' | 'run_log_cursors') => {
    const query = store.logs.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'));
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  return { lines: await countOf('run_logs'), cursors: await countOf('run_log_cursors') };
}
