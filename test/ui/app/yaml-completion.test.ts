import t from 'tap';
import { publishedSchema, SCHEMA_NAMES } from '../../../src/language/published-schemas.ts';
import {
  choicesOf,
  describe,
  keysOf,
  type Schema,
  schemasAt,
} from '../../../src/ui/frame/definitions/completion/schema-walk.ts';
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
  t.match(describe(task, ops.schemas, 'filter'), /Keeps the rows/);
  t.ok(at('|').names.includes('connectors'));
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
