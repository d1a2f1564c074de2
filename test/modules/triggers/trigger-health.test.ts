import t, { type Test } from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { noteTargetChange, type TriggerPausedEvent } from '../../../src/modules/triggers/trigger-health.ts';
import { registerTriggerRoutes } from '../../../src/modules/triggers/trigger-routes.ts';
import { createTriggers } from '../../../src/modules/triggers/trigger-service.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { drawnKinds, eachStore, storeSettings } from '../../support/stores.ts';
import { finishRuns, firedTimes, makeJob, makeTicker, makeTrigger, makeTriggers } from './trigger-jobs.ts';

const HOUR_MS = 3_600_000;
const NINE = Date.parse('2026-03-10T09:00:00Z');
const nine = '2026-03-10T09:00:00Z';

type Body = Record<string, unknown>;

/** The routes over a store, its ticker, and what the rooms above are told. */
async function open(t: Test, store: Store) {
  const told: TriggerPausedEvent[] = [];
  const ticking = makeTicker(store, systemClock, undefined, async (_tx, event) => {
    told.push(event);
  });
  const { jobRuns, evaluateKey, ticker } = ticking;
  const app = await createTestApp(t, (http, { clock }) => {
    registerTriggerRoutes(http, {
      store,
      clock,
      triggers: createTriggers({ store, clock, jobRuns, evaluateKey }),
    });
  });
  const shown = async (id: number) => (await app.as('viewer').get<Body>(`/api/triggers/${id}`)).body;
  /** Fires the `n`th hour, and ends its run. */
  const hour = async (n: number, jobId: number, status: 'success' | 'warning' | 'error') => {
    await ticker.tick(NINE + n * HOUR_MS);
    return finishRuns(store, jobRuns, jobId, status);
  };
  return { ...app, ...ticking, told, shown, hour };
}

await eachStore(t, 'a trigger whose runs fail too often in a row is paused, once', async (t, store) => {
  const { as, shown, hour, ticker, told } = await open(t, store);
  const jobId = await makeJob(store, { name: 'failing' });
  const { id } = await makeTrigger(store, jobId, { next: nine, name: 'hourly', pause_after_failures: 3 });
  await hour(0, jobId, 'error');
  await hour(1, jobId, 'error');
  await ticker.tick(NINE + HOUR_MS + 1_000);
  t.match(await shown(id), {
    state: 'active',
    consecutive_failures: 2,
    last_status: 'error',
    last_success_at: null,
  });
  await hour(2, jobId, 'warning');
  await ticker.tick(NINE + 2 * HOUR_MS + 1_000);
  t.match(await shown(id), { consecutive_failures: 0, last_status: 'warning', last_success_at: String });
  for (const n of [3, 4]) await hour(n, jobId, 'error');
  const [last] = await hour(5, jobId, 'error');
  t.match(await shown(id), { state: 'active', consecutive_failures: 2, version: 1 });
  t.equal(await ticker.tick(NINE + 6 * HOUR_MS), 0, 'the time that is due now does not come any more');
  t.match(await shown(id), {
    state: 'paused',
    enabled: false,
    next_run_at: null,
    next_start_at: null,
    paused_reason: 'failures',
    paused_at: String,
    consecutive_failures: 3,
    last_run_id: last,
    version: 2,
  });
  t.same(
    told.map(({ paused_at: _, ...event }) => event),
    [
      {
        type: 'trigger.paused',
        trigger_id: id,
        trigger_name: 'hourly',
        job_id: jobId,
        reason: 'failures',
        consecutive_failures: 3,
        job_run_id: last,
      },
    ],
  );
  const audit = await store.read
    .selectFrom('audit_logs')
    .select(['action', 'diff_json'])
    .where('resource_type', '=', 'trigger')
    .execute();
  t.match(audit, [{ action: 'trigger.pause', diff_json: /"failures"/ }]);
  const list = async (query: string) =>
    (await as('viewer').get<{ result: Body[] }>(`/api/triggers?${query}`)).body.result.length;
  t.same([await list('state=paused'), await list('state=active'), await list('state=disabled')], [1, 0, 0]);
  t.same([await list('enabled=false'), await list(`enabled=false&job_id=${jobId + 1}`)], [1, 0]);
  t.match(await as('viewer').get('/api/triggers?state=broken'), { status: 400 });
  t.same(await store.read.selectFrom('trigger_results').select('id').execute(), [], 'all is counted');
});

await eachStore(t, 'enabling it again begins a new count, also of what ended before', async (t, store) => {
  const { as, shown, hour, ticker, jobRuns } = await open(t, store);
  const jobId = await makeJob(store, { name: 'failing' });
  const { id } = await makeTrigger(store, jobId, { next: nine, pause_after_failures: 1, catchup: 'all' });
  await hour(0, jobId, 'error');
  await ticker.tick(NINE + 60_000);
  t.match(await shown(id), { state: 'paused' });
  t.match((await as('editor').put(`/api/triggers/${id}`, { enabled: false })).body, {
    state: 'paused',
    version: 2,
  });
  t.match((await as('editor').post(`/api/triggers/${id}/enable`)).body, {
    state: 'active',
    consecutive_failures: 0,
    paused_at: null,
    paused_reason: null,
    version: 3,
  });
  t.ok(
    Date.parse(String((await shown(id))['next_run_at'])) > Date.now(),
    'what passed meanwhile is not made up for',
  );

  // One that ends before it is enabled, and is only then counted.
  await store.write((tx) =>
    tx
      .updateTable('triggers')
      .set({ next_run_at: NINE + HOUR_MS })
      .execute(),
  );
  await hour(1, jobId, 'error');
  await as('editor').post(`/api/triggers/${id}/disable`);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await as('editor').post(`/api/triggers/${id}/enable`);
  await ticker.tick(NINE);
  t.match(await shown(id), { state: 'active', consecutive_failures: 0 });
  t.same(await finishRuns(store, jobRuns, jobId, 'error'), []);
});

await eachStore(t, 'only scheduled runs count, and cancelled ones neither way', async (t, store) => {
  const { as, shown, hour, ticker, jobRuns } = await open(t, store);
  const jobId = await makeJob(store, { name: 'orders' });
  const { id } = await makeTrigger(store, jobId, { next: nine, pause_after_failures: 2 });
  await hour(0, jobId, 'error');
  const fired = await as('operator').post<{ id: number }>(`/api/triggers/${id}/fire`);
  await finishRuns(store, jobRuns, jobId, 'error');
  await ticker.tick(NINE + 1_000);
  t.match(await shown(id), {
    state: 'active',
    consecutive_failures: 1,
    last_run_id: fired.body.id,
    last_status: 'error',
  });
  await ticker.tick(NINE + HOUR_MS);
  for (const change of [{ backfill_id: 7 }, { backfill_id: null, rerun_of: 1 }]) {
    await store.write((tx) =>
      tx.updateTable('job_runs').set(change).where('status', '=', 'queued').execute(),
    );
    await finishRuns(store, jobRuns, jobId, 'error');
    await ticker.tick(NINE + HOUR_MS + 1_000);
    t.match(await shown(id), { consecutive_failures: 1 }, JSON.stringify(change));
    await store.write((tx) =>
      tx
        .updateTable('triggers')
        .set({ next_run_at: NINE + 2 * HOUR_MS })
        .execute(),
    );
    await ticker.tick(NINE + 2 * HOUR_MS);
  }
  await ticker.tick(NINE + 3 * HOUR_MS);
  const [active] = await store.read
    .selectFrom('job_runs')
    .select('id')
    .where('status', '=', 'queued')
    .execute();
  const request = { mode: 'graceful', graceMs: 0 } as const;
  await jobRuns.cancel(active?.id ?? 0, request, systemActor);
  await ticker.tick(NINE + 3 * HOUR_MS + 1_000);
  t.match(await shown(id), { state: 'active', consecutive_failures: 1, last_status: 'cancelled' });
  await hour(4, jobId, 'error');
  await ticker.tick(NINE + 4 * HOUR_MS + 1_000);
  t.match(
    await shown(id),
    { state: 'paused', consecutive_failures: 2 },
    'the cancelled run between did not reset',
  );
});

t.test('where the rooms above cannot be told, nothing is paused, and others fire', async (t) => {
  const store = await openStore(await storeSettings(t, 'sqlite'), silentLogger);
  t.teardown(() => store.close());
  let broken = true;
  const { ticker, jobRuns } = makeTicker(store, systemClock, undefined, async () => {
    if (broken) throw new Error('nobody listens');
  });
  const [bad, good] = [await makeJob(store, { name: 'bad' }), await makeJob(store, { name: 'good' })];
  const { id } = await makeTrigger(store, bad, { next: nine, pause_after_failures: 1 });
  const other = await makeTrigger(store, good, { next: '2026-03-10T10:00:00Z' });
  await ticker.tick(NINE);
  await finishRuns(store, jobRuns, bad, 'error');
  t.ok((await ticker.tick(NINE + HOUR_MS)) > 0);
  t.same(await firedTimes(store, other.id), ['10:00']);
  const state = async () =>
    store.read
      .selectFrom('triggers')
      .select(['enabled', 'consecutive_failures'])
      .where('id', '=', id)
      .execute();
  t.same(await state(), [{ enabled: 1, consecutive_failures: 0 }]);
  broken = false;
  await ticker.tick(NINE + HOUR_MS + 1_000);
  t.same(await state(), [{ enabled: 0, consecutive_failures: 1 }]);
});

for (const kind of drawnKinds(t)) {
  t.test(`two control planes count each result once while runs end (${kind})`, async (t) => {
    const settings = await storeSettings(t, kind);
    const one = await openStore(settings, silentLogger);
    t.teardown(() => one.close());
    const two = kind === 'sqlite' ? one : await openStore(settings, silentLogger);
    if (two !== one) t.teardown(() => two.close());
    const planes = [makeTicker(one), makeTicker(two)] as const;
    const jobs: number[] = [];
    for (let index = 0; index < 10; index++) {
      const jobId = await makeJob(one, { name: `job ${index}` });
      jobs.push(jobId);
      await makeTriggers(one, jobId, 2, { next: nine, overlap: 'cancel_running', catchup: 'none' });
    }
    for (let round = 0; round < 4; round++) {
      const now = NINE + round * HOUR_MS;
      // Ticks that cancel, ends that tell, and counts, all at once: they must not wait for each other in a circle.
      await Promise.all([
        ...planes.map(({ ticker }) => ticker.tick(now)),
        ...jobs.map((jobId) => finishRuns(one, planes[0].jobRuns, jobId, 'error')),
      ]);
    }
    for (const jobId of jobs) await finishRuns(one, planes[0].jobRuns, jobId, 'error');
    await Promise.all(planes.map(({ ticker }) => ticker.tick(NINE + 3 * HOUR_MS + 1_000)));
    await planes[0].ticker.tick(NINE + 3 * HOUR_MS + 2_000);
    const failures = await one.read
      .selectFrom('job_runs')
      .select(['trigger_id'])
      .where('status', '=', 'error')
      .execute();
    const counted = await one.read.selectFrom('triggers').select(['id', 'consecutive_failures']).execute();
    for (const { id, consecutive_failures } of counted)
      t.equal(consecutive_failures, failures.filter((run) => run.trigger_id === id).length, `trigger ${id}`);
    t.ok(failures.length > 0);
  });
}

await eachStore(
  t,
  'a trigger whose run changed its target is paused until it is enabled',
  async (t, store) => {
    const { shown, hour, ticker, told } = await open(t, store);
    const jobId = await makeJob(store, { name: 'changing' });
    const { id } = await makeTrigger(store, jobId, { next: nine, name: 'hourly' });
    const [run = 0] = await hour(0, jobId, 'success');
    const note = { trigger_id: id, job_run_id: run };
    await store.write((tx) => noteTargetChange(tx, note, Date.now() + 60_000));
    await store.write((tx) => noteTargetChange(tx, note, Date.now() + 60_000));
    t.equal(await ticker.tick(NINE + HOUR_MS), 0, 'the time that is due now does not come any more');
    t.match(await shown(id), {
      state: 'paused',
      enabled: false,
      paused_reason: 'schema_change',
      consecutive_failures: 0,
    });
    t.match(told, [{ trigger_id: id, reason: 'schema_change', consecutive_failures: 0, job_run_id: run }]);
    t.equal(told.length, 1);
  },
);
