import t from 'tap';
import { openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { dashboardOf } from '../shop.ts';

interface Options {
  options: { label: string; value: string }[];
  next_cursor: string | null;
}

const pool = await startWorkerPool(t);
const SOURCE = 'options_source: { connector: cities, method: list, value_expr: item.id }';
const TEMPLATE = `
job_config:
  where: { type: form, fields: [{ key: city, type: select, ${SOURCE} }, { key: note, type: text }] }
  map: { type: field_mapping, source: { options_source: { connector: cities, method: list }, value_expr: item.id, label_expr: item.id } }
`;
const BOARD = dashboardOf(
  '{ id: where, type: form }',
  '{ id: fields, type: field_mapping, config_key: map }',
  '{ id: go, type: action, run: { job: true }, input: [{ key: how, type: select, options: [{ label: Fast, value: fast }, { label: Slow, value: slow }] }, { key: note, type: text }] }',
  '{ id: bare, type: action, run: { job: true } }',
  '{ id: sum, type: stat, value_expr: "1" }',
);
const SCOPED = `
scope: { near: { cities: { id: city 7 }, towns: { id: town 1 } } }
${dashboardOf(
  '{ id: where, type: form, scope: near }',
  `{ id: pick, type: action, scope: near, run: { job: true }, input: [{ key: city, type: select, ${SOURCE} }] }`,
  '{ id: look, type: action, scope: near, run: { connector: cities, method: list } }',
  '{ id: towns, type: stat, scope: near, connector: towns, method: list, value_expr: $count(data) }',
)}`;
const ids = Array.from({ length: 60 }, (_, n) => `city ${n + 1}`);
const cities = { type: 'dummy', config: { rows: ids.map((id) => ({ id })) } };
const store = await openTestStore(t, 'sqlite');
const app = await createDefinitionsApp(t, store, pool);
const { dashboardIds, jobId } = await seedJob(app, {
  connectors: { cities, towns: { type: 'dummy', config: { rows: [{ id: 'town 1' }, { id: 'town 2' }] } } },
  template: TEMPLATE,
  dashboards: [BOARD, SCOPED],
});
const options = (widget: string, body?: object) =>
  app.as('viewer').post<Options>(`/api/dashboards/${dashboardIds[0]}/widgets/${widget}/options`, body);
const valuesOf = ({ body }: { body: Options }) => body.options.map(({ value }) => value);

t.test('forms, mappings and the inputs of actions give their options', async (t) => {
  const first = await options('where', { side: 'city' });
  t.same(valuesOf(first), ids.slice(0, 50));
  t.same(valuesOf(await options('where', { side: 'city', cursor: first.body.next_cursor })), ids.slice(50));
  t.same(valuesOf(await options('where', { side: 'city', q: 'CITY 60' })), ['city 60']);
  t.same(valuesOf(await options('fields', { side: 'source' })), ids.slice(0, 50));
  t.same(valuesOf(await options('go', { side: 'how' })), ['fast', 'slow']);
  t.same(valuesOf(await options('go', { side: 'how', q: 'FA' })), ['fast']);
  t.same(
    (await options('where', { side: 'city' })).text,
    (await app.as('viewer').post(`/api/jobs/${jobId}/config/where/options`, { side: 'city' })).text,
    'a widget’s page is the entry’s page',
  );
});

t.test('the scope of a widget limits its options, and what it takes', async (t) => {
  const path = `/api/dashboards/${dashboardIds[1]}/widgets`;
  for (const widget of ['where', 'pick']) {
    const found = await app.as('viewer').post<Options>(`${path}/${widget}/options`, { side: 'city' });
    t.same(valuesOf(found), ['city 7'], widget);
  }
  t.same(valuesOf(await options('where', { side: 'city' })), ids.slice(0, 50), 'no scope, no limit');
  const editor = app.as('editor');
  const submit = (city: string) => editor.post(`${path}/where/submit`, { value: { city } });
  t.match(await submit('city 8'), { status: 400, text: /not offered any more/ });
  t.match(await submit('city 7'), { status: 200 });
  const act = (city: string) => editor.post(`${path}/pick/action`, { input: { city } });
  t.match(await act('city 8'), { status: 400, text: /not offered any more/ });
  const looked = await editor.post<{ result: unknown }>(`${path}/look/action`, { input: {} });
  t.same(looked.body.result, [{ id: 'city 7' }], 'and what an action reads');
  t.match(await editor.post(`${path}/data`, { widget_ids: ['towns'] }), {
    body: { widgets: { towns: { data: { value: 1 } } } },
  });
});

t.test('a side that is not there is refused with those that are', async (t) => {
  const refused = async (widget: string, message: RegExp, side?: string) =>
    t.match(await options(widget, { side }), { status: 400, body: { error: 'VALIDATION_ERROR', message } });
  await refused('where', /required: give one of "city"/);
  await refused('where', /give one of "city"/, 'note');
  await refused('fields', /give one of "source"/, 'target');
  await refused('go', /give one of "how"/, 'note');
  await refused('bare', /nothing to choose from/, 'how');
  await refused('sum', /of the type "stat"/, 'how');
  t.match(await options('nothing'), { status: 404, body: { message: 'There is no widget "nothing"' } });
  t.match(await app.as('viewer').post('/api/dashboards/999/widgets/where/options'), { status: 404 });
  const { body } = await options('where', { side: 'city' });
  t.match(await options('fields', { side: 'source', cursor: body.next_cursor }), { status: 400 });
});
