import fc from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;
type Resolve = (ref: string) => unknown;

const DEPTH_MAX = 6;

/** Values that schemas seldom expect. `@proto` becomes `__proto__` in `jsonTextOf`: no literal has it as a key of its own. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  ' ',
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '🙂 ‮ é',
  "'; drop table users; --",
  '../../etc/passwd',
  `${'$'}{env:PATH}`,
  '{{ 1 + 1 }}',
  '__proto__',
  [],
  {},
  [[[[[]]]]],
  { '@proto': { role: 'superadmin' } },
  { constructor: { prototype: { x: 1 } }, toString: 1 },
];
const hostile = fc.constantFrom(...HOSTILE);

/** Values that a JSON Schema takes, mostly; now and then, at any depth, one that it may not. */
export function schemaArbitrary(schema: unknown, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fittingArbitrary(schema as Schema, resolve, depth), weight: 14 },
    { arbitrary: hostile, weight: 1 },
  );
}

function fittingArbitrary(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  if (depth > DEPTH_MAX) return hostile;
  const next = (inner: unknown) => schemaArbitrary(inner, resolve, depth + 1);
  if (typeof schema['$ref'] === 'string')
    return fittingArbitrary(resolve(schema['$ref']) as Schema, resolve, depth);
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum']);
  if ('const' in schema) return fc.constant(schema['const']);
  const options = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as unknown[] | undefined;
  if (options !== undefined) return fc.oneof(...options.map(next));
  const examples = schema['examples'] as unknown[] | undefined;
  const made = typedArbitrary(schema, next);
  return examples === undefined ? made : fc.oneof(fc.constantFrom(...examples), made);
}

function typedArbitrary(
  schema: Schema,
  next: (inner: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const { minimum, maximum, minLength, maxLength } = schema as Record<string, number | undefined>;
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return objectArbitrary(schema, next);
    case 'array':
      return fc.array(next(schema['items'] ?? {}), { maxLength: 4 });
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(minimum ?? 0, -1_000),
        max: Math.max(minimum ?? 0, Math.min(maximum ?? 10, 1_000)),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return schema['format'] === 'date-time'
        ? fc.constantFrom('2026-01-15T12:00:00.000Z', '2026-02-30T00:00:00Z', '0001-01-01T00:00:00Z')
        : fc.string({
            unit: 'grapheme',
            minLength: Math.min(minLength ?? 0, 20),
            maxLength: Math.min(Math.max(maxLength ?? 12, minLength ?? 0), 20),
          });
    default:
      return hostile;
  }
}

/** Members that may be missing are missing at times; a member that nobody knows is there at times. */
function objectArbitrary(
  schema: Schema,
  next: (inner: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, unknown>;
  const required = (schema['required'] ?? []) as string[];
  const members = Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, next(inner)]));
  const known = fc.record(members, { requiredKeys: required });
  const extra = fc.dictionary(fc.constantFrom('extra', '@proto', 'constructor', 'a b', ''), hostile, {
    maxKeys: 1,
  });
  const unknown = { arbitrary: fc.tuple(known, extra).map(([a, b]) => ({ ...a, ...b })), weight: 1 };
  const fewer = { arbitrary: fc.record(members, { requiredKeys: [] }), weight: 1 };
  return fc.oneof({ arbitrary: known, weight: 10 }, unknown, fewer);
}

/** As JSON, with the keys that only a text can have. */
export function jsonTextOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('"@proto":', '"__proto__":');
}
