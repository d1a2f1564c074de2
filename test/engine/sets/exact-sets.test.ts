import t from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { rowsOf, runOps } from './set-scene.ts';

const folder = t.testdir();

/** Rows whose columns are of these types when the operations see them. */
const cast = (types: Readonly<Record<string, string>>) => ({ cast: types });
const made = (ops: readonly unknown[], rows: readonly Row[], others: readonly Row[] = []) =>
  rowsOf({ folder, ops, rows, others });
const message = async (ops: readonly unknown[], rows: readonly Row[]) =>
  (await runOps({ folder, ops, rows })).failure?.message ?? null;

t.test('aggregates of decimals and of integers beyond 2^53 are exact', async (t) => {
  const rows = [
    { d: '0.1', i: '9007199254740993' },
    { d: '0.2', i: '9007199254740993' },
    { d: '12345678901234567890.00', i: '9007199254740995' },
    { d: '0.20', i: 1 },
  ];
  const fields = {
    sum: { sum: 'd' },
    mean: { avg: 'd' },
    middle: { median: 'd' },
    least: { min: 'd' },
    most: { max: 'd' },
    kinds: { count_distinct: 'd' },
    isum: { sum: 'i' },
    imean: { avg: 'i' },
    imiddle: { median: 'i' },
  };
  const found = await made([cast({ d: 'decimal', i: 'integer' }), { aggregate: { by: [], fields } }], rows);
  t.match(found, [
    {
      sum: '12345678901234567890.50',
      mean: '3086419725308641972.625',
      middle: '0.2',
      least: '0.10',
      most: '12345678901234567890.00',
      kinds: 3,
      isum: '27021597764222982',
      imean: '6755399441055745.5',
      imiddle: '9007199254740993',
    },
  ]);
  const small = await made(
    [cast({ i: 'integer' }), { aggregate: { by: [], fields: { mean: { avg: 'i' } } } }],
    [{ i: 1 }, { i: 2 }],
  );
  t.strictSame(small, [{ mean: 1.5 }], 'the mean of small integers stays a number');
});

t.test('a sum with more digits than can be held is refused, with its column', async (t) => {
  const rows = Array.from({ length: 20 }, () => ({ d: '99999999999999999999999999999999999999' }));
  const aggregate = { aggregate: { by: [], fields: { all: { sum: 'd' } } } };
  t.match(await message([cast({ d: 'decimal' }), aggregate], rows), /38 digits.*sum of "d"/);
  const long = [{ d: '1'.repeat(30) }, { d: `0.${'1'.repeat(30)}` }];
  t.match(
    await message([cast({ d: 'decimal' }), aggregate], long),
    /^aggregate: The decimals of the column "d" have 60 digits; at most 38/,
  );
});

t.test('keys are compared by their value, whatever the type of the numbers', async (t) => {
  const left = [
    { k: '1.50', id: 1 },
    { k: '9007199254740993', id: 2 },
    { k: '0.105', id: 3 },
    { k: '0.1', id: 4 },
  ];
  const right = [
    { k: 1.5, name: 'a' },
    { k: 9007199254740992, name: 'b' },
    { k: 0.11, name: 'c' },
    { k: 0.1, name: 'd' },
    { k: 1e300, name: 'e' },
  ];
  const joined = await made(
    [cast({ k: 'decimal' }), { join: { with: 'right', on: ['k'] } }, { drop: ['k'] }],
    left,
    right,
  );
  t.strictSame(joined, [
    { id: 1, name: 'a' },
    { id: 4, name: 'd' },
  ]);
  const kept = await made(
    [cast({ k: 'decimal' }), { dedupe: { by: ['k'] } }],
    [{ k: '1.5' }, { k: '1.50' }, { k: '01.500' }],
  );
  t.strictSame(kept, [{ k: '1.5' }]);
});

t.test('texts that stand for durations, times of day or money have no order of their letters', async (t) => {
  const dedupe = { dedupe: { by: ['id'], keep: 'last', sort: 'at' } };
  const most = { aggregate: { by: ['id'], fields: { most: { max: 'at' } } } };
  const rows = (...values: readonly string[]) => values.map((at) => ({ id: 1, at }));
  for (const op of [dedupe, most]) {
    t.match(await message([op], rows('P9D', 'P10D')), /"at" holds durations as text, whose order is another/);
    t.match(await message([op], rows('PT90M', 'PT2H')), /"at" holds durations as text/);
    t.match(await message([op], rows('$100.00', '$20.00')), /"at" holds amounts of money as text/);
    t.match(await message([op], rows('9:00', '10:00')), /"at" holds times of day as text, in several forms/);
    t.match(await message([op], rows('09:30:00+00', '10:00:00+02')), /"at" holds times of day as text/);
    t.match(await message([op], rows('10:00:00Z', '10:00:00.5Z')), /"at" holds times of day as text/);
  }
  const newest = async (...values: readonly string[]) => (await made([dedupe], rows(...values)))[0]?.['at'];
  t.equal(await newest('10:00:00', '09:00:00'), '10:00:00');
  t.equal(await newest('10:00:00+02', '09:00:00+02'), '10:00:00+02');
  t.equal(await newest('P9D', 'none'), 'none', 'other text beside them is text');
  t.equal(await newest('P9D', 'P9D'), 'P9D');
});

t.test('the newest row is the one with the latest time, or the order is refused', async (t) => {
  const dedupe = { dedupe: { by: ['id'], keep: 'last', sort: 'at' } };
  const rows = [
    { id: 1, v: 'newest', at: '2020-01-01T10:00:00.5Z' },
    { id: 1, v: 'older', at: '2020-01-01T10:00:00Z' },
    { id: 2, v: 'older', at: '2020-01-01T12:00:00+02:00' },
    { id: 2, v: 'newest', at: '2020-01-01T11:00:00Z' },
  ];
  t.match(await made([cast({ at: 'timestamp' }), dedupe, { drop: ['at'] }], rows), [
    { v: 'newest' },
    { v: 'newest' },
  ]);
  t.match(await message([dedupe], rows), /"at" holds times as text, in several forms; cast it to timestamp/);
  const most = { aggregate: { by: ['id'], fields: { most: { max: 'at' } } } };
  t.match(await message([most], rows), /^aggregate: the column "at" holds times as text/);
  t.match(
    await message(
      [dedupe],
      [
        { id: 1, at: 9 },
        { id: 1, at: '10' },
      ],
    ),
    /"at" holds numbers and text/,
  );
  t.match(
    await made(
      [dedupe],
      [
        { id: 1, at: '2020-01-02T00:00:00Z' },
        { id: 1, at: '2020-01-01T00:00:00Z' },
      ],
    ),
    [{ at: '2020-01-02T00:00:00Z' }],
    'texts of one form are in the order of the times',
  );
  t.match(
    await made(
      [dedupe],
      [
        { id: 1, at: 'b' },
        { id: 1, at: 'a' },
      ],
    ),
    [{ at: 'b' }],
  );
  t.match(
    await made(
      [cast({ at: 'integer' }), dedupe],
      [
        { id: 1, at: '10' },
        { id: 1, at: 9 },
      ],
    ),
    [{ at: 10 }],
  );
});

t.test('bytes that are no base64 are refused', async (t) => {
  const out = await runOps({
    folder,
    ops: [{ dedupe: { by: ['b'] } }],
    rows: [{ b: 'x' }],
    types: { b: 'binary' },
  });
  t.match(out.failure?.message, /^dedupe: "x" in the column "b" is no base64/);
});
