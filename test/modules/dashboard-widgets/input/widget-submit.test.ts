import t from 'tap';
import { eachStore, openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { dashboardOf } from '../shop.ts';

interface Submitted {
  saved: boolean;
  problems: { path: string; message: string }[];
  hidden: string[];
  value: unknown;
  version: number;
}

const pool = await startWorkerPool(t);

const TEMPLATE = `
job_config:
  where:
    type: form
    title: Where
    fields:
      - { key: kind, label: Kind, type: select, options: [{ label: City, value: city }, { label: None, value: none }], default: none }
      - { key: city, label: City, type: select, required: true, hide_if_expr: "kind = 'none'", options_source: { connector: cities, method: list, value_expr: item.id } }
      - { key: more, label: More, type: multi_select, options_source: { connector: cities, method: list, value_expr: item.id } }
      - { key: away, label: Away, type: select, options_source: { connector: away, method: list, value_expr: item.id } }
      - { key: land, label: Land, type: text }
      - { key: town, label: Town, type: select, depends_on: [land], options_source: { connector: towns, method: list, args: { where: { land: "{{ land }}" } }, value_expr: item.id } }
      - { key: mail, label: Mail, type: text, format: email }
  map: { type: field_mapping, allow_transform: true }
`;
const cities = (...ids: readonly string[]) => ({
  type: 'dummy',
  config: { rows: ids.map((id) => ({ id })) },
});
const BOARD = dashboardOf(
  '{ id: where, type: form, title: Where }',
  '{ id: fields, type: field_mapping, config_key: map }',
  '{ id: lost, type: form, config_key: nothing }',
  '{ id: mixed, type: form, config_key: map }',
  '{ id: sum, type: stat, value_expr: "1" }',
  '{ id: later, type: form, config_key: where, visible_if_expr: job_config.where.mail }',
  '{ id: torn, type: form, config_key: where, visible_if_expr: $error() }',
);

async function open(store: Parameters<typeof createDefinitionsApp>[1]) {
  const app = await createDefinitionsApp(t, store, pool, { storedDashboards: true });
  const connectors = {
    cities: cities('bonn', 'koeln'),
    away: { type: 'dummy', config: { fault: 'UNAVAILABLE' } },
    towns: {
      type: 'dummy',
      config: {
        rows: [
          { id: 'bonn', land: 'de' },
          { id: 'rome', land: 'it' },
        ],
      },
    },
  };
  const seeded = await seedJob(app, { connectors, template: TEMPLATE, dashboards: [BOARD] });
  const base = `/api/dashboards/${seeded.dashboardIds[0]}/widgets`;
  const submit = (widget: string, body: object) =>
    app.as('operator').post<Submitted>(`${base}/${widget}/submit`, body);
  const config = async () => (await app.as('viewer').get(`/api/jobs/${seeded.jobId}/config`)).body;
  return { app, ...seeded, base, submit, config };
}

await eachStore(t, 'a form saves its entry of the configuration', async (t, store) => {
  const { app, submit, config } = await open(store);
  const value = { kind: 'city', city: 'bonn', more: ['koeln'], mail: 'a@example.com' };
  const saved = await submit('where', { value, version: 1 });
  t.match(saved, { status: 200, body: { saved: true, problems: [], hidden: [], value, version: 2 } });
  t.match(await config(), { version: 2, values: { where: value, map: [] } });
  const hiding = await submit('where', { value: { ...value, kind: 'none' }, version: 2 });
  t.match(hiding, { body: { saved: true, hidden: ['city'], version: 3 } });
  t.notOk('city' in (hiding.body.value as object), 'what is hidden is not kept');
  const audit = await store.read
    .selectFrom('audit_logs')
    .selectAll()
    .where('action', '=', 'job.config')
    .execute();
  t.match(audit, [{ actor_name: 'operator@example.com', resource_type: 'job' }, {}]);
  const batch = await app
    .as('operator')
    .post<{ widgets: Record<string, { data: object }> }>(`/api/dashboards/${1}/widgets/data`, {
      widget_ids: ['where'],
    });
  t.match(batch.body.widgets['where']?.data, { version: 3, values: { kind: 'none' }, readonly: false });
});

await eachStore(t, 'a mapping saves its rows, with their expressions', async (t, store) => {
  const { submit, config } = await open(store);
  const rows = [{ source_field: 'a', target_field: 'b', transform: '$uppercase(value)' }];
  t.match(await submit('fields', { value: rows }), {
    status: 200,
    body: { saved: true, value: rows, version: 2 },
  });
  t.match(await config(), { values: { map: rows } });
  const twice = [...rows, { source_field: 'c', target_field: 'b', transform: null }];
  t.match(await submit('fields', { value: twice }), {
    status: 400,
    body: { details: [{ path: 'map[1].target_field', message: /mapped twice/ }] },
  });
  t.match(await config(), { version: 2 });
});

await eachStore(t, 'only a form that was filled in from what is saved is saved', async (t, store) => {
  const { submit, config } = await open(store);
  const value = { kind: 'none' };
  const both = await Promise.all([
    submit('where', { value: { ...value, mail: 'a@example.com' }, version: 1 }),
    submit('where', { value: { ...value, mail: 'b@example.com' }, version: 1 }),
  ]);
  t.same(both.map(({ status }) => status).sort(), [200, 412], 'one of two at once');
  t.match(await submit('where', { value, version: 1 }), {
    status: 412,
    body: { error: 'PRECONDITION_FAILED' },
  });
  t.match(await submit('where', { value, version: 1, dry_run: true }), { status: 412 });
  t.match(await submit('where', { value }), { status: 200 }, 'without a version the last one wins');
  t.match(await config(), { version: 3, values: { where: value } });
});

t.test('a dry run says everything and saves nothing', async (t) => {
  const { submit, config } = await open(await openTestStore(t, 'sqlite'));
  const dry = (value: unknown) => submit('where', { value, dry_run: true });
  t.match(await dry({ kind: 'none', mail: 'a@example.com' }), {
    status: 200,
    body: { saved: false, problems: [], hidden: ['city'], value: { mail: 'a@example.com' }, version: 1 },
  });
  const wrong = await dry({ kind: 'city', mail: 'nobody', other: 1 });
  t.match(wrong, { status: 200, body: { saved: false, hidden: [] } });
  t.same(
    wrong.body.problems.map(({ path }) => path),
    ['where.city', 'where.mail', 'where.other'],
  );
  t.match(await config(), { version: 1 });
});

t.test('an option that is not offered any more is a problem, unless it was saved before', async (t) => {
  const { app, submit, connectorIds } = await open(await openTestStore(t, 'sqlite'));
  const refused = await submit('where', {
    value: { kind: 'city', city: 'rome', more: ['bonn', 'paris', 'oslo'] },
  });
  t.match(refused, {
    status: 400,
    body: {
      details: [
        { path: 'where.city', message: '"rome" is not offered any more: choose another' },
        { path: 'where.more', message: /"paris"/ },
        { path: 'where.more', message: /"oslo"/ },
      ],
    },
  });
  const value = { kind: 'city', city: 'bonn', more: ['koeln'] };
  t.match(await submit('where', { value }), { status: 200 });
  const moved = { name: 'cities', ...cities('rome') };
  t.match(await app.as('admin').put(`/api/connectors/${connectorIds['cities']}`, moved), { status: 200 });
  const next = { ...value, mail: 'a@example.com' };
  t.match(await submit('where', { value: next }), { status: 200 }, 'what was saved may stay');
  t.match(await submit('where', { value: { ...next, more: ['koeln', 'bonn'] } }), {
    status: 400,
    body: { details: [{ path: 'where.more', message: /"bonn"/ }] },
  });
  t.match(
    await submit('where', { value: { ...next, away: 'whatever' } }),
    { status: 200 },
    'a source that does not answer holds up nobody',
  );
});

t.test('a mapping takes the fields that its sources offer, and keeps those that it had', async (t) => {
  const app = await createDefinitionsApp(t, await openTestStore(t, 'sqlite'), pool);
  const side = (connector: string) =>
    `{ options_source: { connector: ${connector}, method: list }, label_expr: item.id, value_expr: item.id }`;
  const template = `
job_config:
  map: { type: field_mapping, source: ${side('cities')}, target: ${side('towns')}, default: [{ source_field: rome, target_field: t1 }] }
`;
  const connectors = { cities: cities('bonn', 'koeln'), towns: cities('t1', 't2') };
  const board = dashboardOf('{ id: fields, type: field_mapping, config_key: map }');
  const { jobId, dashboardIds } = await seedJob(app, { connectors, template, dashboards: [board] });
  const row = (source_field: string, target_field: string) => ({
    source_field,
    target_field,
    transform: null,
  });
  const operator = app.as('operator');
  const entry = (value: object) => operator.put(`/api/jobs/${jobId}/config/map`, { value });
  const wrong = {
    status: 400,
    body: {
      details: [
        { path: 'map[1].source_field', message: '"paris" is not offered any more: choose another' },
        { path: 'map[0].target_field', message: /"t3"/ },
      ],
    },
  };
  const rows = [row('bonn', 't3'), row('paris', 't2')];
  t.match(await entry(rows), wrong);
  const submit = (value: object) =>
    operator.post(`/api/dashboards/${dashboardIds[0]}/widgets/fields/submit`, { value });
  t.match(await submit(rows), wrong);
  t.match(await app.as('admin').put(`/api/jobs/${jobId}/config`, { map: rows }), wrong);
  t.match(await entry([row('rome', 't1'), row('koeln', 't2')]), { status: 200 }, 'what was saved may stay');
});

t.test('what depends on another field is asked for again where that has changed', async (t) => {
  const { submit, config } = await open(await openTestStore(t, 'sqlite'));
  const value = { kind: 'none', land: 'de', town: 'bonn' };
  t.match(await submit('where', { value }), { status: 200 });
  const gone = { path: 'where.town', message: '"bonn" is not offered any more: choose another' };
  const refused = { status: 400, body: { details: [gone] } };
  t.match(await submit('where', { value: { ...value, land: 'it' } }), refused);
  t.match(await submit('where', { value: { ...value, land: null } }), refused, 'nothing is offered then');
  t.match(await config(), { version: 2 });
  t.match(await submit('where', { value: { ...value, land: 'it', town: 'rome' } }), { status: 200 });
});

t.test('values that are wrong and values that are gone are told at once', async (t) => {
  const { app, submit, jobId } = await open(await openTestStore(t, 'sqlite'));
  const value = { kind: 'city', city: 'rome', more: ['bonn', 'bonn', 'oslo'], mail: 'nobody' };
  const told = (path: string) => ({
    status: 400,
    body: {
      details: [
        { path: `${path}.more`, message: /twice/ },
        { path: `${path}.mail`, message: /email/ },
        { path: `${path}.city`, message: /"rome" is not offered any more/ },
      ],
    },
  });
  t.match(await submit('where', { value }), told('where'));
  const admin = app.as('admin');
  t.match(await admin.put(`/api/jobs/${jobId}/config/where`, { value }), told('where'));
  const whole = await admin.put<{ details: object[] }>(`/api/jobs/${jobId}/config`, {
    where: value,
    nope: 1,
  });
  t.match(whole.body.details, { length: 4, 2: { path: 'nope' }, 3: { path: 'where.city' } });
});

t.test('a form that is hidden now cannot be used', async (t) => {
  const { app, base, submit, config } = await open(await openTestStore(t, 'sqlite'));
  const value = { kind: 'none', mail: 'a@example.com' };
  const hidden = { status: 404, body: { message: 'There is no widget "later"' } };
  t.match(await submit('later', { value }), hidden);
  t.match(await app.as('viewer').post(`${base}/later/options`, { side: 'kind' }), hidden);
  t.match(await submit('torn', { value }), { status: 422 });
  t.match(await config(), { version: 1 });
  await submit('where', { value });
  t.match(await submit('later', { value: { kind: 'none' } }), { status: 200 });
  t.match(await submit('later', { value }), hidden, 'and so it hid itself');
});

t.test('what cannot be submitted is refused, and changes nothing', async (t) => {
  const { app, base, submit, config } = await open(await openTestStore(t, 'sqlite'));
  const value = { kind: 'none' };
  t.match(await submit('nothing', { value }), {
    status: 404,
    body: { message: 'There is no widget "nothing"' },
  });
  t.match(await submit('sum', { value }), { status: 400, body: { message: /of the type "stat"/ } });
  t.match(await submit('lost', { value }), { status: 400, body: { message: /no form "nothing"/ } });
  t.match(await submit('mixed', { value }), { status: 400, body: { message: /no form "map"/ } });
  t.match(await app.as('operator').post('/api/dashboards/999/widgets/where/submit', { value }), {
    status: 404,
  });
  for (const wrong of ['text', 7, null, [], { kind: 'three' }, { kind: 7 }, { kind: 'city' }])
    t.match(await submit('where', { value: wrong }), { status: 400, body: { error: 'VALIDATION_ERROR' } });
  for (const body of [
    {},
    { value, version: -1 },
    { value, version: 'x' },
    { value, more: 1 },
    { value, dry_run: 7 },
  ])
    t.match(await submit('where', body), { status: 400 }, JSON.stringify(body));
  t.match(await app.as('viewer').post(`${base}/where/submit`, { value }), {
    status: 403,
    body: { error: 'FORBIDDEN' },
  });
  t.match(await app.withKey('admin', 'jobs:run').post(`${base}/where/submit`, { value }), { status: 403 });
  t.match(await app.anonymous.post(`${base}/where/submit`, { value }), { status: 401 });
  t.match(await config(), { version: 1 });
});

t.test('the configuration’s own routes ask for options that are gone too', async (t) => {
  const { app, jobId, config } = await open(await openTestStore(t, 'sqlite'));
  const editor = app.as('admin');
  const value = { kind: 'city', city: 'rome', more: [], away: 'anything' };
  const gone = { path: 'where.city', message: '"rome" is not offered any more: choose another' };
  const refused = { status: 400, body: { error: 'VALIDATION_ERROR', details: [gone] } };
  t.match(await editor.put(`/api/jobs/${jobId}/config/where`, { value }), refused);
  t.match(await editor.put(`/api/jobs/${jobId}/config`, { where: value }), refused);
  t.match(await config(), { version: 1 }, 'nothing was saved');
  const good = { where: { ...value, city: 'bonn' } };
  t.match(await editor.put(`/api/jobs/${jobId}/config`, good), { status: 200, body: { version: 2 } });
});
