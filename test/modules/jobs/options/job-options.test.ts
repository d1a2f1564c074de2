import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { WorkerPool } from '../../../../src/threads/worker-pool.ts';
import { userOf } from '../../../support/app.ts';
import { openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../definitions-app.ts';
import { seedJob } from '../seed-job.ts';

interface Options {
  options: { label: string; value: string; subText?: string }[];
  next_cursor: string | null;
}

const folder = t.testdir();
const pool = await startWorkerPool(t, { fileRoots: [folder] });
const path = join(folder, 'geo.db');
const database = new DatabaseSync(path);
database.exec('CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT, country TEXT)');
const insert = database.prepare('INSERT INTO cities (name, country) VALUES (?, ?)');
for (let n = 1; n <= 120; n++) insert.run(`City ${n}`, n <= 100 ? 'de' : 'fr');
database.close();

const TEMPLATE = `
job_config:
  where:
    type: form
    fields:
      - { key: country, type: select, options: [{ label: Germany, value: de }, { label: France, value: fr }, { label: Denmark, value: dk }] }
      - key: city
        type: select
        depends_on: [country]
        options_source: { connector: geo, method: list, args: { table: cities, filter: { country: "{{ country }}" }, sort: [id] }, value_expr: item.id, label_expr: item.name, subtext_expr: item.country }
      - { key: broken, type: select, options_source: { connector: off, method: list, value_expr: item.id } }
      - { key: note, type: text }
  map:
    type: field_mapping
    source: { options_source: { connector: geo, method: list, args: { table: cities } }, value_expr: item.id, label_expr: item.name }
  loose:
    type: form
    fields:
      - { key: country, type: text }
      - { key: city, type: select, options_source: { connector: geo, method: list, args: { table: cities, filter: { country: "{{ country }}" } }, value_expr: item.id } }
  rows:
    type: field_mapping
    source: { options_source: { connector: geo, method: list, args: { table: cities, filter: { country: "{{ value[0].source_field }}" } }, value_expr: item.id } }
  plain: { type: field_mapping }
`;
const connectors = {
  geo: { type: 'sqlite', config: { path } },
  off: { type: 'dummy', config: { fault: 'UNAVAILABLE', message: 'it is away' } },
};

/** The worker host, and how often it was asked for options. */
function counted() {
  const asked: string[] = [];
  const counting: WorkerPool = {
    run: (task, options) => {
      if (task.kind === 'options') asked.push(task.kind);
      return pool.run(task, options);
    },
    stats: () => pool.stats(),
    ready: () => pool.ready(),
    stop: async () => undefined,
  };
  return { asked, counting };
}

async function open() {
  const { asked, counting } = counted();
  const store = await openTestStore(t, 'sqlite');
  const app = await createDefinitionsApp(t, store, counting);
  const seeded = await seedJob(app, { connectors, template: TEMPLATE });
  const options = (entry: string, body?: object) =>
    app.as('viewer').post<Options>(`/api/jobs/${seeded.jobId}/config/${entry}/options`, body);
  return { app, ...seeded, options, asked };
}

const valuesOf = ({ body }: { body: Options }) => body.options.map(({ value }) => value);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => String(from + n));

t.test('the options of an entry are given page by page', async (t) => {
  const { options } = await open();
  const value = { country: 'de' };
  const first = await options('where', { side: 'city', value });
  t.match(first, { status: 200, body: { options: [{ label: 'City 1', value: '1', subText: 'de' }] } });
  t.same(valuesOf(first), range(1, 50));
  const second = await options('where', { side: 'city', value, cursor: first.body.next_cursor });
  t.same(valuesOf(second), range(51, 100));
  t.equal(second.body.next_cursor, null);
  t.same(valuesOf(await options('where', { side: 'city', value: { country: 'fr' } })), range(101, 120));
  t.same(valuesOf(await options('where', { side: 'city', value, q: 'city 99' })), ['99']);
  t.same(valuesOf(await options('map', { side: 'source', q: 'City 120' })), ['120'], 'and of a mapping');
});

t.test('an author’s own options need no connector', async (t) => {
  const { options, asked } = await open();
  t.same((await options('where', { side: 'country' })).body, {
    options: [
      { label: 'Germany', value: 'de' },
      { label: 'France', value: 'fr' },
      { label: 'Denmark', value: 'dk' },
    ],
    next_cursor: null,
  });
  t.same(valuesOf(await options('where', { side: 'country', q: 'DE' })), ['de', 'dk']);
  t.match(await options('where', { side: 'country', cursor: 'x' }), { status: 400 });
  t.same(asked, []);
});

t.test('without what they depend on there are none, and nobody is asked', async (t) => {
  const { app, options, asked, jobId } = await open();
  const none = { options: [], next_cursor: null };
  for (const value of [undefined, {}, { country: null }, { country: '' }, { country: [] }, 'text'])
    t.same((await options('where', { side: 'city', value })).body, none);
  t.same(asked, []);
  await app.as('operator').put(`/api/jobs/${jobId}/config/where`, { value: { country: 'fr' } });
  t.equal(valuesOf(await options('where', { side: 'city' })).length, 20, 'what is saved is the draft');
});

t.test(
  'a draft has values of its fields alone: no condition of the sender’s own gets into the arguments',
  async (t) => {
    const { options } = await open();
    const none = { options: [], next_cursor: null };
    for (const country of [{ ne: 'de' }, { contains: '' }, ['de', 'fr'], true, 7])
      t.same(
        (await options('where', { side: 'city', value: { country } })).body,
        none,
        JSON.stringify(country),
      );
    for (const country of [{ ne: 'de' }, { is_null: false }, ['de'], null])
      t.same(
        (await options('loose', { side: 'city', value: { country } })).body,
        none,
        'without depends_on too',
      );
    const value = { country: 'fr', args: { x: 1 }, job: 7, other: { ne: 1 } };
    t.equal(valuesOf(await options('where', { side: 'city', value })).length, 20);
    const rows = [{ source_field: { ne: '' }, target_field: 'x' }, 'text'];
    t.same((await options('rows', { side: 'source', value: rows })).body, none);
    const named = [{ source_field: 'fr', target_field: 'x' }];
    t.equal(valuesOf(await options('rows', { side: 'source', value: named })).length, 20);
  },
);

t.test('what cannot be answered is refused with its reason', async (t) => {
  const { app, options, jobId } = await open();
  const value = { country: 'de' };
  t.match(await options('where'), {
    status: 400,
    body: {
      error: 'VALIDATION_ERROR',
      message: '"side" is required: give one of "country", "city", "broken"',
    },
  });
  t.match(await options('where', { side: 'note' }), {
    status: 400,
    body: { message: /no options under the side "note"/ },
  });
  t.match(await options('map', { side: 'target' }), {
    status: 400,
    body: { message: /give one of "source"/ },
  });
  t.match(await options('plain', { side: 'source' }), {
    status: 400,
    body: { message: /nothing to choose/ },
  });
  t.match(await options('nothing', {}), {
    status: 404,
    body: { message: 'There is no job_config entry "nothing"' },
  });
  t.match(await app.as('viewer').post('/api/jobs/999/config/where/options'), { status: 404 });
  t.match(await options('where', { side: 'broken' }), {
    status: 502,
    body: { error: 'CONNECTOR_ERROR', message: /it is away/ },
  });
  const { body } = await options('where', { side: 'city', value });
  for (const other of [{ value: { country: 'fr' } }, { value, q: 'City' }, { value, cursor: 'made up' }])
    t.match(await options('where', { side: 'city', cursor: body.next_cursor, ...other }), { status: 400 });
  t.match(await options('map', { side: 'source', cursor: body.next_cursor }), { status: 400 });
  for (const wrong of [{ side: 7 }, { q: 'x'.repeat(201) }, { cursor: 'x'.repeat(4_001) }, { more: 1 }])
    t.match(await options('where', wrong), { status: 400 });
  t.match(await app.withKey('viewer', 'tasks:read').post(`/api/jobs/${jobId}/config/where/options`), {
    status: 403,
  });
});

t.test('the same page is asked for once in ten seconds, while everything is as it was', async (t) => {
  const { app, options, asked, jobId, connectorIds } = await open();
  const page = (country: string) => options('where', { side: 'city', value: { country } });
  const pages = await Promise.all(Array.from({ length: 20 }, () => page('de')));
  t.equal(new Set(pages.map(({ text }) => text)).size, 1);
  t.equal(asked.length, 1, 'those who ask together wait for one answer');
  await page('de');
  t.equal(asked.length, 1);
  await page('fr');
  t.equal(asked.length, 2, 'another draft is another question');
  app.clock.advance(10_000);
  await page('de');
  t.equal(asked.length, 3);
  await app.as('operator').put(`/api/jobs/${jobId}/config/where`, { value: { country: 'fr' } });
  await page('de');
  t.equal(asked.length, 4, 'another configuration');
  const geo = { name: 'geo', ...connectors.geo, description: 'newer' };
  await app.as('admin').put(`/api/connectors/${connectorIds['geo']}`, geo);
  await page('de');
  t.equal(asked.length, 5, 'another version of the connector');
  for (let n = 0; n < 3; n++) await options('where', { side: 'broken' });
  t.equal(asked.length, 8, 'a failure is not kept');
});

t.test('one user, with all their keys, may ask 300 times a minute', async (t) => {
  const { app, options, jobId } = await open();
  const statuses: number[] = [];
  for (let n = 0; n < 301; n++) statuses.push((await options('where', { side: 'country' })).status);
  t.same(new Set(statuses.slice(0, 300)), new Set([200]));
  t.match(await options('where', { side: 'country' }), {
    status: 429,
    body: { error: 'RATE_LIMITED' },
    headers: { 'retry-after': String },
  });
  const path = `/api/jobs/${jobId}/config/where/options`;
  const key = app.withKey('viewer', '*').post(path, { side: 'country' });
  t.match(await key, { status: 429 }, 'a key is no way round it');
  const other = app.as(userOf('viewer', 2)).post(path, { side: 'country' });
  t.match(await other, { status: 200 }, 'another user is counted by themself');
});
