import t from 'tap';
import type { ColumnType, Row } from '../../../src/drivers/driver.ts';
import { compare, openSide, SIDES } from './support/sides.ts';

t.setTimeout(120_000);

const TYPES: Record<string, ColumnType> = {
  id: 'integer',
  name: 'string',
  amount: 'decimal',
  ratio: 'number',
  flag: 'boolean',
  day: 'date',
  at: 'timestamp',
  doc: 'json',
  raw: 'binary',
};

const ROWS: readonly Row[] = [
  {
    id: 1,
    name: 'Ünïcode 😀, "quoted"',
    amount: '10.50',
    ratio: 0.1,
    flag: true,
    day: '2026-01-31',
    at: '2026-01-31T12:00:00.5Z',
    doc: { b: [1, 2.5, null], a: 'x' },
    raw: Buffer.from([0, 255, 44]).toString('base64'),
  },
  {
    id: 2,
    name: '',
    amount: '-0.001',
    ratio: 1e21,
    flag: false,
    day: '0001-01-01',
    at: '9999-12-31T23:59:59.999Z',
    doc: [],
    raw: '',
  },
  { id: 3, name: null, amount: null, ratio: null, flag: null, day: null, at: null, doc: null, raw: null },
  {
    id: 4,
    name: '  padded  ',
    amount: '12345678901234567.8900',
    ratio: -1.5e-7,
    flag: true,
    day: '2000-02-29',
    at: '1970-01-01T00:00:00Z',
    doc: { deep: { n: 0 } },
    raw: 'AAAA',
  },
];

/** One cell each, and how it is changed. */
const CHANGES: readonly (readonly [string, number, unknown])[] = [
  ['name', 1, 'Ünïcode 😀, "quoted" '],
  ['name', 2, null],
  ['amount', 4, '12345678901234567.8901'],
  ['ratio', 1, 0.1 + Number.EPSILON],
  ['flag', 2, true],
  ['day', 4, '2000-03-01'],
  ['at', 2, '9999-12-31T23:59:59.998Z'],
  ['doc', 4, { deep: { n: 1 } }],
  ['raw', 1, Buffer.from([0, 255, 45]).toString('base64')],
];

const pairs = SIDES.flatMap((source, at) => SIDES.slice(at).map((target) => [source, target] as const));

/** With JSON the rows of engines that write it in different ways are read. */
const kinds = [
  ['all types', TYPES],
  [
    'types that engines digest',
    Object.fromEntries(Object.entries(TYPES).filter(([, type]) => type !== 'json')),
  ],
] as const;

for (const [a, b, what, all] of pairs.flatMap(([a, b]) => kinds.map((kind) => [a, b, ...kind] as const))) {
  t.test(`${a.name} and ${b.name}, ${what}`, { skip: a.skip || b.skip }, async (t) => {
    const folder = t.testdir();
    const source = await openSide(t, a, folder);
    // Two sides of one kind are two databases, or two objects of one folder.
    const target =
      a === b && (a.type === 'sqlite' || a.type === 'json') ? source : await openSide(t, b, folder);
    const types = [a, b].some(({ type }) => type === 'mongodb') ? withoutDecimals(all) : all;
    const keys = `key: [id]\n    columns: [${Object.keys(types).slice(1).join(', ')}]`;
    const rows = ROWS.map((row) => Object.fromEntries(Object.keys(types).map((name) => [name, row[name]])));
    await source.put('rows', types, rows);

    await target.put('rows', types, [...rows].reverse());
    const equal = await compare(folder, source, target, keys);
    t.same(equal.found.differences, [], 'no differences');
    t.match(equal, { status: 'success', found: { equal: true, rows_source: 4, rows_target: 4 } });
    const inside = (type: string) =>
      ['postgres', 'mysql'].includes(type) && (!('doc' in types) || (a === b && a.type === 'postgres'));
    t.equal(equal.found.digested.source, inside(a.type) ? 'engine' : 'rows');
    t.equal(equal.found.digested.target, inside(b.type) ? 'engine' : 'rows');
    if (source === target) return;

    for (const [column, id, value] of CHANGES.filter(([name]) => name in types)) {
      const changed = rows.map((row) => (row['id'] === id ? { ...row, [column]: value } : row));
      await target.put('rows', types, changed);
      const { found, status, code } = await compare(folder, source, target, keys);
      t.match({ status, code }, { status: 'error', code: 'VERIFY_DIFFERS' });
      t.match(found, { equal: false, differing: 1, missing: 0, surplus: 0 }, `${column} of ${id}`);
      t.match(found.differences, [{ kind: 'differing', key: { id: String(id) }, columns: [{ column }] }]);
      t.same(found.differences[0]?.columns.length, 1);
    }

    const swapped = rows.map((row) => (Number(row['id']) > 2 ? row : { ...row, id: 3 - Number(row['id']) }));
    await target.put('rows', types, swapped);
    t.match((await compare(folder, source, target, keys)).found, { differing: 2, missing: 0, surplus: 0 });

    await target.put('rows', types, [...rows.slice(1), { ...rows[1], id: 9 }, rows[2] as Row]);
    const { found } = await compare(folder, source, target, keys);
    t.match(found, { rows_source: 4, rows_target: 5, differing: 0, missing: 1, surplus: 2 });
    t.same(found.differences.map(({ kind, key }) => [kind, key['id']]).sort(), [
      ['missing', '1'],
      ['surplus', '3'],
      ['surplus', '9'],
    ]);
    t.match((await compare(folder, source, target, `${keys}\n    surplus: ignore`)).found, {
      equal: false,
    });

    await target.put('rows', types, []);
    const none = await compare(folder, source, target, keys).catch((error: Error) => error);
    if (none instanceof Error) t.match(none.message, /no column "id"|has no column/);
    else t.match(none.found, { rows_target: 0, missing: 4 });
  });
}

/** FerretDB knows none. */
function withoutDecimals(types: Record<string, ColumnType>): Record<string, ColumnType> {
  return Object.fromEntries(Object.entries(types).filter(([, type]) => type !== 'decimal'));
}
