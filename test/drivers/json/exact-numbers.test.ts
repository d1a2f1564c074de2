import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { parseJson } from '../../../src/drivers/json/parse-json.ts';
import { connectS3, context, signal } from '../files/s3/connect-s3.ts';

async function readOf(t: Test, text: string, name = 'a.ndjson', config: object = {}) {
  const folder = t.testdir();
  writeFileSync(join(folder, name), text);
  const connection = await connectS3(t, { path: folder, ...config }, jsonDriver, {
    ...context,
    fileRoots: [folder],
  });
  const rows: Row[] = [];
  const types: string[] = [];
  for await (const batch of connection.read({ method: 'read', args: { file: name }, signal })) {
    rows.push(...batch.rows);
    types.push(batch.columns.map((column) => `${column.name}:${column.type}`).join(' '));
  }
  const described = (await connection.describe(name, signal)).map(
    (column) => `${column.name}:${column.type}`,
  );
  return { rows, types, described: described.join(' ') };
}

const ROWS = [
  '{"i":1,"d":0.1,"s":"12345678901234567","n":{"x":12345678901234567.89,"y":[9007199254740993]}}',
  '{"i":9007199254740993,"d":12345678901234567.89,"s":"12345678901234567.89","n":null}',
  '{"i":-3,"d":1e-7,"s":"z","n":5e-324}',
];
const WANTED = [
  { i: 1, d: '0.1', s: '12345678901234567', n: { x: '12345678901234567.89', y: ['9007199254740993'] } },
  { i: '9007199254740993', d: '12345678901234567.89', s: '12345678901234567.89', n: null },
  { i: -3, d: '0.0000001', s: 'z', n: 5e-324 },
];

t.test('numbers with more digits than a double has keep them, as decimals and integers', async (t) => {
  const columns = 'i:integer d:decimal s:string n:json';
  const documents: readonly (readonly [string, string, object?])[] = [
    ['a.ndjson', ROWS.join('\n')],
    ['a.json', `[${ROWS.join(',')}]`],
    [
      'b.json',
      `{"next":12345678901234567890,"data":{"items":[${ROWS.join(',')}]}}`,
      { records: 'data.items' },
    ],
  ];
  for (const [name, text, config] of documents) {
    const { rows, types, described } = await readOf(t, text, name, config);
    t.strictSame(rows, WANTED, name);
    t.strictSame([types, described], [[columns], columns], name);
  }
});

t.test('a later value with more digits makes decimals from there on, as any other type does', async (t) => {
  const many = '{"v":1.5}\n'.repeat(60_000);
  const { rows, types } = await readOf(t, `${many}{"v":0.1000000000000000055}\n{"v":2}\n`);
  t.strictSame(rows.slice(-3), [{ v: 1.5 }, { v: '0.1000000000000000055' }, { v: '2' }]);
  t.strictSame([types[0], types.at(-1)], ['v:number', 'v:decimal']);
  const mixed = await readOf(t, '{"v":12345678901234567890}\n{"v":"x"}\n{"v":12345678901234567.5}\n');
  t.strictSame(
    [mixed.rows, mixed.types],
    [[{ v: '12345678901234567890' }, { v: 'x' }, { v: '12345678901234567.5' }], ['v:json']],
  );
  const beside = await readOf(t, '{"v":9007199254740993,"w":0.5}\n{"v":0.5,"w":9007199254740993}\n');
  t.strictSame(beside.rows, [
    { v: '9007199254740993', w: '0.5' },
    { v: '0.5', w: '9007199254740993' },
  ]);
  t.strictSame(beside.types, ['v:decimal w:decimal']);
  t.strictSame((await readOf(t, '12345678901234567890\n[9007199254740993]\n')).rows, [
    { value: '12345678901234567890' },
    { value: ['9007199254740993'] },
  ]);
  t.strictSame((await readOf(t, '{"v":1}\n{"v":12345678901234567891e3}\n{"v":1.0}')).rows, [
    { v: 1 },
    { v: '12345678901234567891000' },
    { v: 1 },
  ]);
});

t.test('no number changes its digits, wherever it stands', (t) => {
  const digits = fc.stringMatching(/^\d{1,20}$/);
  const number = fc
    .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.option(fc.integer({ min: -30, max: 30 })))
    .map(([sign, whole, fraction, power]) => {
      const point = fraction === null ? '' : `.${fraction}`;
      return `${sign}${whole.replace(/^0+(?=\d)/, '')}${point}${power === null ? '' : `e${power}`}`;
    });
  const exact = (text: string): string => {
    const [, sign, whole = '', fraction = '', power = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? [];
    const all = BigInt(whole + fraction);
    let scale = BigInt(power) - BigInt(fraction.length);
    if (all === 0n) return '0';
    let value = all;
    for (; value % 10n === 0n; scale++) value /= 10n;
    return `${sign}${value}e${scale}`;
  };
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 8 }), fc.nat(40), (parts, spaces) => {
      const values = parseJson(`${' '.repeat(spaces)}[${parts.join(',')}]`) as readonly (number | string)[];
      t.strictSame(
        values.map((value) => exact(String(value).replace('e+', 'e'))),
        parts.map(exact),
      );
    }),
    { numRuns: 1_000 },
  );
  t.end();
});
