import t from 'tap';
import { z } from 'zod';
import { schemaWords } from '../../../src/base/text/schema-words.ts';

const words = (schema: z.ZodType, value: unknown, given: string | null = null) =>
  schema.safeParse(value).error?.issues.map((issue) => schemaWords(issue, given)) ?? [];

t.test('what a schema finds is told in words of a reader, not in types of the code', async (t) => {
  const cases: readonly [z.ZodType, unknown, string][] = [
    [z.string(), 1, ' must be a text'],
    [z.int(), 1.5, ' must be a whole number'],
    [z.number(), 'x', ' must be a number'],
    [z.boolean(), 'x', ' must be true or false'],
    [z.array(z.string()), 'x', ' must be a list'],
    [z.record(z.string(), z.string()), 'x', ' must be a map'],
    [z.enum(['a', 'b']), 'c', ' must be one of a, b'],
    [z.literal('a'), 'c', ' must be "a"'],
    [z.union([z.literal('*'), z.array(z.string()), z.array(z.number())]), 7, ' must be "*" or a list'],
    [z.string().min(1), '', ' must not be empty'],
    [z.string().max(1), 'ab', ' must have at most 1 character'],
    [z.string().length(3), 'ab', ' must have exactly 3 characters'],
    [z.array(z.string()).min(2), [], ' must have at least 2 items'],
    [z.number().min(1), 0, ' must be at least 1'],
    [z.number().positive(), 0, ' must be more than 0'],
    [z.number().multipleOf(5), 3, ' must be a multiple of 5'],
    [z.email(), 'x', ' must be an email address'],
    [z.iso.datetime(), 'x', ' must be a time with its zone, such as 2026-01-31T08:00:00Z'],
    [z.string().regex(/^a$/), 'x', ' does not have the right form, /^a$/'],
    [z.record(z.string().max(2), z.number()), { abc: 1 }, ' as a name must have at most 2 characters'],
    [z.string(), undefined, ' is required and missing'],
  ];
  for (const [schema, value, expected] of cases) t.same(words(schema, value), [expected], expected);
});

t.test('words of our own schemas stay, and what was passed is named where it may be', async (t) => {
  t.same(words(z.string().regex(/^a$/, 'must be an "a"'), 'x'), [': must be an "a"']);
  t.same(words(z.int(), 'x', '"x"'), [' must be a number, not "x"']);
  t.same(words(z.number().max(3), 4, '4'), [' must be at most 3, not 4']);
});
