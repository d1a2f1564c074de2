import t from 'tap';
import type { Batch, Column, ColumnType, Row } from '../../../src/drivers/driver.ts';
import { RowProgram } from '../../../src/engine/ops/row-program.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';
import { parseOps } from './parse-ops.ts';

interface Made {
  readonly rows: readonly Row[];
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly errors: readonly string[];
}

function columnsOf(types: Readonly<Record<string, ColumnType>>): readonly Column[] {
  return Object.entries(types).map(([name, type]) => ({ name, type, nullable: true }));
}

/** What operations make of rows, as a task has them. */
async function made(
  ops: readonly unknown[],
  types: Readonly<Record<string, ColumnType>>,
  rows: Row[],
  condition: string | null = null,
): Promise<Made> {
  const errors: string[] = [];
  const when = condition === null ? null : parseExpression(condition);
  const program = new RowProgram({
    ops: parseOps(ops),
    condition: when?.ok === true ? when.expression : null,
    scope: {},
    signal: new AbortController().signal,
    stepId: 'shape',
    mappings: new Map(),
    warn: () => undefined,
  });
  const batch: Batch = { columns: columnsOf(types), rows };
  const out = await program.apply(batch, (_row, error) => errors.push((error as Error).message));
  return {
    rows: out.rows,
    types: Object.fromEntries(out.columns.map(({ name, type }) => [name, type])),
    errors,
  };
}

const AMOUNTS: Readonly<Record<string, ColumnType>> = { id: 'integer', price: 'decimal', big: 'integer' };
const ROWS: Row[] = [
  { id: 1, price: '1.10', big: '9007199254740993' },
  { id: 2, price: '0.00', big: 5 },
  { id: 3, price: null, big: null },
  { id: 4, price: '12345678901234567890.123456789', big: '-9007199254740993' },
];

const kept = async (filter: string) => (await made([{ filter }], AMOUNTS, ROWS)).rows.map(({ id }) => id);

t.test('decimals and integers beyond 2^53 are compared by their value', async (t) => {
  t.strictSame(await kept('item.price != 0'), [1, 3, 4]);
  t.strictSame(await kept('item.price = 0'), [2]);
  t.strictSame(await kept('item.price in [0, 1.1]'), [1, 2]);
  t.strictSame(await kept('item.price and item.price > 1.0999'), [1, 4]);
  t.strictSame(await kept('item.price = 12345678901234567890.123456789'), [4]);
  t.strictSame(await kept('item.price = 12345678901234567890.123456788'), []);
  t.strictSame(await kept('item.big = 9007199254740993'), [1]);
  t.strictSame(await kept('item.big = 9007199254740992'), []);
  t.strictSame(await kept('$map([item.big], function($b) { $b < -9007199254740992 }) = true'), [4]);
  const when = await made([], AMOUNTS, ROWS, 'item.price = 0');
  t.strictSame(when.rows, [ROWS[1]], 'a condition of the step');
});

t.test('a comparison with text that looks like a number is an error, and never an answer', async (t) => {
  const { rows, errors } = await made([{ filter: 'item.price = "1.10"' }], AMOUNTS, ROWS.slice(0, 1));
  t.strictSame(rows, []);
  t.match(errors, [/a number and the other is text/]);
});

t.test('what is calculated of decimals is exact, and a column of decimals', async (t) => {
  const { rows, types } = await made(
    [
      {
        set: {
          total: '$round(item.price * 3, 2)',
          next: 'item.big + 1',
          same: 'item.price',
          mixed: 'item.id > 1 ? item.price : 7',
          text: "'Price: ' & item.price",
        },
      },
      { filter: 'item.total = null or item.total >= 0' },
    ],
    AMOUNTS,
    ROWS.filter(({ price }) => price !== null),
  );
  t.strictSame(
    rows.map(({ total, next, same, mixed, text }) => [total, next, same, mixed, text]),
    [
      ['3.3', '9007199254740994', '1.10', '7', 'Price: 1.10'],
      ['0', 6, '0.00', '0.00', 'Price: 0.00'],
      [
        '37037036703703703670.37',
        '-9007199254740992',
        '12345678901234567890.123456789',
        '12345678901234567890.123456789',
        'Price: 12345678901234567890.123456789',
      ],
    ],
  );
  t.match(types, { total: 'decimal', next: 'integer', same: 'decimal', mixed: 'decimal', text: 'string' });
});

t.test(
  'later operations take a calculated decimal as a number, a cast and a schema as its text',
  async (t) => {
    const { rows, types, errors } = await made(
      [
        { set: { total: 'item.price * 2' } },
        { set: { more: 'item.total + 0.05' } },
        { validate: { schema: { properties: { total: { type: 'string' } } } } },
        { cast: { total: 'string' } },
        { unnest: { field: 'items' } },
      ],
      { price: 'decimal', items: 'json' },
      [{ price: '1.10', items: [1] }],
    );
    t.strictSame(errors, []);
    t.strictSame(rows, [{ price: '1.10', items: 1, total: '2.2', more: '2.25' }]);
    t.match(types, { total: 'string', more: 'decimal' });
  },
);

t.test('inside of a JSON value an exact number is text, as rows carry it', async (t) => {
  const { rows, types } = await made(
    [
      { map: { all: 'item', pair: '[item.price * 2, 1]', sum: '$number(item.doc.n) + 1' } },
      { drop: ['none'] },
    ],
    { price: 'decimal', doc: 'json' },
    [{ price: '1.10', doc: { n: '12345678901234567.89' } }],
  );
  t.strictSame(rows, [
    {
      all: { price: '1.10', doc: { n: '12345678901234567.89' } },
      pair: ['2.2', 1],
      sum: '12345678901234568.89',
    },
  ]);
  t.match(types, { all: 'json', pair: 'json', sum: 'decimal' });
});

t.test('what whole numbers make beyond 2^53 is exact', async (t) => {
  const { rows, types } = await made(
    [{ set: { product: 'item.a * item.b', sum: 'item.a + item.b', half: 'item.a * 1e300 * 0.5' } }],
    { a: 'integer', b: 'integer' },
    [
      { a: 94906267, b: 94906267 },
      { a: 3, b: 9007199254740991 },
      { a: 2, b: 3 },
    ],
  );
  t.strictSame(
    rows.map(({ product, sum }) => [product, sum]),
    [
      ['9007199515875289', 189812534],
      ['27021597764222973', '9007199254740994'],
      [6, 5],
    ],
  );
  t.match(types, { product: 'integer', sum: 'integer', half: 'number' });
});

t.test('text in a column of numbers that is none stays text', async (t) => {
  const { rows } = await made([{ filter: "item.price = 'NaN'" }], AMOUNTS, [{ id: 1, price: 'NaN', big: 1 }]);
  t.equal(rows.length, 1);
});

t.test('digits in a column of text stay text', async (t) => {
  const { errors, rows } = await made([{ filter: 'item.code = 10' }], { code: 'string' }, [{ code: '10' }]);
  t.strictSame([errors, rows], [[], []]);
});

t.test('what is absent stays absent where a field is only carried along', async (t) => {
  const ops = [
    { rename: { a: 'x' } },
    { cast: { b: 'string' } },
    { drop: ['d'] },
    { set: { copy: 'item.c' } },
    { map: { x: 'item.x', b: 'item.b', copy: 'item.copy', made: 'item.c & "!"' } },
  ];
  const { rows } = await made(ops, { a: 'integer', b: 'integer', c: 'string', d: 'string' }, [
    { a: undefined, b: 1, c: undefined, d: null },
    { a: null, b: undefined, c: 'c', d: 'd' },
  ]);
  t.strictSame(rows, [
    { x: undefined, b: '1', copy: undefined, made: '!' },
    { x: null, b: undefined, copy: 'c', made: 'c!' },
  ]);
});
