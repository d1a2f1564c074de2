import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { requireOwner } from '../../../src/modules/dead-letters/dead-letter-owner.ts';
import { deleteLeft, markDeleted } from '../../../src/modules/deletions/deletion-store.ts';
import { DeletionWorker } from '../../../src/modules/deletions/deletion-worker.ts';
import { selectJobRun } from '../../../src/modules/job-runs/job-run-store.ts';
import { selectJobRuns } from '../../../src/modules/job-runs/shown-job-run-store.ts';
import { selectRun, selectRuns } from '../../../src/modules/runs/run-store.ts';
import type { Schema } from '../../../src/store/schema.ts';
import type { Store, Tx } from '../../../src/store/store.ts';
import { countRunRows, makeEndedRuns } from '../../support/ended-runs.ts';
import { faultsInPostgres, faultsInSqlite, statementsOf } from '../../support/query-plans.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';

const RUNS = 150;
const NEWEST = { column: 'id', descending: true, after: null, limit: 1_000, bound: '' } as const;
const pool = await sharedWorkerPool();

function workerOf(
  store: Store,
  forgetRuns: (ids: readonly number[]) => Promise<void> = async () => undefined,
) {
  return new DeletionWorker({ store, clock: systemClock, logger: silentLogger, forgetRuns });
}

/** A job with runs, ticks and a backfill, and another one that stays. */
async function twoJobs(t: Test, store: Store) {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId, templateId } = await seedJob(app);
  const other = await app
    .as('editor')
    .post<{ id: number }>(`/api/job-templates/${templateId}/jobs`, { name: 'other', connector_mapping: {} });
  const { runId, jobRunId } = await makeEndedRuns(store, { jobId, count: RUNS });
  await makeEndedRuns(store, { jobId: other.body.id, count: 3 });
  await makeTrigger(store, jobId);
  return { app, jobId, runId, jobRunId, otherId: other.body.id };
}

async function makeTrigger(store: Store, jobId: number): Promise<void> {
  const now = 1;
  await store.write(async (tx) => {
    const trigger = await tx
      .insertInto('triggers')
      .values({
        ...{ job_id: jobId, name: 'x', cron: '* * * * *', timezone: 'UTC', enabled: 0, overlap: 'skip' },
        ...{ catchup: 'none', next_run_at: null, last_fired_at: null, last_run_id: null, version: 1 },
        ...{ missed_count: 0, skipped_count: 0, created_at: now, updated_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const tick = { trigger_id: trigger.id, job_run_id: null, outcome: 'started', created_at: now };
    await tx
      .insertInto('trigger_ticks')
      .values([1, 2, 3].map((scheduled_for) => ({ ...tick, scheduled_for })))
      .execute();
    const backfill = await tx
      .insertInto('backfills')
      .values({
        ...{ job_id: jobId, trigger_id: trigger.id, from_at: 0, to_at: 1, reprocess: 'all', max_active: 1 },
        ...{ run_order: 'oldest_first', config_json: '{}', status: 'completed', total: 1, created_at: now },
        created_by: 'x',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('backfill_times')
      .values({ backfill_id: backfill.id, scheduled_for: 1, position: 0, job_run_id: null })
      .execute();
  });
}

const LEFT_OF_OTHER = {
  job_runs: 3,
  runs: 3,
  run_attempts: 3,
  run_steps: 6,
  run_status_history: 9,
  dead_letters: 3,
  job_config_versions: 1,
  trigger_ticks: 0,
  backfill_times: 0,
  deletions: 0,
};

await eachStore(
  t,
  'a deleted job is gone from every answer at once, and the rest of it soon',
  async (t, store) => {
    const { app, jobId, runId, jobRunId, otherId } = await twoJobs(t, store);
    t.equal((await app.as('editor').delete(`/api/jobs/${jobId}`)).status, 204);
    t.match(
      await countRunRows(store),
      { runs: RUNS + 3, dead_letters: RUNS + 3 },
      'the request deletes no runs',
    );
    t.equal((await app.as('viewer').get(`/api/jobs/${jobId}`)).status, 404);
    t.equal(await selectRun(store.read, runId), null);
    t.equal(await selectJobRun(store.read, jobRunId), null);
    await t.rejects(requireOwner(store.read, { run_id: runId }), { code: 'NOT_FOUND' });
    for (const rows of [
      await selectRuns(store.read, {}, NEWEST),
      await selectJobRuns(store.read, {}, NEWEST),
    ])
      t.same([...new Set(rows.map((row) => row.job_id))], [otherId]);
    const forgotten = new Set<number>();
    await workerOf(store, async (ids) => {
      for (const id of ids) forgotten.add(id);
    }).deleteAll();
    t.same(await countRunRows(store), LEFT_OF_OTHER);
    t.equal(forgotten.size, RUNS, 'logs and metrics of each run');
  },
);

await eachStore(
  t,
  'a deletion that fails or is interrupted is continued by the next pass',
  async (t, store) => {
    const { app, jobId } = await twoJobs(t, store);
    await app.as('editor').delete(`/api/jobs/${jobId}`);
    let calls = 0;
    const failing = workerOf(store, async () => {
      calls += 1;
      if (calls === 2) throw new Error('the metrics backend is down');
    });
    await t.rejects(failing.deleteAll(), { message: 'the metrics backend is down' });
    t.not((await countRunRows(store))['deletions'], 0, 'it stays marked');
    await Promise.all([workerOf(store).deleteAll(), workerOf(store).deleteAll()]);
    t.same(await countRunRows(store), LEFT_OF_OTHER, 'by two servers at once');
  },
);

await eachStore(
  t,
  'rows that another transaction has in hand do not end a deletion before its time',
  async (t, store) => {
    const { app, jobId } = await twoJobs(t, store);
    // More than one piece can have.
    await makeEndedRuns(store, { jobId, count: 1_200 });
    await app.as('editor').delete(`/api/jobs/${jobId}`);
    let isHeld = false;
    const besideAnother: Store = {
      ...store,
      write: async (work, name) => {
        const { runs, deletions } = await countRunRows(store);
        // Left are the marks of the job, its trigger and its backfill: the job runs come now.
        if (isHeld || runs !== 3 || deletions !== 3) return store.write(work, name);
        isHeld = true;
        const begun = Promise.withResolvers<void>();
        const other = store.write(async (tx) => {
          await sql`delete from job_runs where job_id = ${jobId} and id % 7 = 0`.execute(tx);
          begun.resolve();
          await sleep(200);
        });
        await begun.promise;
        const [result] = await Promise.all([store.write(work, name), other]);
        return result;
      },
    };
    await workerOf(besideAnother).deleteAll();
    t.ok(isHeld);
    t.same(await countRunRows(store), LEFT_OF_OTHER);
  },
);

await eachStore(t, 'no transaction of a deletion grows with what one record has left', async (t, store) => {
  const rows = 600;
  const { jobId, runId } = await twoJobs(t, store);
  await makeEndedRuns(store, { jobId, count: rows });
  await store.write(async (tx) => {
    await tx.updateTable('run_status_history').set({ run_id: runId }).execute();
    await markDeleted(tx, 'run', [runId], 0);
  });
  let most = 0;
  const counting: Store = {
    ...store,
    write: async (work, name) => {
      const before = await countRunRows(store);
      const result = await store.write(work, name);
      const after = await countRunRows(store);
      most = Math.max(most, (before['run_status_history'] ?? 0) - (after['run_status_history'] ?? 0));
      return result;
    },
  };
  await workerOf(counting).deleteAll();
  t.equal((await countRunRows(store))['run_status_history'], 0);
  t.ok(most > 0 && most <= 1_000, `${most} rows at most`);
});

await eachStore(
  t,
  'a piece finds its rows by their indexes, also where nothing was ever analyzed',
  async (t, store) => {
    const { runId } = await twoJobs(t, store);
    await store.write(async (tx) => {
      await store.dialect.preferIndexes(tx);
      const statements = await statementsOf<Schema>(tx, (watched) =>
        deleteLeft(watched as Tx, 'run', [runId], 1_000),
      );
      t.equal(statements.length, 6);
      const faultsOf = store.dialect.name === 'postgres' ? faultsInPostgres : faultsInSqlite;
      for (const statement of statements) {
        const faults = await faultsOf<Schema>(tx, statement, false);
        const scans = faults.filter((fault) => /scan/i.test(fault));
        t.same(scans, [], statement.sql);
      }
    });
  },
);

const LARGE = [
  'job_runs',
  'job_config_versions',
  'run_attempts',
  'run_steps',
  'run_status_history',
  'dead_letters',
];

await eachStore(
  t,
  'no large table goes with its owner in one statement, and the file is sound',
  async (t, store) => {
    const isSqlite = store.dialect.name === 'sqlite';
    for (const table of [...LARGE, 'trigger_ticks', 'backfill_times', 'webhook_deliveries']) {
      const query = isSqlite
        ? sql`select * from pragma_foreign_key_list(${table})`
        : sql`select conname from pg_constraint where contype = 'f' and conrelid = ${table}::regclass`;
      t.same((await query.execute(store.read)).rows, [], table);
    }
    if (isSqlite)
      t.match((await sql`pragma integrity_check`.execute(store.read)).rows, [{ integrity_check: 'ok' }]);
  },
);
