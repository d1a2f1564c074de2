import t, { type Test } from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { Schedules } from '../../../src/modules/triggers/tick/schedules.ts';
import { registerTriggerRoutes } from '../../../src/modules/triggers/trigger-routes.ts';
import { createTriggers } from '../../../src/modules/triggers/trigger-service.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { firedTimes, makeJob, makeTicker, makeTrigger, triggerNow } from './trigger-jobs.ts';

const HOUR_MS = 3_600_000;
const nine = '2026-03-10T09:00:00Z';
const NINE = Date.parse(nine);

interface Trigger {
  id: number;
  version: number;
  next_run_at: string | null;
  next_start_at: string | null;
  [key: string]: unknown;
}

async function open(t: Test, store: Store) {
  const { jobRuns, evaluateKey, ticker } = makeTicker(store, systemClock);
  const app = await createTestApp(t, (http, { clock }) => {
    const triggers = createTriggers({ store, clock, jobRuns, evaluateKey });
    registerTriggerRoutes(http, { store, clock, triggers });
  });
  return { ...app, ticker };
}

await eachStore(
  t,
  'jitter starts a run later, on every control plane alike, and it is not missed',
  async (t, store) => {
    const jobId = await makeJob(store, { name: 'jittered' });
    const row = await makeTrigger(store, jobId, { next: nine, overlap: 'allow', jitter_seconds: 3_600 });
    const { ticker } = makeTicker(store);
    const [delay, nextDelay] = [NINE, NINE + HOUR_MS].map((at) => new Schedules(0).delay(row, at));
    t.equal(new Schedules(NINE).delay(row, NINE), delay);
    t.ok(delay !== undefined && delay > 1_000 && delay < HOUR_MS && delay !== nextDelay, `${delay} ms`);
    // As an older server leaves it: without the delay. The pass mends that.
    t.equal(await ticker.tick(NINE), 0);
    t.match(await triggerNow(store, row.id), { next_run_at: NINE, delay_ms: delay, missed_count: 0 });
    t.equal(await ticker.tick(NINE + (delay ?? 0) - 1), 0);
    t.equal(await ticker.tick(NINE + (delay ?? 0)), 1);
    t.equal(await ticker.tick(NINE + (delay ?? 0) + 1_000), 0);
    t.same(await firedTimes(store, row.id), ['09:00'], 'the scheduled time stays');
    t.match(await triggerNow(store, row.id), {
      next_run_at: NINE + HOUR_MS,
      delay_ms: nextDelay,
      missed_count: 0,
    });
    t.equal(
      await ticker.tick(NINE + HOUR_MS + (nextDelay ?? 0) + 61_000),
      0,
      'later than its start and a minute: missed',
    );
    t.match(await triggerNow(store, row.id), { missed_count: 1 });
    const ticks = await store.read.selectFrom('trigger_ticks').select('scheduled_for').execute();
    t.same(ticks, [{ scheduled_for: NINE }]);
  },
);

await eachStore(t, 'two control planes start a jittered time once', async (t, store) => {
  const jobId = await makeJob(store, { name: 'jittered' });
  const ids: number[] = [];
  for (let index = 0; index < 20; index++)
    ids.push((await makeTrigger(store, jobId, { next: nine, overlap: 'allow', jitter_seconds: 600 })).id);
  const tickers = [makeTicker(store).ticker, makeTicker(store).ticker];
  const startsAt: number[] = [];
  for (let second = 0; second <= 600; second += 60) {
    const now = NINE + second * 1_000;
    const started = await Promise.all(tickers.map((ticker) => ticker.tick(now)));
    startsAt.push((started[0] ?? 0) + (started[1] ?? 0));
  }
  t.equal(
    startsAt.reduce((sum, count) => sum + count, 0),
    20,
  );
  t.ok(startsAt.filter((count) => count > 0).length >= 4, `spread: ${startsAt.join(' ')}`);
  for (const id of ids) t.same(await firedTimes(store, id), ['09:00']);
});

await eachStore(t, 'nothing fires before the start, nor at the end or after', async (t, store) => {
  const { as, ticker } = await open(t, store);
  const jobId = await makeJob(store, { name: 'bounded' });
  const made = await as('editor').post<Trigger>(`/api/jobs/${jobId}/triggers`, {
    cron: '0 * * * *',
    overlap: 'allow',
    catchup: 'all',
    start_at: '2999-03-10T10:00:00+01:00',
    end_at: '2999-03-10T12:00:00Z',
  });
  t.match(made.body, {
    start_at: '2999-03-10T09:00:00.000Z',
    end_at: '2999-03-10T12:00:00.000Z',
    next_run_at: '2999-03-10T09:00:00.000Z',
    state: 'active',
  });
  const start = Date.parse('2999-03-10T09:00:00Z');
  t.equal(await ticker.tick(start - 1), 0);
  t.equal(await ticker.tick(start), 1);
  // A long outage over the end: what was scheduled before it is made up for.
  t.equal(await ticker.tick(start + 30 * HOUR_MS), 2);
  t.same(await firedTimes(store, made.body.id), ['09:00', '10:00', '11:00']);
  const url = `/api/triggers/${made.body.id}`;
  t.match((await as('viewer').get(url)).body, {
    state: 'ended',
    enabled: true,
    next_run_at: null,
    next_start_at: null,
  });
  const list = async (state: string) =>
    (await as('viewer').get<{ result: Trigger[] }>(`/api/triggers?state=${state}`)).body.result.length;
  t.same([await list('ended'), await list('active')], [1, 0]);
  const later = await as('editor').put<Trigger>(url, { end_at: null });
  t.match(later.body, { state: 'active', end_at: null, next_run_at: '2999-03-10T09:00:00.000Z' });
  t.equal(await ticker.tick(start), 0, 'a time that has run does not run again');
  t.match((await as('editor').put(url, { start_at: null, end_at: '2020-01-01T00:00:00Z' })).body, {
    state: 'ended',
  });
  t.match(await as('editor').put(url, { start_at: '2020-01-01T00:00:00Z' }), {
    status: 400,
    body: { details: [{ path: 'end_at', message: '"end_at" must be later than "start_at"' }] },
  });
});

await eachStore(t, 'what was missed longer ago than the window is never made up for', async (t, store) => {
  const jobId = await makeJob(store, { name: 'windowed' });
  const { ticker } = makeTicker(store);
  const options = { next: nine, overlap: 'allow' } as const;
  const all = await makeTrigger(store, jobId, { ...options, catchup: 'all', catchup_window: '2h' });
  const latest = await makeTrigger(store, jobId, { ...options, catchup: 'latest', catchup_window: '20m' });
  await ticker.tick(NINE + 5.5 * HOUR_MS);
  t.same(await firedTimes(store, all.id), ['13:00', '14:00']);
  t.match(await triggerNow(store, all.id), { missed_count: 4, next_run_at: NINE + 6 * HOUR_MS });
  t.same(await firedTimes(store, latest.id), []);
  t.match(await triggerNow(store, latest.id), { missed_count: 6, next_run_at: NINE + 6 * HOUR_MS });
});

await eachStore(
  t,
  'a change of the schedule goes on from now; other changes leave the next time',
  async (t, store) => {
    const { as } = await open(t, store);
    const editor = as('editor');
    const jobId = await makeJob(store, { name: 'changing' });
    const { body } = await editor.post<Trigger>(`/api/jobs/${jobId}/triggers`, {
      cron: '0 * * * *',
      catchup: 'all',
    });
    const url = `/api/triggers/${body.id}`;
    const put = async (change: object) => (await editor.put<Trigger>(url, change)).body;
    const setNext = (next_run_at: number) =>
      store.write((tx) => tx.updateTable('triggers').set({ next_run_at }).execute());
    for (const change of [
      { cron: '30 * * * *' },
      { timezone: 'Asia/Kathmandu' },
      { start_at: '2020-01-01T00:00:00Z' },
      { end_at: '2999-01-01T00:00:00Z' },
    ]) {
      await setNext(NINE);
      const changed = await put(change);
      t.ok(Date.parse(changed.next_run_at ?? '') > Date.now(), JSON.stringify(change));
      t.equal(changed['missed_count'], 0);
    }
    const coming = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 5 * HOUR_MS;
    await setNext(coming);
    for (const change of [
      { name: 'x' },
      { catchup_window: '6h' },
      { pause_after_failures: 5 },
      { overlap: 'allow' },
    ])
      t.equal(Date.parse((await put(change)).next_run_at ?? ''), coming, JSON.stringify(change));
    const jittered = await put({ jitter_seconds: 1_000 });
    t.equal(Date.parse(jittered.next_run_at ?? ''), coming);
    t.ok((jittered.next_start_at ?? '') > (jittered.next_run_at ?? ''), `${jittered.next_start_at}`);
    const still = await put({ jitter_seconds: 0 });
    t.equal(still.next_start_at, still.next_run_at);
    t.equal(
      (await put({ jitter_seconds: 0, catchup_window: '6h', end_at: '2999-01-01T01:00:00+01:00' })).version,
      still.version,
    );
    const audit = await store.read.selectFrom('audit_logs').select('diff_json').orderBy('id').execute();
    t.match(audit.map((row) => row.diff_json).join('\n'), /"end_at":\[null,"2999-01-01T00:00:00.000Z"\]/);
  },
);

t.test('settings out of their bounds are refused', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as } = await open(t, store);
  const jobId = await makeJob(store, { name: 'orders' });
  for (const wrong of [
    { jitter_seconds: -1 },
    { jitter_seconds: 3_601 },
    { jitter_seconds: 1.5 },
    { pause_after_failures: 0 },
    { pause_after_failures: 101 },
    { catchup_window: '6' },
    { catchup_window: '30s' },
    { catchup_window: '99999d' },
    { start_at: '2026-01-01' },
    { end_at: 'tomorrow' },
    { start_at: '2026-02-30T00:00:00Z' },
    { state: 'active' },
  ]) {
    const answer = await as('editor').post(`/api/jobs/${jobId}/triggers`, { cron: '@daily', ...wrong });
    t.match(answer, { status: 400, body: { message: new RegExp(Object.keys(wrong)[0] ?? '') } });
  }
  t.same(await store.read.selectFrom('triggers').select('id').execute(), []);
});
