import fc from 'fast-check';
import t from 'tap';
import { parseJsonText } from '../../../src/base/text/parse-json-text.ts';

/** What V8 takes the keys of objects of this shape for, once it has read the first. */
const BEFORE = '{"h":[],"\\\\":0}';
const AFTER = '{"h":1,"\\"":2}';

t.test('a key that is written with escapes is never that of another object', async (t) => {
  parseJsonText(BEFORE);
  t.strictSame(parseJsonText(AFTER), { h: 1, '"': 2 });
});

t.test('any document comes back as it was written, however keys are escaped', async (t) => {
  const key = fc.oneof(
    fc.array(fc.constantFrom('\\', '"', '/', '\n', 'q', ' ', 'é', '😀', ':', '{'), { maxLength: 3 }),
    fc.constantFrom(['__proto__'], ['0'], ['1'], ['constructor']),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        key.map((parts) => parts.join('')),
        tie('value'),
        { maxKeys: 5 },
      ),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (document, indent) => {
      const text = JSON.stringify(document, null, indent);
      t.equal(JSON.stringify(parseJsonText(text), null, indent), text);
      const escaped = text.replaceAll('q', '\\u0071');
      t.equal(JSON.stringify(parseJsonText(escaped), null, indent), text);
    }),
    { numRuns: 2_000 },
  );
});

t.test('a reviver gets each value with its text, and what it leaves out is not there', async (t) => {
  const text = ' { "a\\"b" : [ 1.50 , 12345678901234567890, {"x\\\\": null} ], "gone": true } ';
  const value = parseJsonText(text, (key, inner, { source }) =>
    key === 'gone' ? undefined : typeof inner === 'number' ? source : inner,
  );
  t.strictSame(value, { 'a"b': ['1.50', '12345678901234567890', { 'x\\': null }] });
});

t.test('what is no JSON is refused, and depth has no bound of its own', async (t) => {
  for (const text of ['', '{"a\\"": }', '{"a\\": 1}', '"a\\"', '{"\\x": 1}', '{"a\\"":1} x'])
    t.throws(() => parseJsonText(text), SyntaxError, text);
  const depth = 100_000;
  let value = parseJsonText(`${'['.repeat(depth)}{"\\"":1}${']'.repeat(depth)}`);
  for (let at = 0; at < depth; at += 1) value = (value as unknown[])[0];
  t.strictSame(value, { '"': 1 });
});

t.test('each text is looked at in one pass', async (t) => {
  const inner = JSON.stringify({ 'a"': 'b\\'.repeat(300_000) });
  const text = JSON.stringify({ inner, '"': inner });
  t.strictSame(parseJsonText(text), { inner, '"': inner });
});
