import fc from 'fast-check';
import t from 'tap';
import { escapeText } from '../../../src/drivers/sql/load/line-bytes.ts';
import { blocksOf, compileLines, type LineCell } from '../../../src/drivers/sql/load/row-lines.ts';

const plain: LineCell = {
  text: (value) => (value === null ? '\\N' : escapeText(Object.is(value, -0) ? '-0' : `${value}`)),
  isPlain: true,
};
const marked: LineCell = { text: (value) => `<${value}>`, isPlain: false };

/** The lines as they were written before bytes were put one by one: joined, then encoded. */
function expected(
  rows: readonly Record<string, unknown>[],
  names: readonly string[],
  cells = names.map(() => plain),
) {
  return rows.map((row) => `${names.map((name, at) => cells[at]?.text(row[name])).join('\t')}\n`).join('');
}

function written(
  rows: readonly Record<string, unknown>[],
  names: readonly string[],
  cells = names.map(() => plain),
) {
  return Buffer.concat([...blocksOf(rows, compileLines(names, cells))]);
}

const special = fc.constantFrom(
  '\\',
  '\n',
  '\r',
  '\t',
  '\0',
  '\u0001',
  '\u007f',
  '\u0080',
  'é',
  '\u07ff',
  '\u0800',
  '€',
  '\ufffd',
  '😀',
  '\ud800',
  '\udc00',
  'x'.repeat(300),
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(special, { maxLength: 8 }).map((all) => all.join('')),
);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.integer({ min: -3_000_000_000, max: 3_000_000_000 }).map((hundredths) => hundredths / 100),
  fc.integer({ min: -3_000_000, max: 3_000_000 }).map((thousandths) => thousandths / 1_000),
  fc.constantFrom(
    0,
    -0,
    0.005,
    -0.01,
    0.29,
    1.005,
    2 ** 31,
    2 ** 31 - 1,
    -(2 ** 31),
    2 ** 53,
    19_999_999.99,
    20_000_000.01,
    5e-324,
  ),
);

t.test('texts and numbers become the bytes of their escaped text', async (t) => {
  const value = fc.oneof(text, number, fc.constant(null));
  const rows = fc.array(fc.record({ a: value, 'b"\n': value, c: value }), { minLength: 1, maxLength: 20 });
  const names = ['a', 'b"\n', 'c'];
  const property = fc.property(rows, (rows) => {
    t.equal(written(rows, names).compare(Buffer.from(expected(rows, names))), 0, JSON.stringify(rows));
  });
  fc.assert(property, { numRuns: 300 });
  t.ok(t.passing());
});

t.test('a column that is not plain is written by its own text, whatever the value', async (t) => {
  const rows = [
    { a: 1, b: 'x' },
    { a: 'y', b: 2 },
  ];
  t.equal(written(rows, ['a', 'b'], [marked, plain]).toString(), '<1>\tx\n<y>\t2\n');
});

t.test('rows without columns are empty lines', async (t) => {
  t.equal(written([{}, {}], []).toString(), '\n\n');
});

t.test('blocks end with a line and leave room at their beginning, also around long lines', async (t) => {
  const names = ['id', 'text'];
  const lengths = [10, 70_000, 3, 16_000, 65_536, 2_000_000, 0];
  const rows = lengths.flatMap((length, id) => [
    { id, text: 'é\\'.repeat(length / 2) },
    ...Array.from({ length: 500 }, () => ({ id, text: 'x'.repeat(200) })),
  ]);
  const blocks = [...blocksOf(rows, compileLines(names, [plain, plain]), 5)];
  for (const block of blocks) t.equal(block.at(-1), 10);
  const bytes = Buffer.concat(blocks.map((block) => block.subarray(5)));
  t.equal(bytes.compare(Buffer.from(expected(rows, names))), 0);
  t.ok(blocks.length > 10);
});

t.test('what a value throws ends the blocks', async (t) => {
  const failing: LineCell = {
    text: () => {
      throw new RangeError('no text');
    },
    isPlain: false,
  };
  t.throws(() => written([{ a: 1 }], ['a'], [failing]), new RangeError('no text'));
});
