import t, { type Test } from 'tap';
import { updateJobStatus } from '../../../src/modules/jobs/job-store.ts';
import { insertTicks } from '../../../src/modules/triggers/tick/trigger-tick-store.ts';
import { registerTriggerRoutes } from '../../../src/modules/triggers/trigger-routes.ts';
import { createTriggers } from '../../../src/modules/triggers/trigger-service.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { endRuns, makeJob, makeTicker } from './trigger-jobs.ts';

interface Trigger {
  id: number;
  version: number;
  next_run_at: string | null;
  [key: string]: unknown;
}
interface Refusal {
  error: string;
  message: string;
  details?: { path: string; message: string }[];
}

function createTriggersApp(t: Test, store: Store) {
  return createTestApp(t, (app, { clock }) => {
    const { jobRuns, evaluateKey } = makeTicker(store, clock);
    const triggers = createTriggers({ store, clock, jobRuns, evaluateKey });
    registerTriggerRoutes(app, { store, clock, triggers });
  });
}

await eachStore(t, 'a trigger is made, read, changed and deleted', async (t, store) => {
  const { as } = await createTriggersApp(t, store);
  const editor = as('editor');
  const jobId = await makeJob(store, { name: 'orders' });
  const made = await editor.post<Trigger>(`/api/jobs/${jobId}/triggers`, { cron: '0 2 * * *' });
  t.match(made, { status: 201, headers: { etag: '"1"' } });
  t.match(made.body, { job_id: jobId, name: '0 2 * * *', cron: '0 2 * * *', timezone: 'UTC', enabled: true });
  t.match(made.body, { overlap: 'skip', catchup: 'none', last_run_id: null, missed_count: 0, version: 1 });
  t.match(made.body.next_run_at, /T02:00:00.000Z$/);
  t.ok(Date.parse(made.body.next_run_at ?? '') > Date.now(), 'by the store’s clock');

  const path = `/api/triggers/${made.body.id}`;
  t.same((await as('viewer').get(path)).body, made.body);
  const other = await makeJob(store, { name: 'other' });
  await editor.post(`/api/jobs/${other}/triggers`, { cron: '@daily', name: 'nightly', enabled: false });
  const names = async (url: string) =>
    (await as('viewer').get<{ result: Trigger[] }>(url)).body.result.map((trigger) => trigger['name']);
  t.same(await names('/api/triggers'), ['nightly', '0 2 * * *']);
  t.same(await names('/api/triggers?enabled=false'), ['nightly']);
  t.same(await names(`/api/triggers?job_id=${jobId}`), ['0 2 * * *']);
  t.same(await names(`/api/jobs/${other}/triggers`), ['nightly']);

  const change = { cron: '30 * * * *', timezone: 'Asia/Kolkata', overlap: 'queue_all', catchup: 'latest' };
  const changed = await editor.put<Trigger>(path, change, { 'if-match': '"1"' });
  t.match(changed, { status: 200, headers: { etag: '"2"' }, body: { ...change, name: '0 2 * * *' } });
  t.match(changed.body.next_run_at, /:00:00.000Z$/, 'half past in Kolkata is a full hour in UTC');
  t.equal((await editor.put(path, change)).body['version'], 2, 'the same again is no new version');
  t.match(await editor.put(path, { name: 'x' }, { 'if-match': '"1"' }), { status: 412 });
  t.match(await editor.delete(path, { 'if-match': '"1"' }), { status: 412 });
  t.equal((await editor.delete(path)).status, 204);
  t.match(await editor.get(path), { status: 404, body: { error: 'NOT_FOUND' } });
  const audit = await store.read
    .selectFrom('audit_logs')
    .select('action')
    .where('resource_id', '=', `${made.body.id}`)
    .execute();
  t.same(
    audit.map(({ action }) => action),
    ['trigger.create', 'trigger.update', 'trigger.delete'],
  );
});

t.test('what cannot be scheduled is refused, all problems at once', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as, anonymous, withKey } = await createTriggersApp(t, store);
  const jobId = await makeJob(store, { name: 'orders' });
  const url = `/api/jobs/${jobId}/triggers`;
  const editor = as('editor');
  const wrong = { cron: '61 * * * *', timezone: 'Mars/Base' };
  const refused = await editor.post<Refusal>(url, wrong);
  t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR' } });
  t.same(
    refused.body.details?.map(({ path }) => path),
    ['cron', 'timezone'],
  );
  t.match(await editor.post(url, { cron: '@daily', jitter: 1 }), {
    status: 400,
    body: { message: /"jitter"/ },
  });
  t.match(await editor.post(url, { cron: '0 0 31 2 *' }), {
    status: 400,
    body: { message: /never occurs:/ },
  });
  t.match(await editor.post('/api/jobs/99/triggers', { cron: '@daily' }), { status: 404 });
  t.match(await editor.get('/api/jobs/99/triggers'), { status: 404 });

  const spec = { type: 'string', required: true, default: null, description: null } as const;
  const needy = await makeJob(store, { name: 'needy', args: { region: spec } });
  t.match(await editor.post(`/api/jobs/${needy}/triggers`, { cron: '@daily' }), {
    status: 400,
    body: { message: /"region"/, details: [{ path: 'args.region' }] },
  });

  t.equal((await as('operator').post(url, { cron: '@daily' })).status, 403);
  t.equal((await withKey('editor', 'triggers:read').post(url, { cron: '@daily' })).status, 403);
  t.equal((await anonymous.get('/api/triggers')).status, 401);
  t.same(await store.read.selectFrom('triggers').select('id').execute(), []);
});

t.test('a preview gives the next times', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as } = await createTriggersApp(t, store);
  const preview = (body: object) =>
    as('viewer').post<{ times: string[]; [key: string]: unknown } & Refusal>('/api/triggers/preview', body);
  const spring = { cron: '30 2 * * *', timezone: 'Europe/Berlin', after: '2026-03-28T00:00:00Z', count: 3 };
  const quiet = (at: string, local: string) => ({ at, local, starts_by: at, note: null });
  t.match((await preview(spring)).body, {
    cron: '30 2 * * *',
    timezone: 'Europe/Berlin',
    times: ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
    upcoming: [
      quiet('2026-03-28T01:30:00.000Z', '2026-03-28T02:30:00+01:00'),
      { local: '2026-03-29T03:00:00+02:00', note: /skips this time/ },
      quiet('2026-03-30T00:30:00.000Z', '2026-03-30T02:30:00+02:00'),
    ],
  });
  const autumn = {
    cron: '30 1 * * *',
    timezone: 'America/New_York',
    after: '2026-10-31T12:00:00Z',
    count: 2,
  };
  t.match((await preview(autumn)).body, {
    upcoming: [
      { local: '2026-11-01T01:30:00-04:00', note: /only the first time/ },
      { local: '2026-11-02T01:30:00-05:00', note: null },
    ],
  });
  const bounded = {
    cron: '0 * * * *',
    after: '2026-01-01T00:00:00Z',
    start_at: '2026-01-01T02:00:00+01:00',
    end_at: '2026-01-01T03:00:00Z',
    jitter_seconds: 3_600,
  };
  t.same((await preview(bounded)).body['times'], ['2026-01-01T01:00:00.000Z', '2026-01-01T02:00:00.000Z']);
  t.match((await preview({ ...bounded, jitter_seconds: 90 })).body, {
    upcoming: [{ starts_by: '2026-01-01T01:01:30.000Z' }, {}],
  });
  const often = { ...bounded, cron: '* * * * *', count: 1 };
  t.match((await preview(often)).body, { upcoming: [{ starts_by: '2026-01-01T01:01:00.000Z' }] });
  t.match(await preview({ ...bounded, end_at: bounded.start_at, timezone: 'Mars/Base' }), {
    status: 400,
    body: { details: [{ path: 'timezone' }, { path: 'end_at' }] },
  });
  const plain = await preview({ cron: '@hourly' });
  t.equal(plain.body.times.length, 5);
  t.equal(plain.body.times[0], '2026-01-15T13:00:00.000Z');
  t.match(await preview({ cron: 'x', timezone: 'y' }), { status: 400, body: { details: Array } });
  t.match(await preview({ cron: '@daily', count: 101 }), { status: 400 });
});

await eachStore(t, 'a disabled trigger has no next time, and nothing of it waits', async (t, store) => {
  const { as } = await createTriggersApp(t, store);
  const editor = as('editor');
  const jobId = await makeJob(store, { name: 'orders' });
  const { body } = await editor.post<Trigger>(`/api/jobs/${jobId}/triggers`, {
    cron: '@daily',
    overlap: 'queue_all',
  });
  await store.write((tx) =>
    insertTicks(tx, [{ trigger_id: body.id, scheduled_for: 1, outcome: 'waiting', job_run_id: null }], 1),
  );
  const path = `/api/triggers/${body.id}`;
  t.match(await editor.post(`${path}/disable`), {
    status: 200,
    body: { enabled: false, next_run_at: null, version: 2, skipped_count: 1 },
  });
  t.match(await editor.post(`${path}/disable`), { status: 200, body: { version: 2 } });
  t.match(await editor.post(`${path}/enable`), { body: { enabled: true, next_run_at: String, version: 3 } });
  t.same(await store.read.selectFrom('trigger_ticks').select('outcome').execute(), [{ outcome: 'skipped' }]);
  t.match(await editor.post('/api/triggers/99/enable'), { status: 404 });
});

await eachStore(t, 'firing by hand starts the job now, within the overlap', async (t, store) => {
  const { as } = await createTriggersApp(t, store);
  const operator = as('operator');
  const jobId = await makeJob(store, { name: 'orders' });
  const { body } = await as('editor').post<Trigger>(`/api/jobs/${jobId}/triggers`, {
    cron: '@daily',
    enabled: false,
  });
  const path = `/api/triggers/${body.id}`;
  const fired = await operator.post<{ id: number }>(`${path}/fire`);
  t.match(fired, { status: 201, body: { job_id: jobId, trigger_id: body.id, scheduled_for: null } });
  t.match(fired.body, { reason: 'manual', created_by: 'operator@example.com' });
  t.match((await operator.get(path)).body, {
    last_run_id: fired.body.id,
    last_fired_at: String,
    next_run_at: null,
    version: 1,
  });
  t.match(await operator.post(`${path}/fire`), {
    status: 409,
    body: {
      message: `The job "orders" is running (job run "${fired.body.id}") and the trigger's overlap is "skip"`,
    },
  });
  await endRuns(store, jobId);
  t.equal((await operator.post(`${path}/fire`)).status, 201);
  t.equal((await as('viewer').post(`${path}/fire`)).status, 403);
  await store.write((tx) => updateJobStatus(tx, jobId, 'archived', 0));
  t.match(await operator.post(`${path}/fire`), { status: 409, body: { message: /archived/ } });
});
