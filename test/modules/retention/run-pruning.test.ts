import t from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { sweepRetention } from '../../../src/modules/retention/retention-sweep.ts';
import { createRunPruning } from '../../../src/modules/retention/run-pruning.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeEndedRuns } from '../../support/ended-runs.ts';
import { eachStore } from '../../support/stores.ts';

const NEVER = new AbortController().signal;
const RULES = { endedBefore: 1_000_000, keepLast: 0, openDeadLetters: false };

const pruningOf = (store: Store) => createRunPruning({ store, clock: systemClock });

async function jobRunIds(store: Store, jobId: number): Promise<number[]> {
  const rows = await store.read
    .selectFrom('job_runs')
    .select('id')
    .where('job_id', '=', jobId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

async function runCount(store: Store): Promise<number> {
  const query = store.read.selectFrom('runs').select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Made of runs of job runs: of the task 7 alone, or replays of the job. */
async function alone(store: Store, ids: readonly number[], owner: { task_id: number } | { job_id: number }) {
  await store.write((tx) =>
    tx
      .updateTable('runs')
      .set({ job_run_id: null, job_id: null, ...owner })
      .where('id', 'in', ids)
      .execute(),
  );
}

await eachStore(t, 'runs go by age, but never the last of each job and of each task', async (t, store) => {
  const one = await makeEndedRuns(store, { jobId: 1, count: 230 });
  await makeEndedRuns(store, { jobId: 2, count: 5 });
  const young = await makeEndedRuns(store, { jobId: 3, count: 2, endedAt: 999_999 });
  const task = await makeEndedRuns(store, { jobId: 4, count: 6 });
  await alone(
    store,
    [0, 1, 2, 3].map((i) => task.runId + i),
    { task_id: 7 },
  );
  await alone(
    store,
    [4, 5].map((i) => task.runId + i),
    { job_id: 4 },
  );
  await store.write((tx) => tx.deleteFrom('job_runs').where('job_id', '=', 4).execute());

  const { prune } = pruningOf(store);
  const rules = { ...RULES, keepLast: 3 };
  const counted = { jobRuns: 227 + 2, runs: 1, more: false };
  t.same(await prune(rules, { dryRun: true }), counted);
  t.equal(await runCount(store), 230 + 5 + 2 + 6, 'a dry run deletes nothing');
  t.same(await prune(rules), counted);
  t.same(
    await jobRunIds(store, 1),
    [227, 228, 229].map((i) => one.jobRunId + i),
  );
  t.equal((await jobRunIds(store, 2)).length, 3);
  t.equal(await runCount(store), 3 + 3 + 2 + 3 + 2);
  t.same(await prune(rules), { jobRuns: 0, runs: 0, more: false });

  t.same(await prune(RULES), { jobRuns: 7, runs: 5, more: false });
  t.same(await jobRunIds(store, 3), [young.jobRunId + 1], 'what has ended since then stays');
});

await eachStore(
  t,
  'what is still needed stays: reruns, replays, open letters, backfills, the last of a trigger',
  async (t, store) => {
    const { jobRunId, runId } = await makeEndedRuns(store, { jobId: 1, count: 8 });
    await makeEndedRuns(store, { jobId: 2, count: 1, endedAt: 1_000_000 });
    const later = { jobRun: jobRunId + 8, run: runId + 8 };
    await store.write(async (tx) => {
      const set = (id: number, rerun_of: number) =>
        tx.updateTable('runs').set({ rerun_of }).where('id', '=', id).execute();
      await tx.updateTable('job_runs').set({ rerun_of: jobRunId }).where('id', '=', later.jobRun).execute();
      await set(later.run, runId + 1);
      await tx
        .updateTable('dead_letters')
        .set({ status: 'open' })
        .where('run_id', '=', runId + 2)
        .execute();
      await tx
        .updateTable('dead_letters')
        .set({ status: 'replaying' })
        .where('run_id', '=', runId + 3)
        .execute();
      await tx
        .updateTable('job_runs')
        .set({ ended_at: null })
        .where('id', '=', jobRunId + 4)
        .execute();
    });
    await makeTriggerUse(store, { lastRunId: jobRunId + 5, backfillOf: jobRunId + 6 });
    const { prune } = pruningOf(store);
    t.match(await prune(RULES), { jobRuns: 1 });
    t.same(
      await jobRunIds(store, 1),
      [0, 1, 2, 3, 4, 5, 6].map((i) => jobRunId + i),
    );
    t.match(
      await prune({ ...RULES, openDeadLetters: true }),
      { jobRuns: 1 },
      'open letters go if that is asked for',
    );
    t.notOk((await jobRunIds(store, 1)).includes(jobRunId + 2));
    await prune({ ...RULES, endedBefore: null, jobId: 2 });
    t.match(await prune(RULES), { jobRuns: 2 }, 'once the reruns are gone, what they repeated goes too');
  },
);

/** A job with a trigger that shows a job run as its last, and a backfill that is running. */
async function makeTriggerUse(
  store: Store,
  { lastRunId, backfillOf }: { lastRunId: number; backfillOf: number },
) {
  await store.write(async (tx) => {
    const times = { version: 1, created_at: 1, updated_at: 1 };
    const template = { name: 't', yaml_content: '', parsed_json: '{}', status: 'active', ...times };
    const { id: templateId } = await tx
      .insertInto('job_templates')
      .values(template)
      .returning('id')
      .executeTakeFirstOrThrow();
    const job = {
      id: 1,
      job_template_id: templateId,
      template_version: 1,
      name: 'j',
      yaml_content: '',
      parsed_json: '{}',
    };
    const mapped = { connector_mapping_json: '{}', config_json: '{}', config_version: 1, status: 'active' };
    await tx
      .insertInto('jobs')
      .values({ ...job, ...mapped, ...times })
      .execute();
    const trigger = {
      job_id: 1,
      name: 'x',
      cron: '* * * * *',
      timezone: 'UTC',
      enabled: 0,
      overlap: 'skip',
      catchup: 'none',
    };
    const { id: trigger_id } = await tx
      .insertInto('triggers')
      .values({ ...trigger, last_run_id: lastRunId, missed_count: 0, skipped_count: 0, ...times })
      .returning('id')
      .executeTakeFirstOrThrow();
    const backfill = {
      job_id: 1,
      trigger_id,
      from_at: 0,
      to_at: 1,
      reprocess: 'all',
      run_order: 'oldest_first',
    };
    const { id } = await tx
      .insertInto('backfills')
      .values({
        ...backfill,
        max_active: 1,
        config_json: '{}',
        status: 'paused',
        total: 1,
        created_at: 1,
        created_by: 'x',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.updateTable('job_runs').set({ backfill_id: id }).where('id', '=', backfillOf).execute();
  });
}

await eachStore(
  t,
  'a call deletes at most its limit, of the job or task and with the status that it names',
  async (t, store) => {
    const { jobRunId } = await makeEndedRuns(store, { jobId: 1, count: 250 });
    await makeEndedRuns(store, { jobId: 2, count: 3 });
    await store.write((tx) =>
      tx
        .updateTable('job_runs')
        .set({ status: 'error' })
        .where('id', '=', jobRunId + 249)
        .execute(),
    );
    const { prune } = pruningOf(store);
    t.same(await prune({ ...RULES, jobId: 1 }, { limit: 120 }), { jobRuns: 120, runs: 0, more: true });
    t.equal((await jobRunIds(store, 1)).length, 130);
    t.same(await prune({ ...RULES, status: 'error' }), { jobRuns: 1, runs: 0, more: false });
    t.same(await prune({ ...RULES, taskId: 9 }), { jobRuns: 0, runs: 0, more: false });
    t.same(await prune({ ...RULES, jobId: 1 }), { jobRuns: 129, runs: 0, more: false });
    t.equal((await jobRunIds(store, 2)).length, 3);
  },
);

await eachStore(t, 'a sweep follows the settings; 0 keeps for ever', async (t, store) => {
  const { jobRunId } = await makeEndedRuns(store, { jobId: 1, count: 6 });
  const now = Date.now();
  await store.write(async (tx) => {
    const entry = {
      actor_type: 'user',
      actor_name: 'x',
      action: 'a',
      resource_type: 'r',
      outcome: 'success',
    };
    await tx
      .insertInto('audit_logs')
      .values(
        [1, 2, now].map((at) => ({
          ...entry,
          at,
          actor_id: null,
          resource_id: null,
          diff_json: null,
          address: null,
          request_id: null,
        })),
      )
      .execute();
    const version = { job_id: 1, config_json: '{}', created_at: 1, created_by: null };
    await tx
      .insertInto('job_config_versions')
      .values(Array.from({ length: 130 }, (_, i) => ({ ...version, version: i + 1 })))
      .execute();
  });
  await makeTriggerUse(store, { lastRunId: jobRunId, backfillOf: jobRunId });
  await store.write(async (tx) => {
    await tx.updateTable('jobs').set({ config_version: 130 }).execute();
    await tx.updateTable('backfills').set({ status: 'completed', ended_at: 1 }).execute();
    const calls = { connector_id: 1, source: 'run', calls: 1, errors: 0, ms: 1 };
    const uses = [1, now].map((bucket_at) => ({ ...calls, bucket_at }));
    await tx.insertInto('connector_calls').values(uses).execute();
  });
  type Counted = 'audit_logs' | 'job_config_versions' | 'backfills' | 'job_runs' | 'connector_calls';
  const countOf = async (table: Counted) =>
    Number(
      (
        await store.read
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  const deps = { store, logger: silentLogger, runPruning: pruningOf(store) };
  await sweepRetention(deps, { run_days: 0, run_keep_last: 0, audit_days: 0 }, NEVER);
  t.equal(await countOf('job_runs'), 6);
  t.equal(await countOf('audit_logs'), 3);
  t.equal(await countOf('job_config_versions'), 100, 'the newest of the job');
  t.equal(await countOf('backfills'), 0, 'those that ended a year ago');
  t.equal(await countOf('connector_calls'), 1, 'those of the last month');
  await sweepRetention(deps, { run_days: 90, run_keep_last: 2, audit_days: 365 }, NEVER);
  t.equal(await countOf('job_runs'), 3, 'the last two, and that of the trigger');
  t.equal(await countOf('audit_logs'), 1);
});
