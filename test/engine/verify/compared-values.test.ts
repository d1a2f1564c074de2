import fc from 'fast-check';
import t from 'tap';
import type { ColumnType, Row } from '../../../src/drivers/driver.ts';
import { execute } from '../../drivers/sql/engines.ts';
import { compare, openSide, SIDES, type Side } from './support/sides.ts';

t.setTimeout(180_000);

const [postgres, mysql, sqlite] = SIDES;
if (postgres === undefined || mysql === undefined || sqlite === undefined)
  throw new Error('sides are missing');
const others = [mysql, sqlite].filter(({ skip }) => skip === false);
const KEY = 'key: [k]';

/** Keys that sort in other ways by the collations of engines. */
const KEYS: Readonly<Record<string, readonly [ColumnType, readonly unknown[]]>> = {
  texts: ['string', ['a', 'B', 'ä', 'z', 'Z', 'ß', 'ss', '_', ' ', '10', '9', '😀', 'a,b', '1:a']],
  uuids: ['string', ['0b9bd1c8-94c8-4b0c-9d7e-3f4ac3f1a2b1', 'ffffffff-ffff-4fff-bfff-ffffffffffff']],
  integers: ['integer', [-1, 0, 9007199254740991, '9223372036854775807', '-9223372036854775808']],
  decimals: ['decimal', ['0', '-1.5', '1.25', '123456789012345678.125']],
  moments: ['timestamp', ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000001Z', '1999-12-31T23:59:59.5Z']],
  days: ['date', ['2026-01-01', '0999-12-31']],
};

for (const [name, [type, values]] of Object.entries(KEYS)) {
  for (const other of others) {
    t.test(`rows are found by keys that are ${name}: postgres and ${other.name}`, async (t) => {
      const folder = t.testdir();
      const [source, target] = [await openSide(t, postgres, folder), await openSide(t, other, folder)];
      const types = { k: type, v: 'integer' } as const;
      const rows = values.map((k, v) => ({ k, v }));
      await source.put('rows', types, rows);
      await target.put('rows', types, [...rows].reverse());
      t.match((await compare(folder, source, target, KEY)).found, { equal: true, differences: [] });
      await target.put('rows', types, [...rows.slice(0, -1), { ...rows.at(-1), v: 99 } as Row]);
      t.match((await compare(folder, source, target, KEY)).found, { differing: 1, missing: 0, surplus: 0 });
    });
  }
}

t.test('types that say the same in other words are compared, inside the engines or by rows', async (t) => {
  const folder = t.testdir();
  const source = await openSide(t, postgres, folder);
  await execute(
    source.connection,
    `CREATE TABLE rows (k integer, n numeric(20,10), f real, d double precision, c char(5), t timestamp, z timestamptz,
       u uuid, b boolean, j jsonb, a text[], s text, h time)`,
    `INSERT INTO rows VALUES (1, 1.5, 0.1, 1e300, 'ab', '2026-01-01 10:00:00.5', '2026-01-01 12:00:00+02',
       '0B9BD1C8-94C8-4B0C-9D7E-3F4AC3F1A2B1', true, '{"b": 1.0, "a": [1]}', '{x,"y z"}', '12.50', '10:00:00.5'),
      (2, 'NaN', 'Infinity', '-0', '', 'infinity', '0044-03-15 10:00:00+00 BC', NULL, NULL, 'null', '{}', '', '24:00:00')`,
  );
  const alike = await openSide(t, postgres, folder);
  await execute(
    alike.connection,
    `CREATE TABLE rows (k bigint, n numeric, f real, d double precision, c varchar(9), t timestamptz, z timestamp,
       u text, b smallint, j jsonb, a text[], s numeric, h time)`,
    `INSERT INTO rows VALUES (1, 1.50, 0.1, 1e300, 'ab', '2026-01-01 10:00:00.5+00', '2026-01-01 10:00:00',
       '0b9bd1c8-94c8-4b0c-9d7e-3f4ac3f1a2b1', 1, '{"a": [1.00], "b": 1}', '{x,"y z"}', 12.5, '10:00:00.5'),
      (2, 'NaN', 'Infinity', '0', '', 'infinity', '0044-03-15 10:00:00 BC', NULL, NULL, 'null', '{}', NULL, '24:00:00')`,
  );
  const { found } = await compare(folder, source, alike, KEY);
  t.same(
    found.differences.flatMap(({ key, columns }) => columns.map(({ column }) => `${key['k']} ${column}`)),
    ['2 s'],
    'an empty text is not null',
  );
  t.same(found.digested, { source: 'rows', target: 'rows' }, 'a text beside a number is read');
  const some = await compare(folder, source, alike, 'key: [k]\n    columns: [n, f, d, t, z, b, j, a, h]');
  t.match(some.found, { equal: true, digested: { source: 'engine', target: 'engine' } });
});

const value = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(null, '', ' ', ',', '1:', ',,', '0', 'null', 'é', '😀', "'", '\\'),
  },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
);
const row = fc.record({
  k: fc.integer({ min: 0, max: 8 }),
  s: value.filter((text) => text?.includes('\0') !== true),
  n: fc.option(fc.tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: 0, max: 6 }))),
  f: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })),
  b: fc.option(fc.boolean()),
});
const TYPES = { k: 'integer', s: 'string', n: 'decimal', f: 'number', b: 'boolean' } as const;

function shownRow(made: { readonly [N in keyof typeof TYPES]: unknown }): Row {
  const n = made.n as readonly [bigint, number] | null;
  const digits = n === null ? '' : String(n[0] < 0n ? -n[0] : n[0]).padStart(n[1] + 1, '0');
  const at = digits.length - (n?.[1] ?? 0);
  const decimal =
    n === null
      ? null
      : `${n[0] < 0n ? '-' : ''}${digits.slice(0, at)}${n[1] > 0 ? `.${digits.slice(at)}` : ''}`;
  return { ...made, n: decimal };
}

/** By other means than the product's: sets of rows as JSON, their decimals as fractions of ten to the sixth. */
function sameRows(a: readonly Row[], b: readonly Row[]): boolean {
  const plain = ({ n, f, ...others }: Row) => {
    const [whole = '', fraction = ''] = String(n).split('.');
    const scaled = n === null ? null : BigInt(whole + fraction.padEnd(6, '0'));
    return JSON.stringify({ ...others, n: scaled?.toString(), f: f === null ? null : Number(f) + 0 });
  };
  return JSON.stringify(a.map(plain).sort()) === JSON.stringify(b.map(plain).sort());
}

for (const other of others) {
  t.test(`random rows are equal exactly when they are the same: postgres and ${other.name}`, async (t) => {
    const folder = t.testdir();
    const [source, target] = [await openSide(t, postgres, folder), await openSide(t, other, folder)];
    const put = (side: Side, rows: readonly Row[]) => side.put('rows', TYPES, [{ ...EMPTY }, ...rows]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 6 }),
        fc.array(row, { maxLength: 2 }),
        fc.boolean(),
        async (rows, more, isSame) => {
          const left = rows.map(shownRow);
          const right = isSame ? left.toReversed() : [...left.slice(1), ...more.map(shownRow)];
          await put(source, left);
          await put(target, right);
          const { found } = await compare(folder, source, target, KEY);
          if (found.equal !== sameRows(left, right)) throw new Error(JSON.stringify({ left, right, found }));
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  });
}

/** Gives every column its type. */
const EMPTY = { k: 1_000, s: 'x', n: '0.000001', f: 0.5, b: true };
