import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import { JsonText } from '../../../src/base/json.ts';
import { answerWriter, checkedWriter } from '../../../src/http/answers/answer-writer.ts';
import { fewOrMany } from '../../support/fault-list.ts';

interface Case {
  readonly schema: z.ZodType;
  readonly value: unknown;
}

const text = fc.constantFrom('', 'a', '"', '\\', '\n', 'ä', '\u2028', '\ud800', '🙂');
const key = fc.constantFrom('a', 'b', '1', 'constructor', '"');
/** Whatever a handler may make of a field by mistake. */
const wrong = fc.constantFrom(undefined, null, 0, -0, 1.5, Number.NaN, 1e21, 'x', true, [], {}, new Date(0));
const leaves: fc.Arbitrary<Case>[] = [
  text.map((value) => ({ schema: z.string(), value })),
  fc.constantFrom('2026-01-01', 'x').map((value) => ({ schema: z.iso.date(), value })),
  fc.double().map((value) => ({ schema: z.number(), value })),
  fc.double().map((value) => ({ schema: z.number().int(), value })),
  fc.integer().map((value) => ({ schema: z.int(), value })),
  fc.integer().map((value) => ({ schema: z.number().int().min(0), value })),
  fc.boolean().map((value) => ({ schema: z.boolean(), value })),
  fc.constantFrom('on', 'off', 'no').map((value) => ({ schema: z.enum(['on', 'off']), value })),
  fc.constantFrom('on', 'off').map((value) => ({ schema: z.literal('on'), value })),
  fc.constantFrom(1, 2).map((value) => ({ schema: z.literal(1), value })),
  wrong.map((value) => ({ schema: z.null(), value })),
  wrong.map((value) => ({ schema: z.unknown(), value })),
  wrong.map((value) => ({ schema: z.union([z.string(), z.number()]), value })),
];

const cases = fc.letrec<{ any: Case; field: Case }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'answers' },
    ...leaves,
    fc.tuple(tie('any'), wrong).map(([{ schema }, value]) => ({ schema, value })),
    fc.tuple(tie('any'), fc.boolean()).map(([one, isNull]) => ({
      schema: one.schema.nullable(),
      value: isNull ? null : one.value,
    })),
    fc.array(tie('any'), { maxLength: 3 }).map((items) => ({
      schema: z.array(items[0]?.schema ?? z.string()),
      value: items.map(({ value }) => value),
    })),
    fc.tuple(tie('any'), fc.array(fc.tuple(key, tie('any')), { maxLength: 3 })).map(([first, rest]) => ({
      schema: z.record(z.string(), first.schema),
      value: Object.fromEntries([['first', first.value], ...rest.map(([name, { value }]) => [name, value])]),
    })),
    fc
      .tuple(fc.array(fc.tuple(key, tie('field')), { maxLength: 4 }), fc.boolean(), fc.boolean())
      .map(([fields, isStrict, hasMore]) => {
        const shape = Object.fromEntries(fields.map(([name, { schema }]) => [name, schema]));
        const value = Object.fromEntries(fields.map(([name, field]) => [name, field.value]));
        return {
          schema: isStrict ? z.strictObject(shape) : z.object(shape),
          value: hasMore ? { ...value, undeclared: 1 } : value,
        };
      }),
  ),
  field: fc.oneof(
    tie('any'),
    fc.tuple(tie('any'), fc.boolean()).map(([one, isLeftOut]) => ({
      schema: one.schema.optional(),
      value: isLeftOut ? undefined : one.value,
    })),
  ),
})).any;

/** What zod makes of it; undefined where it does not fit. */
function encoded({ schema, value }: Case): string | undefined {
  const result = z.safeEncode(schema, value as never);
  return result.success ? JSON.stringify(result.data) : undefined;
}

t.test('an answer is written as zod encodes it, or left to zod', async (t) => {
  let written = 0;
  const property = fc.property(cases, (one) => {
    const own = answerWriter(one.schema)(one.value);
    if (own !== undefined) written += 1;
    const expected = encoded(one);
    return own === expected || own === undefined;
  });
  fc.assert(property, { numRuns: fewOrMany(2_000, 50_000) });
  t.ok(written > 500, `${written} were written`);
});

t.test('a plain record is written, not left to zod', async (t) => {
  const schema = z
    .object({
      id: z.number().int(),
      name: z.string().nullable(),
      tags: z.array(z.string()),
      labels: z.record(z.string(), z.string()),
      kind: z.enum(['a', 'b']),
      more: z.object({ x: z.boolean(), y: z.unknown() }).optional(),
    })
    .meta({ id: 'Plain' });
  const value = {
    id: 1,
    name: null,
    tags: ['x', 'y'],
    labels: { a: 'b' },
    kind: 'a',
    more: { x: true, y: [1] },
    secret: 1,
  };
  t.equal(
    answerWriter(schema)(value),
    '{"id":1,"name":null,"tags":["x","y"],"labels":{"a":"b"},"kind":"a","more":{"x":true,"y":[1]}}',
  );
});

t.test('a stored text is written as it is, and is a value where zod checks the answer', async (t) => {
  const labels = z.record(z.string(), z.string());
  const stored = { labels: new JsonText('{"a": "b"}') };
  t.equal(answerWriter(z.object({ labels }))(stored), '{"labels":{"a": "b"}}');
  const strict = z.strictObject({ labels });
  t.equal(answerWriter(strict)(stored), '{"labels":{"a":"b"}}');
  const schema = z.object({ labels, at: z.string() });
  const seen: unknown[] = [];
  checkedWriter(schema, (value) => {
    seen.push(value);
    return '';
  })({ ...stored, at: 1 });
  t.same(seen, [{ labels: { a: 'b' }, at: 1 }]);
});

t.test('a schema that holds itself', async (t) => {
  interface Node {
    readonly name: string;
    readonly below: readonly Node[];
  }
  const node: z.ZodType<Node> = z.object({ name: z.string(), below: z.lazy(() => z.array(node)) });
  const tree = { name: 'a', below: [{ name: 'b', below: [] }] };
  t.equal(answerWriter(node)(tree), JSON.stringify(tree));
});
