import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import ts from 'typescript';
import { isRecord } from '../../../src/base/json.ts';
import { publishedSchema, SCHEMA_NAMES, type SchemaName } from '../../../src/language/published-schemas.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { type Agreement, agreementOf, contentOf } from './schema-agreement.ts';
import { WHOLE_DOCUMENTS } from './whole-documents.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FIXTURES_MIN = 5;

const agreements = new Map<SchemaName, Agreement>();

/** Each schema is compiled once, which takes longer than all that is asked of it. */
function agreementWith(name: SchemaName): Agreement {
  const made = agreements.get(name) ?? agreementOf(name);
  agreements.set(name, made);
  return made;
}

/** Every text that stands in the source of a test. */
function textsIn(path: string): readonly string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest));
  return texts.filter((text) => text.includes(':') && text.length > 10);
}

/** The names of all properties that a schema describes. */
function keysOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (!isRecord(schema)) return [];
  const own = isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(namesIn)];
}

t.test('a schema is one of draft 2020-12, with an id, and words for every key', async (t) => {
  for (const name of SCHEMA_NAMES) {
    const schema = publishedSchema(name);
    t.ok(new Ajv2020({ strict: false }).validateSchema(schema), name);
    t.match(schema, {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:headgate:schema:${name}:1`,
      title: /^Headgate /,
    });
    const silent: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (Array.isArray(node)) for (const [index, inner] of node.entries()) visit(inner, `${path}/${index}`);
      if (!isRecord(node)) return;
      if (node['additionalProperties'] === false && isRecord(node['properties'])) {
        for (const [key, inner] of Object.entries(node['properties'])) {
          const words = isRecord(inner) && (inner['description'] ?? inner['const'] ?? inner['$ref']);
          if (!words) silent.push(`${path} ${key}`);
        }
      }
      for (const [key, inner] of Object.entries(node)) visit(inner, `${path}/${key}`);
    };
    visit(schema, '');
    t.same(silent, [], `${name}: what an editor shows`);
  }
});

t.test('the documents of these tests use every key of the schemas', async (t) => {
  for (const name of SCHEMA_NAMES) {
    const used = new Set(WHOLE_DOCUMENTS[name].flatMap((text) => namesIn(contentOf(text))));
    const unused = [...new Set(keysOf(publishedSchema(name)))].filter((key) => !used.has(key));
    t.same(unused, [], name);
    const { validate, problemsOf } = agreementWith(name);
    for (const text of WHOLE_DOCUMENTS[name]) {
      t.same(problemsOf(text), [], text.slice(0, 100));
      t.ok(validate(contentOf(text)), `${text.slice(0, 100)} ${JSON.stringify(validate.errors?.slice(-3))}`);
    }
  }
});

t.test('every example is right by its schema', async (t) => {
  for (const [name, kind] of [
    ['task', 'task'],
    ['job-template', 'template'],
    ['dashboard', 'dashboard'],
  ] as const) {
    const { validate } = agreementWith(name);
    const paths = globSync(`examples/**/*.${kind}.yaml`, { cwd: ROOT });
    t.ok(paths.length > 1);
    for (const path of paths)
      t.ok(validate(contentOf(readFileSync(join(ROOT, path), 'utf8'))), `${path} ${validate.errors?.[0]}`);
  }
});

t.test(
  'what the parser takes in any test of the language and the API is right by its schema',
  ofFullList,
  async (t) => {
    const paths = ['language', 'modules', 'engine', 'widgets'].flatMap((room) =>
      globSync(`test/${room}/**/*.ts`, { cwd: ROOT }),
    );
    const texts = new Set(paths.flatMap((path) => textsIn(join(ROOT, path))));
    for (const name of SCHEMA_NAMES) {
      const { validate, problemsOf } = agreementWith(name);
      const valid = [...texts].filter((text) => problemsOf(text).length === 0);
      t.ok(valid.length >= FIXTURES_MIN, `${name}: ${valid.length} documents`);
      const refused = valid.flatMap((text) =>
        validate(contentOf(text)) ? [] : [{ text, error: validate.errors?.at(-1) }],
      );
      t.same(refused, [], name);
    }
  },
);
