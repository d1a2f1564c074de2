import fc from 'fast-check';
import t from 'tap';
import {
  lineOfRows,
  messageOfLine,
  rowsOf,
  type WrittenRows,
} from '../../../src/engine/script/script-lines.ts';

const there = (rows: readonly Record<string, unknown>[]) =>
  rowsOf(messageOfLine(lineOfRows(rows, { first: 1 }).trimEnd()) as WrittenRows);

t.test('rows that are alike travel as names and values, and arrive as JSON has them', async (t) => {
  t.match(
    lineOfRows(
      [
        { a: 1, b: 'x' },
        { a: 2, b: null },
      ],
      { first: 7 },
    ),
    /^\{"packed":\{"names":\["a","b"\].*"first":7/,
  );
  const name = fc.constantFrom('a', 'b', '__proto__', 'toJSON', 'x y', '$bigint');
  const rows = fc.array(fc.dictionary(name, fc.jsonValue(), { maxKeys: 3, noNullPrototype: true }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(rows, (given) => {
      const same = JSON.parse(JSON.stringify(given));
      if (given.some((row) => '$bigint' in row)) return;
      t.strictSame(there(given), same);
    }),
  );
});

t.test('what JSON writes otherwise in a list is kept as it is in an object', async (t) => {
  t.strictSame(
    there([
      { a: 1, b: undefined },
      { a: 2, b: 3 },
    ]),
    [{ a: 1 }, { a: 2, b: 3 }],
  );
  t.strictSame(there([{ a: () => 1 }, { a: 2 }] as never), [{}, { a: 2 }]);
  t.strictSame(there([{ a: 2n ** 70n }, { a: new Uint8Array([255]) }]), [
    { a: 2n ** 70n },
    { a: new Uint8Array([255]) },
  ]);
  t.strictSame(
    there([
      { b: 1, a: 2 },
      { a: 3, b: 4 },
    ]),
    [
      { b: 1, a: 2 },
      { a: 3, b: 4 },
    ],
  );
  t.strictSame(there([{ at: new Date(0) }, { at: new Date(1) }]), [
    { at: '1970-01-01T00:00:00.000Z' },
    { at: '1970-01-01T00:00:00.001Z' },
  ]);
  t.strictSame(there([{}, {}]), [{}, {}]);
  t.strictSame(there([]), []);
  class Shown {
    a = 1;
    toJSON() {
      return { shown: this.a };
    }
  }
  t.strictSame(there([new Shown() as never]), [{ shown: 1 }]);
});
