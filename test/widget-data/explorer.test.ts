import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import t from 'tap';
import { widgetAppError } from '../../src/widget-data/reader-message.ts';
import { createDatabase } from '../support/postgres.ts';
import { createWidgetScene } from './fixtures/widget-scene.ts';

const YAML = `
scope: { mine: { db: { tenant: "{{ job_config.tenant }}" }, files: { tenant: acme } }, lost: { db: { tenant: "{{ job_config.none }}" } }, part: { db: { age: { gte: 1, lte: "{{ job_config.none }}" } } } }
default_scope: mine
pages:
  - id: a
    title: A
    widgets:
      - { id: db, type: explorer, connector: db, method: list, args: { table: people, sort: [name] }, page_size: 2, search: true, filters: [{ key: city }, { key: age, type: number }], columns: [{ key: name, label: Name, href_expr: "'/people/' & item.id", badge: true }, { key: city }, { key: twice, value_expr: "item.age * 2", format: integer }] }
      - { id: files, type: explorer, connector: files, method: read, args: { file: people.csv }, page_size: 2, search: true, filters: [{ key: city }, { key: age, type: number }], columns: [{ key: name }, { key: city }] }
      - { id: bare, type: explorer, connector: db, method: list, args: { table: people } }
      - { id: whole, type: explorer, connector: db, method: query, args: { sql: "SELECT name, city FROM people" }, search: true, filters: [{ key: city }], page_size: 4 }
      - { id: shaped, type: explorer, scope: null, connector: db, method: list, args: { table: people }, transform_expr: "data.{'who': name, 'old': age > 40}", columns: [{ key: who }, { key: old }] }
      - { id: named, type: explorer, connector: db, method: list, preset: young, filters: [{ key: city }] }
      - { id: other, type: explorer, connector: db, method: list, args: { table: orders }, preset: young }
      - { id: sql, type: explorer, connector: db, method: query, args: { sql: "SELECT 1" }, preset: young }
      - { id: lost, type: explorer, scope: lost, connector: db, method: list, args: { table: people } }
      - { id: part, type: explorer, scope: part, connector: db, method: list, args: { table: people } }
      - { id: value, type: explorer, scope: null, connector: fake, method: echo, args: { value: 5 } }
      - { id: write, type: explorer, scope: null, connector: db, method: execute, args: { sql: "DELETE FROM people" } }
      - { id: none, type: explorer }
      - { id: table, type: table, connector: db, method: list, args: { table: people }, columns: [{ key: name }, { key: twice, value_expr: item.age * 2 }], searchable: true, sort: -twice, limit: 2 }
      - { id: still, type: table, connector: db, method: list, args: { table: people } }
      - { id: stat, type: stat, source: config }
      - { id: hid, type: explorer, connector: db, method: list, args: { table: people }, visible_if_expr: "false" }
  - { id: b, title: B, public: false, widgets: [{ id: inner, type: explorer, connector: db, method: list, args: { table: people } }] }
`;

const CONDITION = { code: 'VALIDATION_ERROR' };

for (const id of ['db', 'files']) {
  t.test(`an explorer pages, sorts, filters and searches within its scope (${id})`, async (t) => {
    const scene = createWidgetScene(t);
    const names = async (page: object) => {
      const { rows } = await scene.rows(YAML, id, page);
      return rows.map((row) => row['name']);
    };
    const first = await scene.rows(YAML, id, { limit: 3 });
    t.same(
      first.rows.map((row) => row['name']),
      ['Ada', 'Bob', 'Di'],
      'beta is outside the scope',
    );
    const second = await scene.rows(YAML, id, { limit: 3, cursor: first.next_cursor });
    t.match(second, { rows: [{ name: 'Ed' }], next_cursor: null });
    t.same(await names({ sort: '-name' }), ['Ed', 'Di', 'Bob', 'Ada']);
    t.same(await names({ filters: { city: 'Bonn', age: { gt: 30 } } }), ['Bob']);
    t.same(await names({ filters: { city: { in: ['Bonn', 'Rome'] } }, sort: '-name' }), ['Ed', 'Di', 'Bob']);
    t.same(await names({ search: 'ON' }), ['Ada', 'Bob', 'Ed'], 'London and Bonn');
    t.same(await names({ search: 'beta' }), [], 'only the columns that are shown are searched');
    t.same(await names({ search: ' ' }), ['Ada', 'Bob', 'Di', 'Ed']);

    await t.rejects(scene.rows(YAML, id, { cursor: first.next_cursor, sort: '-city' }), {
      ...CONDITION,
      message: 'The cursor belongs to another query; start with the first page',
    });
    await t.rejects(scene.rows(YAML, id, { cursor: first.next_cursor, search: 'o' }), CONDITION);
    await t.rejects(
      scene.rows(YAML, id, { cursor: first.next_cursor, filters: { city: 'Bonn' } }),
      CONDITION,
    );
    await t.rejects(scene.rows(YAML, 'bare', { cursor: first.next_cursor }), CONDITION);
    await t.rejects(scene.rows(YAML, id, { cursor: 'x' }), CONDITION);
    if (id !== 'db') return;
    const context = { ...scene.context, job_config: { tenant: 'beta' } };
    await t.rejects(scene.rows(YAML, id, { cursor: first.next_cursor }, { context }), CONDITION);
  });
}

t.test('a page after a change of its file is refused: start with the first page', async (t) => {
  const scene = createWidgetScene(t);
  const source = { connector: 'files', method: 'read', args: { file: 'people.csv' }, value_expr: 'item.id' };
  const page = { limit: 2, cursor: (await scene.rows(YAML, 'files', { limit: 2 })).next_cursor };
  const asked = { limit: 2, cursor: (await scene.options(source, { limit: 2 })).next_cursor };
  appendFileSync(join(scene.folder, 'people.csv'), '7,Gil,Nice,acme,18\n');
  const stale = {
    code: 'VALIDATION_ERROR',
    message: 'The file has changed since the previous page; start with the first page',
  };
  for (const ask of [() => scene.rows(YAML, 'files', page), () => scene.options(source, asked)]) {
    const error = await ask().then(
      () => null,
      (refusal: unknown) => refusal,
    );
    t.match(widgetAppError(error), stale);
  }
  t.match(await scene.rows(YAML, 'files', { sort: '-name', limit: 1 }), { rows: [{ name: 'Gil' }] });
});

t.test('a filter that its column cannot hold is the fault of who gave it', async (t) => {
  const { url } = await createDatabase(t);
  const ref = { id: 9, version: 1, type: 'postgres', config: { url } };
  const scene = createWidgetScene(t);
  const connectors = { ...scene.connectors, pg: ref };
  const client = new pg.Client(url);
  await client.connect();
  await client.query('CREATE TABLE days (id integer PRIMARY KEY, day date)');
  await client.query("INSERT INTO days VALUES (1, '2024-01-31'), (2, '2024-02-01')");
  await client.end();
  const yaml = `widgets:
    - { id: days, type: explorer, connector: pg, method: list, args: { table: days }, filters: [{ key: id, type: number }, { key: day, type: date }] }
    - { id: torn, type: explorer, connector: pg, method: list, args: { table: days, filter: { id: x } }, filters: [{ key: id, type: number }] }`;
  const ask = (id: string, filters: Record<string, unknown>) =>
    scene.rows(yaml, id, { filters }, { connectors });
  t.match(await ask('days', { id: { gte: 2 }, day: { gt: '2024-01-31' } }), { rows: [{ id: 2 }] });
  const told = (path: string, message: string) => ({
    code: 'VALIDATION_ERROR',
    details: [{ path, message }],
  });
  await t.rejects(
    ask('days', { id: 1.5 }),
    told('filters', 'A filter has a value that its column cannot hold'),
  );
  for (const day of ['x', '2024', '2024-02-31', '2024-01-31; SELECT 1'])
    await t.rejects(
      ask('days', { day: { gte: day } }),
      told('filters.day', 'The filter "day" takes a date, such as "2026-01-31"'),
      day,
    );
  t.match(await ask('days', { day: { lt: '2024-01-31T12:00:00.000Z' } }), { rows: [] });
  await t.rejects(
    ask('torn', {}),
    { code: undefined, message: /^A value does not fit/ },
    'the author’s own condition',
  );
});

t.test('what a viewer may not ask for is refused, all at once', async (t) => {
  const scene = createWidgetScene(t);
  const refused = scene.rows(YAML, 'db', {
    sort: 'tenant',
    filters: { tenant: 'beta', age: { gt: 'old', like: 1 }, city: {} },
  });
  await t.rejects(refused, {
    code: 'VALIDATION_ERROR',
    details: [
      { path: 'filters.tenant', message: /There is no filter "tenant"/ },
      { path: 'filters.age', message: /takes a number/ },
      { path: 'filters.age', message: /no operator "like"/ },
      { path: 'filters.city', message: /has no condition/ },
      { path: 'sort', message: /There is no column "tenant" to sort by/ },
    ],
  });
  await t.rejects(scene.rows(YAML, 'db', { sort: 'twice' }), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'sort', message: /worked out/ }],
  });
  await t.rejects(scene.rows(YAML, 'bare', { search: 'a' }), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'search', message: 'This widget offers no search' }],
  });
  await t.rejects(scene.rows(YAML, 'bare', { filters: { city: 'Bonn' } }), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'filters.city', message: /offers no filters/ }],
  });
  await t.rejects(scene.rows(YAML, 'stat'), {
    code: 'VALIDATION_ERROR',
    message: /only a table or an explorer/,
  });
  await t.rejects(scene.rows(YAML, 'inner', {}, { publicView: true }), { code: 'NOT_FOUND' });
  await t.rejects(scene.rows(YAML, 'hid'), { code: 'NOT_FOUND' });
  t.same(await scene.widget(YAML, 'hid'), { hidden: true });
});

t.test('the first page of an explorer is its payload, in declared columns alone', async (t) => {
  const scene = createWidgetScene(t);
  const payload = (await scene.widget(YAML, 'db')) as Record<string, unknown>;
  t.same(payload['columns'], [
    {
      key: 'name',
      label: 'Name',
      format: null,
      decimals: null,
      align: null,
      badge: true,
      href: 'name_href',
      type: 'string',
    },
    {
      key: 'city',
      label: 'city',
      format: null,
      decimals: null,
      align: null,
      badge: null,
      href: null,
      type: 'string',
    },
    {
      key: 'twice',
      label: 'twice',
      format: 'integer',
      decimals: null,
      align: null,
      badge: null,
      href: null,
      type: null,
    },
  ]);
  t.same(payload['rows'], [
    { name: 'Ada', city: 'London', twice: 72, name_href: '/people/1' },
    { name: 'Bob', city: 'Bonn', twice: 100, name_href: '/people/2' },
  ]);
  t.type(payload['next_cursor'], 'string');
  t.notOk(Buffer.from(String(payload['next_cursor']), 'base64url').toString('latin1').includes('Bob'));
  const bare = await scene.rows(YAML, 'bare', { sort: '-id', limit: 1 });
  t.match(bare, { rows: [{ id: 5, tenant: 'acme' }], columns: [{ key: 'id', type: 'integer' }] });
  await t.rejects(scene.rows(YAML, 'bare', { sort: 'nothing' }), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'sort' }],
  });
});

t.test('rows that no driver can page through are paged here', async (t) => {
  const scene = createWidgetScene(t);
  const first = await scene.rows(YAML, 'whole', { limit: 4, sort: '-name' });
  t.same(
    first.rows.map((row) => row['name']),
    ['Flo', 'Ed', 'Di', 'Cy'],
  );
  t.equal(first.total, 6);
  const second = await scene.rows(YAML, 'whole', { limit: 4, sort: '-name', cursor: first.next_cursor });
  t.match(second, { rows: [{ name: 'Bob' }, { name: 'Ada' }], next_cursor: null });
  t.match(await scene.rows(YAML, 'whole', { search: 'rome', filters: { city: { ne: 'Bonn' } } }), {
    total: 2,
  });
  await t.rejects(scene.rows(YAML, 'whole', { limit: 4, cursor: first.next_cursor }), CONDITION);
  const shaped = await scene.rows(YAML, 'shaped', { sort: '-who', limit: 1 });
  t.match(shaped, { rows: [{ who: 'Flo', old: false }], total: 6 });
});

t.test('columns that nobody has named can be sorted by and searched (a connector of one file)', async (t) => {
  const scene = createWidgetScene(t);
  const yaml = 'widgets: [{ id: one, type: explorer, connector: one, method: read, search: true }]';
  const config = { path: `${scene.folder}/people.csv` };
  const connectors = { one: { id: 11, version: 1, type: 'csv', config } };
  const names = async (page: object) =>
    (await scene.rows(yaml, 'one', page, { connectors })).rows.map((row) => row['name']);
  t.same(await names({ sort: '-age', limit: 2 }), ['Bob', 'Di']);
  t.same(await names({ search: 'rome' }), ['Di', 'Flo']);
  await t.rejects(names({ sort: 'nothing' }), { code: 'VALIDATION_ERROR' });
});

t.test('a scope reaches into the filter of a document database', async (t) => {
  const scene = createWidgetScene(t);
  const yaml = `
scope: { mine: { fake: { tenant: acme } } }
default_scope: mine
widgets:
  - { id: docs, type: explorer, connector: fake, method: find, args: { filter: { $or: [{ tenant: beta }, { age: { $gt: 30 } }] } }, columns: [{ key: name }], filters: [{ key: tenant }] }
`;
  const page = await scene.rows(yaml, 'docs', { sort: '-name', limit: 2 });
  t.match(page, { rows: [{ name: 'Di' }, { name: 'Bob' }], total: 3 });
  const next = await scene.rows(yaml, 'docs', { sort: '-name', limit: 2, cursor: page.next_cursor });
  t.match(next, { rows: [{ name: 'Ada' }], next_cursor: null });
  t.match(await scene.rows(yaml, 'docs', { filters: { tenant: 'beta' } }), { rows: [], total: 0 });
});

t.test('a preset gives what the widget itself says nothing of', async (t) => {
  const scene = createWidgetScene(t);
  const preset = {
    name: 'young',
    connector_id: 1,
    resource: 'people',
    columns: ['name', 'age'],
    filter: { age: { lt: 45 } },
    sort: ['-age'],
  };
  t.match(await scene.widget(YAML, 'named', { preset }), {
    columns: [{ key: 'name' }, { key: 'age', type: 'integer' }],
    rows: [{ name: 'Di' }, { name: 'Ada' }, { name: 'Ed' }],
  });
  const rome = await scene.rows(YAML, 'named', { filters: { city: 'Rome' } }, { preset });
  t.same(rome.rows, [{ name: 'Di', age: 41 }], 'the scope holds for a preset as well');
  t.match(await scene.widget(YAML, 'named', { preset: { ...preset, connector_id: 9 } }), {
    error: /preset "young" is of another connector/,
  });
  t.match(await scene.widget(YAML, 'named'), { error: /There is no preset "young"/ });
  t.match(await scene.widget(YAML, 'other', { preset }), { error: /is of "people", which "list"/ });
  t.match(await scene.widget(YAML, 'sql', { preset }), { error: /is of "people", which "query"/ });
});

t.test('what goes wrong is told inline', async (t) => {
  const scene = createWidgetScene(t);
  t.match(await scene.widget(YAML, 'lost'), { error: /its field "tenant" has no value/ });
  t.match(await scene.widget(YAML, 'part'), { error: /its field "age" has no value/ });
  t.match(await scene.widget(YAML, 'value'), { error: /"echo" gave no list of rows/ });
  t.match(await scene.widget(YAML, 'write'), { error: /cannot be changed here by "execute"/ });
  t.match(await scene.widget(YAML, 'none'), { error: /needs a "connector"/ });
});

t.test('a table is paged, sorted and searched by its cells', async (t) => {
  const scene = createWidgetScene(t);
  const first = await scene.rows(YAML, 'table', { limit: 3 });
  t.match(first, { rows: [{ name: 'Bob', twice: 100 }, { name: 'Di' }, { name: 'Ada' }], total: 4 });
  const second = await scene.rows(YAML, 'table', { limit: 3, cursor: first.next_cursor });
  t.match(second, { rows: [{ name: 'Ed' }], next_cursor: null });
  t.match(await scene.rows(YAML, 'table', { sort: 'twice', limit: 1 }), { rows: [{ twice: 58 }] });
  t.match(await scene.rows(YAML, 'table', { search: '100' }), { rows: [{ name: 'Bob' }], total: 1 });
  await t.rejects(
    scene.rows(YAML, 'table', { limit: 3, sort: 'twice', cursor: first.next_cursor }),
    CONDITION,
  );
  await t.rejects(scene.rows(YAML, 'table', { sort: 'tenant' }), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'sort' }],
  });
  await t.rejects(scene.rows(YAML, 'still', { search: 'a' }), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'search' }],
  });
  await t.rejects(scene.rows(YAML, 'table', { filters: { name: 'Ada' } }), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'filters.name' }],
  });
});
