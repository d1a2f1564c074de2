import t from 'tap';
import { castBy } from '../../../src/engine/ops/cast/cast-value.ts';
import { type CastRule, plainCast } from '../../../src/language/task/cast/cast-rule.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

function cast(rule: Partial<CastRule>, value: unknown): unknown {
  try {
    return castBy({ ...plainCast('binary'), ...rule })(value);
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

t.test('text becomes the bytes that it says in its encoding, or is refused', (t) => {
  const as = (encoding: 'utf8' | 'hex' | 'base64', value: unknown) => cast({ encoding }, value);
  t.equal(as('utf8', 'hello world'), Buffer.from('hello world').toString('base64'));
  t.equal(as('utf8', 'é😀'), 'w6nwn5iA');
  t.match(as('utf8', '\ud800'), /is not a binary written as utf8/);
  t.equal(as('hex', '00fF'), 'AP8=');
  t.equal(as('hex', '\\x00ff'), 'refused: "\\x00ff" is not a binary written as hex');
  t.equal(as('hex', '0'), 'refused: "0" is not a binary written as hex');
  t.equal(as('base64', 'AP8='), 'AP8=');
  for (const wrong of ['hello world', 'AP8', 'AP9=', 'A-8=', ' AP8='])
    t.match(as('base64', wrong), /is not a binary written as base64/, wrong);
  t.strictSame([as('utf8', ''), as('hex', ''), as('base64', '')], ['', '', '']);
  t.strictSame([as('utf8', null), as('hex', new Uint8Array([0, 255]))], [null, 'AP8=']);
  t.match(as('utf8', 5), /"5" is not a binary/);
  t.end();
});

t.test('bytes become text by an encoding', (t) => {
  const as = (encoding: 'utf8' | 'hex' | 'base64', value: unknown) =>
    cast({ type: 'string', encoding }, value);
  t.equal(as('utf8', 'w6nwn5iA'), 'é😀');
  t.equal(as('hex', 'AP8='), '00ff');
  t.match(as('utf8', 'AP8='), /is not a string written as utf8/);
  t.match(as('hex', 'no'), /bytes become text/);
  t.end();
});

t.test('NaN and the infinities are refused, or what the cast says', (t) => {
  const as = (type: 'number' | 'decimal', nonFinite: CastRule['nonFinite'], value: unknown) =>
    cast({ type, nonFinite }, value);
  t.match(as('number', 'refuse', Number.NaN), /is not a number/);
  t.match(as('decimal', 'refuse', 'NaN'), /is not a decimal/);
  t.strictSame([as('number', 'null', Number.NaN), as('decimal', 'null', '-Infinity')], [null, null]);
  t.strictSame([as('number', 'keep', 'Infinity'), as('decimal', 'keep', Number.NaN)], [Infinity, 'NaN']);
  t.strictSame([as('number', 'null', '1.5'), as('decimal', 'keep', '1.50')], [1.5, '1.50']);
  t.match(as('number', 'null', 'soon'), /is not a number/);
  t.end();
});

t.test('a task says the encoding of bytes', (t) => {
  const problems = (rule: unknown) => {
    const parsed = parseTask(
      JSON.stringify({
        version: 1,
        name: 'bytes',
        connectors: { source: { type: 'csv' } },
        steps: [
          { id: 'read', kind: 'extract', connector: 'source', method: 'read' },
          { id: 'shape', kind: 'transform', input: 'read', ops: [{ cast: { b: rule } }] },
          { id: 'write', kind: 'load', input: 'shape', connector: 'source', object: 'out' },
        ],
      }),
    );
    return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
  };
  t.strictSame(problems({ type: 'binary', encoding: 'hex' }), []);
  t.strictSame(problems({ type: 'number', non_finite: null }), []);
  t.match(problems({ type: 'binary' }), [/"encoding" is required/]);
  t.match(problems('binary'), [/binary/]);
  t.match(problems({ type: 'date', encoding: 'hex' }), [/"encoding" has no effect: a date/]);
  t.match(problems({ type: 'integer', non_finite: 'keep' }), [/"non_finite" has no effect/]);
  t.match(problems({ type: 'binary', encoding: 'utf-16' }), [/utf-16/]);
  t.end();
});
