import t from 'tap';
import { systemClock } from '../../../../src/base/clock.ts';
import { jobRunRows } from '../../../../src/modules/job-runs/job-run-store.ts';
import { eachStore } from '../../../support/stores.ts';
import { endRuns, makeJob, makeTicker, makeTrigger, triggerNow } from '../trigger-jobs.ts';

const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);
const nine = '2026-03-10T09:00:00Z';
const concurrency = { limit: 5, onConflict: 'queue', keyExpr: 'args' } as const;

/** What can change of a job between its reading and its lock, with what its run must then have. */
const CHANGES = {
  'its configuration': { set: { config_json: '{"n":2}', config_version: 2 }, config: '{"n":2}' },
  'its template': { set: { version: 2 }, config: '{}' },
} as const;

for (const [name, { set, config }] of Object.entries(CHANGES)) {
  await eachStore(t, `a job that is changed while it is due starts with ${name}`, async (t, store) => {
    let changes = false;
    // The key is evaluated between the two.
    const { ticker } = makeTicker(store, systemClock, async () => {
      if (changes) await store.write((tx) => tx.updateTable('jobs').set(set).execute());
      changes = false;
      return { ok: true, key: 'k' };
    });
    const jobId = await makeJob(store, { name: 'changing', concurrency });
    const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'queue_one' });
    const configs = async () => {
      const runs = await jobRunRows(store.read).orderBy('id').execute();
      return runs.map((run) => run.config_json);
    };
    changes = true;
    t.equal(await ticker.tick(at('09:00:00')), 0, 'not with what was read before');
    t.match(await triggerNow(store, id), { next_run_at: at('09:00:00'), missed_count: 0 }, 'it stays due');
    t.equal(await ticker.tick(at('09:00:01')), 1);
    t.same(await configs(), [config]);

    await store.write((tx) =>
      tx.updateTable('jobs').set({ config_json: '{}', config_version: 1, version: 1 }).execute(),
    );
    t.equal(await ticker.tick(at('10:00:00')), 0, 'the next time waits for the run');
    await endRuns(store, jobId);
    changes = true;
    t.equal(await ticker.tick(at('10:00:01')), 0, 'a time that waited likewise');
    t.equal(await ticker.tick(at('10:00:02')), 1);
    t.same(await configs(), [config, config]);
  });
}

await eachStore(t, 'a trigger that is changed while it is due does not fire as it was', async (t, store) => {
  let changes = true;
  const { ticker } = makeTicker(store, systemClock, async () => {
    const set = { version: 2, enabled: 0, next_run_at: null };
    if (changes) await store.write((tx) => tx.updateTable('triggers').set(set).execute());
    changes = false;
    return { ok: true, key: 'k' };
  });
  const jobId = await makeJob(store, { name: 'disabled', concurrency });
  const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'allow' });
  t.equal(await ticker.tick(at('09:00:00')), 0);
  t.match(await triggerNow(store, id), { enabled: 0, next_run_at: null, last_run_id: null });
  t.equal((await store.read.selectFrom('job_runs').select('id').execute()).length, 0);
});
