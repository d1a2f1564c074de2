import t from 'tap';
import {
  insertPreset,
  selectPresetByName,
} from '../../../src/modules/explorer-presets/explorer-preset-store.ts';
import { eachStore } from '../../support/stores.ts';
import { presetsApp } from './presets-app.ts';

interface Preset {
  id: number;
  name: string;
  visibility: string;
  owner_id: number | null;
}
type Page = { result: Preset[]; next_cursor: string | null };
type Refused = { error: string; message: string; details: { path: string; message: string }[] };

const PATH = '/api/explorer-presets';

const inputOf = (connector_id: number, more: object = {}) => ({
  name: 'Open orders',
  connector_id,
  resource: 'orders',
  columns: ['id', 'total'],
  filter: { status: 'open', total: { gte: 100, lt: 1_000 }, city: null },
  sort: ['-total', 'id'],
  visibility: 'team',
  ...more,
});

await eachStore(t, 'a preset of the team is written by editors, and read by everybody', async (t, store) => {
  const { of, connector, anonymous } = await presetsApp(t, store);
  const shop = await connector('shop');
  const editor = of('editor');
  const created = await editor.post<Preset>(PATH, inputOf(shop));
  t.match(created, { status: 201, headers: { etag: '"1"' } });
  const record = {
    id: created.body.id,
    ...inputOf(shop),
    description: null,
    owner_id: null,
    version: 1,
    created_at: '2026-01-15T12:00:00.000Z',
    updated_at: '2026-01-15T12:00:00.000Z',
    updated_by: 'editor@example.com',
  };
  t.same(created.body, record);
  const path = `${PATH}/${record.id}`;
  const read = await of('viewer').get(path);
  t.match(read, { status: 200, headers: { etag: '"1"' } });
  t.same(read.body, record);
  t.same(await selectPresetByName(store.read, shop, 'Open orders'), {
    name: 'Open orders',
    connector_id: shop,
    resource: 'orders',
    columns: ['id', 'total'],
    filter: { status: 'open', total: { gte: 100, lt: 1_000 }, city: null },
    sort: ['-total', 'id'],
  });

  t.match(await editor.put(path, inputOf(shop)), { status: 200, body: { version: 1 } }, 'identical');
  const { columns: _all, filter: _none, sort: _own, ...bare } = inputOf(shop, { name: 'All orders' });
  const changed = await editor.put(path, bare, { 'if-match': '"1"' });
  t.match(changed, { headers: { etag: '"2"' }, body: { columns: [], filter: {}, sort: [], version: 2 } });
  t.match(await editor.put(path, bare, { 'if-match': '"1"' }), { status: 412 });
  t.match(await editor.delete(path, { 'if-match': '"1"' }), { status: 412 });

  const refusal = {
    status: 403,
    body: { error: 'FORBIDDEN', message: /role "editor"; yours is "operator"/ },
  };
  const operator = of('operator');
  t.match(await operator.post(PATH, inputOf(shop, { name: 'x' })), refusal);
  t.match(await operator.put(path, bare), refusal);
  t.match(await operator.delete(path), refusal);
  t.equal((await anonymous.get(PATH)).status, 401);

  t.equal((await editor.delete(path)).status, 204);
  for (const gone of [await editor.get(path), await editor.put(path, bare), await editor.delete(path)])
    t.match(gone, { status: 404, body: { error: 'NOT_FOUND' } });
  const audit = await store.read.selectFrom('audit_logs').select('action').orderBy('id').execute();
  t.same(
    audit.map(({ action }) => action).filter((action) => action.startsWith('explorer_preset')),
    ['explorer_preset.create', 'explorer_preset.update', 'explorer_preset.delete'],
  );
});

await eachStore(t, 'a private preset exists for its owner alone', async (t, store) => {
  const { of, keyOf, ids, connector } = await presetsApp(t, store);
  const shop = await connector('shop');
  const mine = inputOf(shop, { name: 'Mine', visibility: 'private' });
  const viewer = of('viewer');
  const created = await viewer.post<Preset>(PATH, mine);
  t.match(created, { status: 201, body: { owner_id: ids.viewer, visibility: 'private' } });
  const path = `${PATH}/${created.body.id}`;
  for (const role of ['operator', 'editor', 'admin', 'superadmin'] as const) {
    const other = of(role);
    for (const answer of [
      await other.get(path),
      await other.put(path, mine),
      await other.put(path, { ...mine, visibility: 'team' }),
      await other.delete(path),
    ])
      t.match(answer, { status: 404, body: { message: `There is no explorer preset "${created.body.id}"` } });
    t.same((await other.get<Page>(PATH)).body.result, []);
  }
  t.equal(await selectPresetByName(store.read, shop, 'Mine'), null, 'no dashboard shows it');
  const row = await store.read.selectFrom('audit_logs').selectAll().orderBy('id', 'desc').executeTakeFirst();
  t.notOk(row?.diff_json?.includes('Mine'), 'nor does the audit log name it');

  const key = keyOf('viewer', 'explorer-presets:write');
  t.match(await key.get(path), { status: 200 }, 'a key acts for its creator');
  t.match(await key.put(path, { ...mine, resource: 'customers' }), { body: { version: 2 } });
  t.equal((await keyOf('viewer', 'explorer-presets:read').put(path, mine)).status, 403);
  t.match(await key.post<Preset>(PATH, { ...mine, name: 'By key' }), { body: { owner_id: ids.viewer } });

  t.match(await viewer.put(path, { ...mine, visibility: 'team' }), { status: 403 });
  t.equal((await viewer.delete(path)).status, 204);

  const editors = await of('editor').post<Preset>(PATH, mine);
  const shared = await of('editor').put(`${PATH}/${editors.body.id}`, { ...mine, visibility: 'team' });
  t.match(shared.body, { visibility: 'team', owner_id: null });
  t.equal((await viewer.get(`${PATH}/${editors.body.id}`)).status, 200);
  const taken = await of('admin').put(`${PATH}/${editors.body.id}`, mine);
  t.match(taken.body, { visibility: 'private', owner_id: ids.admin });
  t.equal((await of('editor').get(`${PATH}/${editors.body.id}`)).status, 404);
});

await eachStore(t, 'lists are filtered, and their cursors belong to their filters', async (t, store) => {
  const { of, connector } = await presetsApp(t, store);
  const [shop, depot] = [await connector('shop'), await connector('depot')];
  const editor = of('editor');
  for (const [name, connector_id, visibility] of [
    ['Alpha', shop, 'team'],
    ['100%', shop, 'team'],
    ['Beta', depot, 'team'],
    ['Alpha', shop, 'private'],
  ] as const)
    t.equal((await editor.post(PATH, inputOf(connector_id, { name, visibility }))).status, 201);
  t.equal(
    (await of('viewer').post(PATH, inputOf(shop, { name: 'Other', visibility: 'private' }))).status,
    201,
  );
  const namesOf = async (query: string) =>
    (await editor.get<Page>(`${PATH}${query}`)).body.result.map(({ name }) => name);
  t.same(await namesOf(''), ['Alpha', 'Beta', '100%', 'Alpha']);
  t.same(await namesOf('?visibility=private'), ['Alpha']);
  t.same(await namesOf(`?connector_id=${depot}`), ['Beta']);
  t.same(await namesOf('?q=ALPH&visibility=team'), ['Alpha']);
  t.same(await namesOf('?q=00%25'), ['100%'], 'a wildcard is a plain character');
  const first = await editor.get<Page>(`${PATH}?limit=3`);
  const cursor = first.body.next_cursor;
  t.same(await namesOf(`?limit=3&cursor=${cursor}`), ['Alpha']);
  t.match(await editor.get(`${PATH}?limit=3&visibility=team&cursor=${cursor}`), { status: 400 });
  t.match(await editor.get(`${PATH}?visibility=secret`), { status: 400 });
});

await eachStore(t, 'a name is taken once: by the team, and by each user', async (t, store) => {
  const { of, connector } = await presetsApp(t, store);
  const [shop, depot] = [await connector('shop'), await connector('depot')];
  const editor = of('editor');
  const one = await editor.post<Preset>(PATH, inputOf(shop, { name: 'One' }));
  const two = await editor.post<Preset>(PATH, inputOf(shop, { name: 'Two' }));
  const conflict = { status: 409, body: { error: 'CONFLICT', message: /explorer preset "One"/ } };
  t.match(await of('admin').post(PATH, inputOf(shop, { name: ' One ' })), conflict);
  t.match(await editor.put(`${PATH}/${two.body.id}`, inputOf(shop, { name: 'One' })), conflict);
  const own = inputOf(shop, { name: 'One', visibility: 'private' });
  for (const user of [editor, of('viewer')]) {
    t.equal((await user.post(PATH, own)).status, 201);
    t.match(await user.post(PATH, own), conflict);
  }
  t.match(await editor.put(`${PATH}/${one.body.id}`, own), conflict, 'nor by a change of visibility');
  t.equal((await editor.post(PATH, inputOf(depot, { name: 'One' }))).status, 201, 'of another connector');
  const many = await Promise.all(
    Array.from({ length: 6 }, () => editor.post(PATH, inputOf(depot, { name: 'Race' }))),
  );
  t.same(many.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);

  const key = { 'idempotency-key': 'k1' };
  const first = await editor.post<Preset>(PATH, inputOf(shop, { name: 'Three' }), key);
  const again = await editor.post<Preset>(PATH, inputOf(shop, { name: 'Three' }), key);
  t.match(again, { status: 201, headers: { 'idempotent-replayed': 'true' }, body: { id: first.body.id } });

  t.equal((await of('admin').delete(`/api/connectors/${shop}`)).status, 204);
  t.same((await editor.get<Page>(`${PATH}?connector_id=${shop}`)).body.result, [], 'they go with it');
});

await eachStore(t, 'what is wrong with a preset is told at once', async (t, store) => {
  const { of, connector } = await presetsApp(t, store);
  const shop = await connector('shop');
  const editor = of('editor');
  const wrong = inputOf(shop, {
    columns: ['id', 'id'],
    filter: {
      '': 1,
      age: { gte: null, like: 'x', in: [] },
      name: { contains: 5, is_null: 'yes' },
      list: [1, 2],
      map: {},
      nested: { eq: { a: 1 } },
      values: { in: [1, { a: 1 }] },
      long: 'x'.repeat(2_001),
    },
    sort: ['-', '', 'a', '-a'],
    visibility: 'public',
    surprise: true,
  });
  const refused = await editor.post<Refused>(PATH, wrong);
  t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR' } });
  const paths = refused.body.details.map(({ path }) => path);
  for (const path of [
    'columns',
    'filter.age.gte',
    'filter.age.like',
    'filter.age.in',
    'filter.name.contains',
    'filter.name.is_null',
    'filter.list',
    'filter.map',
    'filter.nested.eq',
    'filter.values.in',
    'filter.long',
    'visibility',
  ])
    t.ok(paths.includes(path), path);
  t.ok(paths.some((path) => path.startsWith('sort')));
  t.match(
    refused.body.details.find(({ path }) => path === 'filter.age.like')?.message,
    /operator "like"; there are eq, ne/,
  );
  t.match(await editor.post(PATH, inputOf(999)), {
    status: 400,
    body: { details: [{ path: 'connector_id', message: 'There is no connector "999"' }] },
  });
  const twoMany = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`c${i}`, { gt: 1, lt: 2 }]));
  t.match(await editor.post(PATH, inputOf(shop, { filter: twoMany })), {
    status: 400,
    body: { message: /at most 100 conditions/ },
  });
  const good = { a: { eq: null, ne: 'x' }, b: { in: [1, 'x', null, true] }, c: true, d: { is_null: false } };
  t.equal((await editor.post(PATH, inputOf(shop, { filter: good }))).status, 201);
});

await eachStore(
  t,
  'a user has at most 500 private presets, and those of the team do not count',
  async (t, store) => {
    const { of, ids, connector } = await presetsApp(t, store);
    const shop = await connector('shop');
    const of500 = (index: number) => ({
      input: { ...inputOf(shop), name: `Preset ${index}`, description: null, visibility: 'private' as const },
      ownerId: ids.editor,
      by: 'editor',
      now: 0,
    });
    await store.write(async (tx) => {
      for (let index = 0; index < 500; index += 1) await insertPreset(tx, of500(index));
    });
    const editor = of('editor');
    const full = { status: 409, body: { error: 'CONFLICT', message: /500 private presets/ } };
    t.match(await editor.post(PATH, inputOf(shop, { visibility: 'private' })), full);
    t.equal((await of('viewer').post(PATH, inputOf(shop, { visibility: 'private' }))).status, 201);
    const team = await editor.post<Preset>(PATH, inputOf(shop));
    t.equal(team.status, 201);
    t.match(await editor.put(`${PATH}/${team.body.id}`, inputOf(shop, { visibility: 'private' })), full);
  },
);
