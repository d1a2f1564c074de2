import t from 'tap';
import { isRecord } from '../../../src/base/json.ts';
import { publishedSchema } from '../../../src/language/published-schemas.ts';
import { sharedShapes } from '../../../src/modules/ai/prompt/shared-shapes.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The schema without the definitions that are not among `own`: each put in where it is referred to. */
function expanded(schema: Schema, own: ReadonlySet<string>): unknown {
  const defs = schema['$defs'] as Readonly<Record<string, Schema>>;
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (!isRecord(value)) return value;
    const { $ref, ...rest } = value;
    const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : null;
    const inside = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, expand(one)]));
    if (name === null) return inside;
    return own.has(name) ? { $ref, ...inside } : { ...(expand(defs[name]) as Schema), ...inside };
  };
  const kept = Object.fromEntries(Object.entries(defs).filter(([name]) => own.has(name)));
  return { ...(expand({ ...schema, $defs: {} }) as Schema), $defs: expand(kept) };
}

t.test('a schema with shared shapes says the same, and is shorter', async (t) => {
  const schema = publishedSchema('task') as Schema;
  const shared = sharedShapes(schema);
  t.strictSame(expanded(shared, new Set(Object.keys(schema['$defs'] as object))), schema);
  t.ok(JSON.stringify(shared).length < JSON.stringify(schema).length * 0.7);
});

t.test('a shape that stands twice is defined once, under its key', async (t) => {
  const words = 'A text that is long enough to be worth a definition of its own, in characters.';
  const node = { description: words, type: 'string' };
  const list = { description: words, type: 'array', items: node };
  const schema = {
    type: 'object',
    properties: { a: node, b: node, c: list },
    $defs: { a: { type: 'null' } },
  };
  t.strictSame(sharedShapes(schema), {
    type: 'object',
    properties: {
      a: { $ref: '#/$defs/a_2' },
      b: { $ref: '#/$defs/a_2' },
      c: { ...list, items: { $ref: '#/$defs/a_2' } },
    },
    $defs: { a: { type: 'null' }, a_2: node },
  });
});
