import t from 'tap';
import { loadDrivers } from '../../../src/drivers/registry.ts';
import { publishedSchema, SCHEMA_NAMES } from '../../../src/language/published-schemas.ts';
import {
  argumentsAt,
  choicesAt,
  connectorPlace,
  defaultOf,
  isConnectorType,
} from '../../../src/ui/frame/definitions/completion/connector-call.ts';
import { outlineOf } from '../../../src/ui/frame/definitions/completion/document-outline.ts';
import { columnsOfStep } from '../../../src/ui/frame/definitions/completion/row-columns.ts';
import {
  choicesOf,
  describe,
  describeChoice,
  keysOf,
  type Schema,
  schemasAt,
  shapeOf,
} from '../../../src/ui/frame/definitions/completion/schema-walk.ts';
import { type ConnectorType, connectorsIn } from '../../../src/ui/frame/definitions/completion/vocabulary.ts';
import { wantedNames } from '../../../src/ui/frame/definitions/completion/wanted-names.ts';
import { placeAt, type YamlPlace } from '../../../src/ui/frame/definitions/completion/yaml-place.ts';

/** The place of the mark `|` in a text, which it is no part of. */
function placeOf(text: string): YamlPlace | null {
  const before = text.slice(0, text.indexOf('|'));
  const lines = text.replace('|', '').split('\n');
  const index = before.split('\n').length - 1;
  return placeAt(lines, index, before.length - (before.lastIndexOf('\n') + 1));
}

const path = (text: string) => {
  const place = placeOf(text);
  return place === null ? null : { at: place.levels.map(({ step }) => step).slice(1), key: place.key };
};

const task = publishedSchema('task') as Schema;
const at = (text: string) => {
  const place = placeOf(text);
  if (place === null) throw new Error('There is nothing to complete');
  const schemas = schemasAt(task, place.levels);
  return { place, schemas, names: keysOf(schemas).map(({ name }) => name) };
};

t.test('a place is known by indentation and brackets', async (t) => {
  const head = 'version: 1\nsteps:\n  - id: read\n    kind: extract\n';
  for (const [text, expected] of [
    ['ver|', { at: [], key: null }],
    ['version: 1|', { at: [], key: 'version' }],
    [`${head}    cur|`, { at: ['steps', null], key: null }],
    [`${head}    method: r|`, { at: ['steps', null], key: 'method' }],
    [`${head}    args:\n      ty|`, { at: ['steps', null, 'args'], key: null }],
    [`${head}  - id: shape\n    ops:\n      - ca|`, { at: ['steps', null, 'ops', null], key: null }],
    [`${head}    cursor: { field: id, ty|`, { at: ['steps', null, 'cursor'], key: null }],
    [`${head}    cursor: { field: id, type: in|`, { at: ['steps', null, 'cursor'], key: 'type' }],
    ['steps:\n- id: a\n  ki|', { at: ['steps', null], key: null }],
    ['steps:\n  - { id: a, ki|', { at: ['steps', null], key: null }],
    ['steps:\n  - { id: a, retry: { de|', { at: ['steps', null, 'retry'], key: null }],
    ['retry: { delay: 1s }\nst|', { at: [], key: null }],
    ['a: 1 # no|', null],
    ['a: "quo|', null],
    ['a: { b: "x, y|', null],
  ] as const)
    t.same(path(text), expected, text);
});

t.test('keys and values are those of the schema at the place', async (t) => {
  const steps = 'version: 1\nsteps:\n  - id: read\n';
  const read = at(`${steps}    kind: extract\n    |`);
  t.ok(read.names.includes('cursor') && read.names.includes('method'));
  t.notOk(read.names.includes('ops'), 'a step of another kind has it');
  t.ok(at(`${steps}    kind: transform\n    |`).names.includes('ops'));
  t.same(read.place.levels.at(-1)?.entries.get('kind'), 'extract');
  const kinds = at(`${steps}    kind: |`);
  t.ok(choicesOf(task, kinds.schemas, 'kind').includes('foreach'));
  const mode = at('steps:\n  - { id: w, kind: load, mode: |');
  t.ok(choicesOf(task, mode.schemas, 'mode').includes('merge'));
  const ops = at(`${steps}    kind: transform\n    ops:\n      - |`);
  t.ok(['filter', 'cast', 'dedupe'].every((name) => ops.names.includes(name)));
  t.match(describe(task, ops.schemas, 'filter'), /Keeps rows/);
  t.ok(at('|').names.includes('connectors'));
});

t.test('a value says what it chooses, and a key what is written below it', async (t) => {
  const { schemas } = at('steps:\n  - kind: |');
  t.match(describeChoice(task, schemas, 'kind', 'transform'), /^Changes rows with operations/);
  t.equal(describeChoice(task, schemas, 'kind', 'none'), null);
  const dashboard = publishedSchema('dashboard') as Schema;
  const place = placeOf('pages:\n  - widgets:\n      - type: |') as YamlPlace;
  t.match(describeChoice(dashboard, schemasAt(dashboard, place.levels), 'type', 'stat'), /^One number/);
  const shapesAt = (schema: Schema, text: string) => {
    const found = keysOf(schemasAt(schema, (placeOf(text) as YamlPlace).levels));
    return (name: string) => shapeOf(schema, found.find((key) => key.name === name)?.value);
  };
  const step = shapesAt(task, 'steps:\n  - kind: transform\n    |');
  t.same(['ops', 'needs', 'retry', 'id', 'on_error'].map(step), ['list', 'list', 'map', 'scalar', 'scalar']);
  const page = shapesAt(dashboard, 'pages:\n  - |');
  t.same(['widgets', 'title'].map(page), ['list', 'scalar']);
  t.equal(shapesAt(task, '|')('steps'), 'list');
});

t.test('every published schema is walked from its root', async (t) => {
  for (const name of SCHEMA_NAMES) {
    const schema = publishedSchema(name) as Schema;
    const keys = keysOf(schemasAt(schema, [{ step: null, entries: new Map() }]));
    t.ok(keys.length >= 3, name);
    t.ok(
      keys.every(({ description }) => description !== null),
      `${name}: each key says what it means`,
    );
  }
});

const types = (await loadDrivers()).catalogue() as readonly ConnectorType[];
const connectors = 'connectors: { shop: { type: postgres }, api: { type: http }, file: { type: csv } }\n';
const callIn = (text: string, declared = connectorsIn(text)) => {
  const place = placeOf(text);
  return place === null ? null : connectorPlace(place, types, declared);
};
const methodsIn = (text: string) => callIn(text)?.methods.map(({ name }) => name);
const argumentsIn = (text: string) => {
  const call = callIn(text);
  return call === null ? [] : argumentsAt(call).map(({ name }) => name);
};

t.test('connectors are read from a text that is being typed', async (t) => {
  for (const text of [
    'connectors: { a: { type: csv }, b: { type: "sqlite", required: false } }\nsteps:\n',
    'connectors: {\n  a: { type: csv },\n  b: { required: false, type: sqlite },\n}\n',
    'version: 1\nconnectors:\n  a: { type: csv } # a file\n  b:\n    required: false\n    type: sqlite\nsteps:\n',
    'connectors: # of the job\n  # type: none\n  a:\n    type: csv\n\n  "b":\n    type: \'sqlite\'\n',
  ])
    t.same(
      [...connectorsIn(text)],
      [
        ['a', 'csv'],
        ['b', 'sqlite'],
      ],
      text,
    );
  t.same(
    [...connectorsIn('connectors:\n  a: { ty\n  b:\n')],
    [
      ['a', ''],
      ['b', ''],
    ],
  );
  t.same([...connectorsIn('steps: []\n')], []);
  t.ok(isConnectorType(placeOf('connectors:\n  a:\n    type: |') as YamlPlace));
  t.ok(isConnectorType(placeOf('connectors: { a: { type: |') as YamlPlace));
  t.notOk(isConnectorType(placeOf('args: { a: { type: |') as YamlPlace));
});

t.test('the methods of a connector are those that fit the kind of the step', async (t) => {
  const step = (kind: string) => `${connectors}steps:\n  - id: a\n    kind: ${kind}\n    connector: shop\n`;
  t.same(methodsIn(`${step('extract')}    method: |`), ['query', 'list', 'resources', 'columns']);
  const called = methodsIn(`${step('call')}    method: |`);
  t.ok(called?.includes('get') && called.includes('insert') && !called.includes('list'));
  t.same(methodsIn(`${connectors}steps:\n  - { kind: extract, connector: file, method: |`), [
    'read',
    'query',
    'resources',
    'columns',
  ]);
  const lookup = `${connectors}steps:\n  - kind: transform\n    ops:\n      - lookup:\n          connector: shop\n          method: |`;
  t.ok(methodsIn(lookup)?.includes('get') && !methodsIn(lookup)?.includes('insert'));
  t.equal(callIn('steps:\n  - { kind: extract, connector: shop, method: |'), null, 'nothing declares it');
  const modes = (text: string) =>
    choicesAt(task, placeOf(text) as YamlPlace, 'mode', callIn(text)).toSorted();
  t.same(modes(`${connectors}steps:\n  - { kind: load, connector: file, mode: |`), ['append', 'replace']);
  t.ok(modes(`${step('load')}    mode: |`).includes('scd2'));
  t.ok(modes('steps:\n  - { kind: load, connector: none, mode: |').includes('scd2'), 'the type is unknown');
});

t.test('arguments are those of the method, with what they mean', async (t) => {
  const list = `${connectors}steps:\n  - kind: extract\n    connector: shop\n    args:\n      |\n    method: list\n`;
  t.same(argumentsIn(list), ['table', 'columns', 'filter', 'sort', 'limit']);
  const call = callIn(list);
  const [table, , , sort] = call === null ? [] : argumentsAt(call);
  t.match(table, { isRequired: true, description: /A table or view/ });
  t.equal(sort && defaultOf(sort), '[]');
  t.equal(
    defaultOf({ name: 'a', description: 'One; default: 1.', isRequired: false, value: { default: 1 } }),
    null,
  );
  t.same(
    argumentsIn(`${connectors}steps:\n  - { kind: extract, connector: shop, method: none, args: { |`),
    [],
  );
  const http = `${connectors}steps:\n  - kind: extract\n    connector: api\n    method: list\n    args:\n`;
  t.ok(argumentsIn(`${http}      incremental: { field: id, |`).includes('end_param'));
  const paged = argumentsIn(`${http}      paginate:\n        type: page\n        |`);
  t.ok(paged.includes('page_param') && !paged.includes('cursor_path'), 'other cases are left out');
  const choices = (text: string, key: string) =>
    choicesAt(task, placeOf(text) as YamlPlace, key, callIn(text));
  t.ok(choices(`${http}      paginate:\n        type: pa|\n`, 'type').includes('link_header'));
  t.ok(choices(`${http}      format: |`, 'format').includes('ndjson'));
});

t.test(
  'widgets of a dashboard call what reads, an action what writes too, by the connectors of the template',
  async (t) => {
    const declared = connectorsIn(connectors);
    const widgets = 'pages:\n  - id: a\n    widgets:\n';
    const widget = callIn(`${widgets}      - { id: w, type: stat, connector: shop, method: |`, declared);
    t.same(
      widget?.methods.map(({ name }) => name),
      ['query', 'list', 'get', 'count', 'resources', 'columns'],
    );
    const run = callIn(
      `${widgets}      - { id: w, type: action, run: { connector: shop, method: |`,
      declared,
    );
    t.ok(run?.methods.some(({ name }) => name === 'insert'));
    const shared = callIn('shared_queries:\n  q: { connector: shop, method: count, args: { |', declared);
    t.ok(shared !== null && argumentsAt(shared).some(({ name }) => name === 'filter'));
    t.notOk(shared?.methods.some(({ kind }) => kind === 'write'));
  },
);

t.test('a place asks for tables, for columns of one, or for those of the rows of a step', async (t) => {
  const wanted = (text: string) => wantedNames(placeOf(text) as YamlPlace);
  const table = { kind: 'columns', connector: 'shop', resource: 'public.orders' };
  const args = 'steps:\n  - id: a\n    connector: shop\n    args:\n      table: public.orders\n';
  t.same(wanted('steps:\n  - { connector: shop, args: { table: pu|'), {
    kind: 'resources',
    connector: 'shop',
  });
  t.same(wanted('steps:\n  - { kind: load, connector: shop, object: |'), {
    kind: 'resources',
    connector: 'shop',
  });
  t.same(wanted(`${args}      columns: [id, na|`), table);
  t.same(wanted(`${args}      columns:\n        - id\n        - na|`), table);
  t.same(wanted(`${args}      filter: { am|`), table);
  t.same(wanted(`${args}      filter:\n        am|`), table);
  t.equal(wanted(`${args}      filter: { amount: { gt|`), null, 'an operator');
  t.equal(wanted(`${args}      filter: { amount: |`), null, 'a value');
  t.same(wanted('steps:\n  - { connector: file, args: { columns: [|'), {
    kind: 'columns',
    connector: 'file',
    resource: null,
  });
  t.match(wanted('steps:\n  - { connector: shop, args: { table: "{{ args.t }}", columns: [|'), {
    resource: null,
  });
  t.same(wanted('steps:\n  - { id: a, kind: extract, connector: shop, cursor: { field: |'), {
    kind: 'row',
    step: 'a',
  });
  const step = 'steps:\n  - id: b\n    kind: transform\n    input: a\n    ops:\n';
  t.same(wanted(`${step}      - cast: { am|`), { kind: 'row', step: 'a' });
  t.same(wanted(`${step}      - drop: [am|`), { kind: 'row', step: 'a' });
  t.same(wanted(`${step}      - cast:\n          am|`), { kind: 'row', step: 'a' });
  t.equal(wanted(`${step}      - ca|`), null, 'an operation');
  t.same(wanted('steps:\n  - { kind: load, input: a, key: [|'), { kind: 'row', step: 'a' });
  t.equal(wanted('steps:\n  - { kind: load, input: |'), null);
});

t.test('the columns of a step follow its operations', async (t) => {
  const columns = ['id', 'name', 'amount'].map((name) => ({ name, type: 'text' }));
  const names = {
    resources: async () => [{ name: 'orders.csv', type: 'file' }],
    columns: async (connector: string, resource: string) =>
      connector === 'file' && resource === 'orders.csv' ? columns : [],
  };
  const { steps } = outlineOf(`steps:
  - { id: a, kind: extract, connector: file, method: read }
  - id: b
    kind: transform
    input: a
    ops:
      - cast: { amount: number }
      - drop: [name]
      - rename: { id: number }
      - set: { tax: item.amount * 0.2 }
  - { id: c, kind: foreach, items: x, steps: [{ id: d, kind: transform, input: b, ops: [{ map: { only: 1 } }] }] }
  - { id: e, kind: transform, input: e, ops: [] }
  - { id: f, kind: transform, input: b, ops: [{ dr`);
  const of = async (id: string) => (await columnsOfStep(steps, id, names)).map(({ name }) => name);
  t.same(await of('a'), ['id', 'name', 'amount']);
  t.same(await columnsOfStep(steps, 'b', names), [
    { name: 'number', type: 'text' },
    { name: 'amount', type: 'number' },
    { name: 'tax', type: '' },
  ]);
  t.same(await of('d'), ['only']);
  t.same(await of('e'), [], 'a step that reads itself');
  t.same(await of('f'), ['number', 'amount', 'tax'], 'as far as it is typed');
  t.same(await of('none'), []);
  t.same([...outlineOf('steps: [*a').steps], [], 'no alias');
});
