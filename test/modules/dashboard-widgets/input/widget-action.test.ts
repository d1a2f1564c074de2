import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { WidgetLimits } from '../../../../src/modules/dashboard-widgets/widget-viewer.ts';
import { jobRunRows } from '../../../../src/modules/job-runs/job-run-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { WorkerPool } from '../../../../src/threads/worker-pool.ts';
import { ofFullList } from '../../../support/fault-list.ts';
import { eachStore, openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { dashboardOf } from '../shop.ts';

interface Acted {
  outcome: string;
  message: string | null;
  job_run_id: number | null;
  result: unknown;
  cooldown_until: string | null;
}

const folder = t.testdir();
const pool = await startWorkerPool(t, { fileRoots: [folder] });

const TEMPLATE = 'args: { city: { type: string, default: bonn } }';
const INPUT = 'input: [{ key: city, label: City, type: text, required: true }]';
const BOARD = dashboardOf(
  `{ id: start, type: action, label: Start, run: { job: true, args: { city: "{{ value.city }}" } }, ${INPUT}, success_message: "Off to {{ value.city }}" }`,
  '{ id: one, type: action, run: { task: say } }',
  `{ id: note, type: action, run: { connector: notes, method: record, args: { rows: [{ city: "{{ value.city }}" }] } }, ${INPUT}, cooldown_seconds: 60 }`,
  '{ id: read, type: action, run: { connector: notes, method: echo, args: { value: [1, 2] } } }',
  '{ id: fails, type: action, run: { connector: broken, method: record, args: { rows: [{ a: 1 }] } }, cooldown_seconds: 60 }',
  '{ id: hangs, type: action, run: { connector: hang, method: echo, args: { value: 1 } }, cooldown_seconds: 60 }',
  '{ id: lost, type: action, run: { connector: nowhere, method: record, args: {} }, cooldown_seconds: 60 }',
  '{ id: task, type: action, run: { task: missing }, cooldown_seconds: 60 }',
  `{ id: pick, type: action, run: { connector: notes, method: record, args: { rows: [{ city: "{{ value.city }}" }] } }, cooldown_seconds: 60, input: [
      { key: land, type: select, options: [{ label: Germany, value: de }, { label: Italy, value: it }] },
      { key: city, type: select, depends_on: [land], options_source: { connector: cities, method: list, args: { where: { land: "{{ land }}" } }, value_expr: item.id } },
      { key: more, type: multi_select, options_source: { connector: cities, method: list, value_expr: item.id } }] }`,
  '{ id: empty, type: action }',
  '{ id: sum, type: stat, value_expr: "1" }',
);

let files = 0;

async function open(store: Store, limits: Partial<WidgetLimits> = {}, own: WorkerPool = pool) {
  const app = await createDefinitionsApp(t, store, own, { storedDashboards: true, widgetLimits: limits });
  const file = join(folder, `notes-${files++}.ndjson`);
  const connectors = {
    notes: { type: 'dummy', config: { record_to: file } },
    cities: {
      type: 'dummy',
      config: {
        rows: [
          { id: 'bonn', land: 'de' },
          { id: 'rome', land: 'it' },
        ],
      },
    },
    broken: { type: 'dummy', config: { fault: 'TARGET', message: 'the other side said no' } },
    hang: { type: 'dummy', config: { hang: true } },
  };
  const seeded = await seedJob(app, { connectors, template: TEMPLATE, dashboards: [BOARD] });
  const base = `/api/dashboards/${seeded.dashboardIds[0]}/widgets`;
  const act = (widget: string, input?: object, from = app) =>
    from.as('operator').post<Acted>(`${base}/${widget}/action`, input === undefined ? undefined : { input });
  const noted = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : [];
  const audit = async () =>
    (await store.read.selectFrom('audit_logs').selectAll().orderBy('id').execute())
      .filter(({ action }) => action === 'dashboard.action')
      .map(({ diff_json, outcome }) => ({ outcome, ...(JSON.parse(diff_json ?? '{}') as object) }));
  const stateOf = (widget: string) =>
    store.read.selectFrom('dashboard_actions').selectAll().where('widget_id', '=', widget).executeTakeFirst();
  return { app, ...seeded, base, act, noted, audit, stateOf };
}

await eachStore(
  t,
  'an action starts the job, or one task of it, with what was typed in',
  async (t, store) => {
    const { app, act, jobId, audit, stateOf } = await open(store);
    const started = await act('start', { city: 'Rome' });
    t.match(started, {
      status: 200,
      body: { outcome: 'started', message: 'Off to Rome', result: null, cooldown_until: null },
    });
    const run = await jobRunRows(store.read).executeTakeFirstOrThrow();
    t.equal(run.id, started.body.job_run_id);
    t.match(run, {
      job_id: jobId,
      args_json: JSON.stringify({ city: 'Rome' }),
      created_by: 'operator@example.com',
    });
    t.match(await act('one'), {
      status: 200,
      body: { outcome: 'started', job_run_id: run.id + 1, message: null },
    });
    t.same(await audit(), [
      { outcome: 'started', widget_id: 'start', kind: 'job', input: ['city'] },
      { outcome: 'started', widget_id: 'one', kind: 'task', input: [] },
    ]);
    t.notOk(JSON.stringify(await audit()).includes('Rome'), 'what was typed in is not in the audit log');
    t.match(await stateOf('start'), {
      outcome: 'started',
      job_run_id: run.id,
      acted_by: 'operator@example.com',
    });
    const batch = await app
      .as('viewer')
      .post<{ widgets: Record<string, { data: object }> }>('/api/dashboards/1/widgets/data', {
        widget_ids: ['start', 'note'],
      });
    t.match(batch.body.widgets, {
      start: {
        data: {
          enabled: false,
          reason: /ask for operator/,
          last_run: { outcome: 'started', status: 'queued', job_run_id: run.id },
        },
      },
      note: { data: { last_run: null } },
    });
  },
);

await eachStore(t, 'an action makes its connector call once, and says what it gave', async (t, store) => {
  const { act, noted, audit, stateOf } = await open(store);
  t.match(await act('note', { city: 'Rome' }), {
    status: 200,
    body: { outcome: 'done', job_run_id: null, cooldown_until: '2026-01-15T12:01:00.000Z' },
  });
  t.match(noted(), [{ row: { city: 'Rome' } }]);
  t.equal(noted().length, 1);
  t.match(await act('read'), { body: { outcome: 'done', result: [1, 2], cooldown_until: null } });
  t.match(await stateOf('note'), { outcome: 'done', job_run_id: null });
  t.match(await audit(), [
    { outcome: 'done', widget_id: 'note', kind: 'call', input: ['city'] },
    { outcome: 'done', widget_id: 'read', kind: 'call' },
  ]);
});

await eachStore(t, 'an action takes what its options offer, and nothing else', async (t, store) => {
  const { act, noted, audit, stateOf } = await open(store);
  const gone = (field: string, value: string) => ({
    path: `input.${field}`,
    message: `"${value}" is not offered any more: choose another`,
  });
  const refused = (...details: object[]) => ({ status: 400, body: { error: 'VALIDATION_ERROR', details } });
  t.match(
    await act('pick', { land: 'de', city: 'rome', more: ['bonn', 'oslo'] }),
    refused(gone('city', 'rome'), gone('more', 'oslo')),
  );
  t.match(
    await act('pick', { city: 'bonn' }),
    refused(gone('city', 'bonn')),
    'there is no land to choose in',
  );
  t.same([noted(), await audit(), await stateOf('pick')], [[], [], undefined], 'nothing was done');
  t.match(await act('pick', { land: 'it', city: 'rome', more: [] }), { status: 200 });
  t.match(noted(), [{ row: { city: 'rome' } }]);
});

await eachStore(t, 'of many clicks at once, on two servers, one acts', async (t, store) => {
  const { app, act, noted, audit, stateOf } = await open(store);
  const other = await createDefinitionsApp(t, store, pool, { storedDashboards: true });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => act('note', { city: `${n}` }, n % 2 === 0 ? app : other)),
  );
  t.same(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 19 }, () => 429)]);
  t.equal(noted().length, 1);
  t.match(
    answers.find(({ status }) => status === 429),
    { body: { error: 'RATE_LIMITED', message: /wait 60 s/ }, headers: { 'retry-after': '60' } },
  );
  t.equal((await audit()).length, 1);
  for (const { clock } of [app, other]) clock.advance(59_999);
  t.match(await act('note', { city: 'x' }), { status: 429, headers: { 'retry-after': '1' } });
  for (const { clock } of [app, other]) clock.advance(1);
  t.equal((await act('note', { city: 'x' })).status, 200);
  t.equal(noted().length, 2);
  t.match(await stateOf('note'), { outcome: 'done' });
});

await eachStore(t, 'a call that fails says so, and may be tried again at once', async (t, store) => {
  const { act, stateOf, audit, jobId, app } = await open(store);
  for (let n = 0; n < 2; n++)
    t.match(await act('fails'), {
      status: 502,
      body: { error: 'CONNECTOR_ERROR', message: /the other side said no/ },
    });
  t.match(await stateOf('fails'), { outcome: 'failed', cooldown_until: null });
  t.match(await act('lost'), { status: 502, body: { message: 'There is no connector "nowhere"' } });
  t.match(await act('task'), { status: 400, body: { message: /no task "missing"/ } });
  t.match(await act('task'), { status: 400 }, 'a start that failed does not cool down');
  await app.as('editor').post(`/api/jobs/${jobId}/archive`);
  t.match(await act('one'), { status: 409, body: { error: 'CONFLICT' } });
  t.same(
    (await audit()).map((entry) => entry.outcome),
    ['failed', 'failed', 'failed', 'failed', 'failed', 'failed'],
  );
});

t.test('a call whose effect is not known is not made again, and keeps cooling down', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const own = await startWorkerPool(t, { fileRoots: [folder] });
  const { act, stateOf } = await open(store, { callMsMax: 300 }, own);
  t.match(await act('hangs'), { status: 502, body: { error: 'CONNECTOR_ERROR', message: /longer than/ } });
  t.match(await stateOf('hangs'), { outcome: 'failed', cooldown_until: Number });
  t.match(await act('hangs'), { status: 429 });
});

t.test('a call whose host is killed is not made again either', ofFullList, async (t) => {
  const own = await startWorkerPool(t, { fileRoots: [folder] });
  const killed = await open(await openTestStore(t, 'sqlite'), {}, own);
  const asked = killed.act('hangs');
  while ((await killed.stateOf('hangs')) === undefined || own.stats().running === 0) await sleep(5);
  await sleep(200);
  process.kill(own.stats().hostPid ?? 0, 'SIGKILL');
  t.match(await asked, { status: 502, body: { message: /look at the other side whether it took effect/ } });
  t.match(await killed.act('hangs'), { status: 429 });
});

t.test('a repeated request with the same key acts once', async (t) => {
  const { app, base, noted } = await open(await openTestStore(t, 'sqlite'));
  const send = () =>
    app
      .as('operator')
      .post<Acted>(`${base}/note/action`, { input: { city: 'Rome' } }, { 'idempotency-key': 'a' });
  const [first, second] = [await send(), await send()];
  t.equal(first.status, 200);
  t.same(second.body, first.body);
  t.equal(second.headers['idempotent-replayed'], 'true');
  t.equal(noted().length, 1);
});

t.test('what cannot be acted on is refused, and nothing happens', async (t) => {
  const { app, base, act, noted, audit } = await open(await openTestStore(t, 'sqlite'));
  t.match(await act('nothing'), { status: 404, body: { message: 'There is no widget "nothing"' } });
  t.match(await act('sum'), { status: 400, body: { message: /of the type "stat"/ } });
  t.match(await act('empty'), { status: 422 });
  t.match(await app.as('operator').post('/api/dashboards/999/widgets/note/action'), { status: 404 });
  for (const input of [undefined, {}, { city: '' }, { city: 7 }, { city: 'x', other: 1 }])
    t.match(await act('note', input), {
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path: /^input/ }] },
    });
  for (const body of [{ input: 7 }, { input: [] }, { value: {} }])
    t.match(await app.as('operator').post(`${base}/note/action`, body), { status: 400 });
  const input = { input: { city: 'x' } };
  t.match(await app.as('viewer').post(`${base}/note/action`, input), { status: 403 });
  t.match(await app.withKey('admin', 'jobs:write').post(`${base}/note/action`, input), { status: 403 });
  t.match(await app.anonymous.post(`${base}/note/action`, input), { status: 401 });
  t.same(noted(), []);
  t.same(await audit(), []);
});
