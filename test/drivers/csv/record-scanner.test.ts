import fc from 'fast-check';
import t from 'tap';
import { fieldText, RecordScanner } from '../../../src/drivers/csv/record-scanner.ts';
import { fewOrAll } from '../../support/fault-list.ts';

type Options = Partial<ConstructorParameters<typeof RecordScanner>[0]>;

function scan(
  pieces: readonly string[],
  width: number,
  options: Options = {},
  records: string[][] = [],
): string[][] {
  const scanner = new RecordScanner({
    name: 'a.csv',
    delimiter: ',',
    width,
    ragged: 'error',
    loneReturns: false,
    recordCharsMax: 1_000,
    ...options,
  });
  for (const [index, piece] of [...pieces, ''].entries()) {
    scanner.feed(piece, index === pieces.length);
    for (let count = scanner.scan(); count > 0; count = scanner.scan()) {
      for (let record = 0; record < count; record++) {
        const at = (column: number) => (record * width + column) * 2;
        records.push(
          Array.from({ length: width }, (_, column) =>
            fieldText(scanner.text, scanner.fields[at(column)] ?? 0, scanner.fields[at(column) + 1] ?? 0),
          ),
        );
      }
    }
  }
  return records;
}

function written(records: readonly string[][], lineEnd: string, quoteAll: boolean): string {
  const field = (text: string) =>
    quoteAll || text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return records.map((record) => record.map(field).join(',') + lineEnd).join('');
}

t.test('what is written is read back, wherever the pieces are cut', async () => {
  const field = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.stringMatching(/^[",\n\r ;a]{0,6}$/),
    fc.constantFrom('', '"', 'ä€𝄞'),
  );
  const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.record({
      width: fc.constant(width),
      records: fc.array(fc.array(field, { minLength: width, maxLength: width }), { maxLength: 8 }),
      lineEnd: fc.constantFrom('\n', '\r\n'),
      quoteAll: fc.boolean(),
      endsOpen: fc.boolean(),
      cuts: fc.array(fc.nat(200), { maxLength: 6 }),
    }),
  );
  fc.assert(
    fc.property(table, ({ width, records, lineEnd, quoteAll, endsOpen, cuts }) => {
      let text = written(records, lineEnd, quoteAll);
      if (endsOpen) text = text.slice(0, text.length - lineEnd.length);
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
      const read = scan(pieces, width);
      if (JSON.stringify(read) !== JSON.stringify(records)) throw new Error(JSON.stringify({ pieces, read }));
    }),
    { numRuns: fewOrAll(500, 2_000) },
  );
});

t.test('a line with too few or too many fields is named, counting lines inside quotes', async (t) => {
  t.throws(() => scan(['a,b\n"x\ny",2\n\n1\n'], 2), {
    fault: 'DATA',
    message: 'The file "a.csv", line 5: there is 1 field, but the file has 2 columns',
  });
  t.throws(() => scan(['a,b\r\n1,2,3\r\n'], 2), {
    message: /line 2: there are more fields than the 2 columns/,
  });
  t.strictSame(scan(['a,b\n1\n2,3,\n'], 2, { ragged: 'pad' }), [
    ['a', 'b'],
    ['1', ''],
    ['2', '3'],
  ]);
  t.throws(() => scan(['a,b\n2,3,4\n'], 2, { ragged: 'pad' }), { message: /line 2/ }, 'no value is dropped');
});

t.test('a quote that is never closed, and text behind a quote, are mistakes', async (t) => {
  t.throws(() => scan(['a,b\n1,"2\n3,4\n'], 2), { message: /line 2: a quote is not closed/ });
  t.throws(() => scan(['a,b\n1,"2"3\n'], 2), { message: /line 2: there is text after a closing quote/ });
  t.strictSame(scan(['"a" ,b"c\n'], 2), [['a', 'b"c']]);
});

t.test('the records before a mistake are found, whatever comes with them', async (t) => {
  const good = [
    ['a', 'b'],
    ['1', '2'],
  ];
  for (const wrong of ['1,2,3', '1', '1,"2"3', '1,"2']) {
    for (const pieces of [[`a,b\n1,2\n${wrong}\n`], ['a,b\n1', `,2\n${wrong}\n`]]) {
      const found: string[][] = [];
      t.throws(() => scan(pieces, 2, {}, found), { message: /line 3: / }, wrong);
      t.strictSame(found, good, wrong);
    }
  }
});

t.test('records end with a lone carriage return where the file does so', async (t) => {
  t.strictSame(scan(['a,b\r1,"x\r', 'y"\r'], 2, { loneReturns: true }), [
    ['a', 'b'],
    ['1', 'x\ry'],
  ]);
});

t.test('a carriage return is cut at the end of a line, and nowhere else', async (t) => {
  t.strictSame(scan(['x\r,y\r\n'], 2), [['x\r', 'y']], 'before a delimiter it belongs to the field');
  t.strictSame(scan(['\r,\r\n'], 2), [['\r', '']]);
  t.strictSame(scan(['x,y\r\r\n'], 2), [['x', 'y\r']], 'one of two');
  t.strictSame(scan(['x\ry,z\n'], 2), [['x\ry', 'z']]);
  t.strictSame(scan(['"x\r","y\r"\r\n'], 2), [['x\r', 'y\r']], 'in quotes');
  t.strictSame(scan(['x,y\r'], 2), [['x', 'y']], 'at the end of the file too');
  t.strictSame(scan(['x\r\ry\r'], 1, { loneReturns: true }), [['x'], ['y']], 'an empty line is none');
  for (const cut of [1, 2, 3, 4, 5]) {
    const text = 'x\r,y\r\n';
    t.strictSame(scan([text.slice(0, cut), text.slice(cut)], 2), [['x\r', 'y']], `cut at ${cut}`);
  }
});
