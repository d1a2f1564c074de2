import t from 'tap';
import { createWidgetScene, type WidgetScene } from './fixtures/widget-scene.ts';

const BOARD = `
default_scope: mine
scope: { mine: { db: { tenant: acme } } }
shared_queries:
  people: { connector: db, method: list, args: { table: people } }
widgets:
  - { id: count, type: stat, connector: db, method: count, args: { table: people }, value_expr: data }
  - { id: shared, type: stat, shared_query: people, value_expr: $count(data) }
  - { id: table, type: table, shared_query: people, export: true }
  - { id: explorer, type: explorer, connector: db, method: list, args: { table: people }, export: true }
  - { id: act, type: action, run: { connector: db, method: count, args: { table: people } } }
  - { id: tenant, type: form }
`;

type Document = Record<string, unknown>;

/** The board with its stored document changed, as one that was saved before its text was refused. */
function stored(scene: WidgetScene, change: (document: Document) => void): (id: string) => object {
  const text = scene.input(BOARD, '').document;
  const document = JSON.parse(text ?? '') as Document;
  change(document);
  const source = { documentKey: JSON.stringify(document), document: JSON.stringify(document) };
  return (widgetId) => ({ ...scene.input(BOARD, widgetId), ...source });
}

const PAGE = { limit: 50, cursor: null, sort: null, search: null, filters: {} };

/** Every way in which something of a board is read under its scope, as what it ends with. */
async function readAll(scene: WidgetScene, of: (id: string) => object): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const note = async (way: string, work: () => Promise<unknown>) => {
    found[way] = await work().then(
      (answer) => JSON.stringify(answer).replaceAll('\\', ''),
      (error: unknown) => String(error),
    );
  };
  for (const id of ['count', 'shared', 'table', 'explorer']) {
    const own = { widgetId: id, runs: [] };
    // biome-ignore lint/suspicious/noExplicitAny: the input of a stored document is put together above.
    const input = of(id) as any;
    await note(`widget ${id}`, () => scene.run('widgets', { ...input, widgets: [own] }));
    if (id !== 'table' && id !== 'explorer') continue;
    await note(`rows of ${id}`, () => scene.run('widget_rows', { ...input, page: PAGE }));
    const file = { ...input, page: PAGE, format: 'ndjson', header: null };
    await note(`export of ${id}`, () => scene.run('widget_export', file));
  }
  // biome-ignore lint/suspicious/noExplicitAny: likewise.
  await note('action', () => scene.run('prepare_action', { ...(of('act') as any), value: {} }));
  return found;
}

t.test('a scope is applied on every way', async (t) => {
  const scene = createWidgetScene(t);
  const found = await readAll(
    scene,
    stored(scene, () => undefined),
  );
  t.match(found['widget count'], /"value":4/);
  t.match(found['widget shared'], /"value":4/);
  t.match(found['action'], /"fields":\{"tenant":"acme"\}/);
  for (const [way, answer] of Object.entries(found)) t.notMatch(answer, /beta|Cy|Flo|"value":6/, way);
});

const REFUSALS: Readonly<Record<string, { change: (document: Document) => void; message: RegExp }>> = {
  'limits a connector that the job does not have': {
    change: (document) => {
      document['scope'] = { mine: { bd: { tenant: 'acme' } } };
    },
    message: /it limits "bd", which is no connector of the job/,
  },
  'limits one that the job has, and one that it does not': {
    change: (document) => {
      document['scope'] = { mine: { db: { tenant: 'acme' }, nobody: { tenant: 'acme' } } };
    },
    message: /it limits "nobody"/,
  },
  'is not there': {
    change: (document) => {
      document['scope'] = {};
    },
    message: /There is no scope/,
  },
  'reads what a public form may change': {
    change: (document) => {
      document['allow_public_input'] = true;
      document['scope'] = { mine: { db: { tenant: '{{ job_config.tenant }}' } } };
    },
    message: /people with a share link can change/,
  },
};

for (const [name, { change, message }] of Object.entries(REFUSALS)) {
  t.test(`a stored scope that ${name} shows nothing, on no way`, async (t) => {
    const scene = createWidgetScene(t);
    const found = await readAll(scene, stored(scene, change));
    t.equal(Object.keys(found).length, 9);
    for (const [way, answer] of Object.entries(found)) t.match(answer, message, way);
  });
}

t.test('options are read under the scope of the widget that asks', async (t) => {
  const { options } = createWidgetScene(t);
  const source = {
    connector: 'db',
    method: 'list',
    args: { table: 'people' },
    label_expr: 'item.name',
    value_expr: 'item.id',
  };
  const scope = { name: 'mine', filters: { db: { tenant: 'beta' } }, publicEntries: [] };
  const labels = async (more: object) => (await options(source, more)).options.map(({ label }) => label);
  t.same(await labels({ scope }), ['Cy', 'Flo']);
  t.same(await labels({ scope, q: 'a' }), [], 'searched');
  const wide = { ...source, args: { table: 'people', filter: { tenant: 'acme' } } };
  t.same((await options(wide, { scope })).options, [], 'whatever the source asks for');
  const saved = { ...scope, filters: { db: { tenant: '{{ job_config.tenant }}' } } };
  t.same(
    await labels({ scope: saved, entryKey: 'tenant', value: 'beta' }),
    ['Ada', 'Bob', 'Di', 'Ed'],
    'saved',
  );
  await t.rejects(
    options(source, { scope: { ...scope, filters: { bd: { tenant: 'beta' } } } }),
    /limits "bd"/,
  );
  await t.rejects(options(source, { scope: { ...saved, publicEntries: ['tenant'] } }), /can change "tenant"/);
  await t.rejects(options(source, { scope: { ...scope, filters: null } }), /no scope "mine"/);
});
