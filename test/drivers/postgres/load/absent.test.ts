import fc from 'fast-check';
import t from 'tap';
import type { Batch, Connection, Row } from '../../../../src/drivers/driver.ts';
import { column, engines, execute, load, never, rowsOf, writeAll } from '../../sql/engines.ts';

const engine = engines.find(({ name }) => name === 'postgres');
const open = await engine?.prepare(t);
if (open === undefined) throw new Error('There is no PostgreSQL');

const NAMES = ['id', 'a', 'b'];
const columns = NAMES.map((name) => column(name, 'integer'));
const sparse = (...rows: Row[]): Batch => ({ columns, rows });
const people = (c: Connection) => rowsOf(c, 'SELECT id, a, b FROM people ORDER BY id');

async function prepare(c: Connection): Promise<void> {
  await execute(
    c,
    'DROP TABLE IF EXISTS people',
    'CREATE TABLE people (id int PRIMARY KEY, a int DEFAULT 7, b int NOT NULL DEFAULT 8)',
    'INSERT INTO people VALUES (1, 1, 1), (2, 2, 2)',
  );
}

t.test('a field that a record lacks keeps what is there, and a new row gets the default', async (t) => {
  const c = await open(t);
  for (const mode of ['merge', 'upsert'] as const) {
    for (const rowsMayFail of [false, true]) {
      await prepare(c);
      await writeAll(
        c,
        { mode, rowsMayFail },
        sparse({ id: 1, a: 10 }, { id: 2, b: 20 }, { id: 3, a: null, b: 3 }, { id: 4 }),
      );
      t.strictSame(await people(c), [
        { id: 1, a: 10, b: 1 },
        { id: 2, a: 2, b: 20 },
        { id: 3, a: null, b: 3 },
        { id: 4, a: 7, b: 8 },
      ]);
    }
  }
  for (const mode of ['append', 'replace', 'insert_only', 'truncate_insert'] as const) {
    await prepare(c);
    await execute(c, 'DELETE FROM people');
    await writeAll(
      c,
      { mode, loadId: mode },
      sparse({ id: 3, a: null, b: 3 }, { id: 4, b: 4 }, { id: 5, a: 5 }),
    );
    const wanted = [
      { id: 3, a: null, b: 3 },
      { id: 4, a: 7, b: 4 },
      { id: 5, a: 5, b: 8 },
    ];
    t.strictSame(await people(c), wanted, mode);
  }
});

t.test(
  'records of a load change a table as if each came alone, whatever their order, shapes and batches',
  async (t) => {
    const c = await open(t);
    const value = fc.option(fc.integer({ min: 0, max: 9 }));
    const record = fc.record(
      { id: fc.integer({ min: 1, max: 3 }), a: value, b: fc.integer({ min: 0, max: 9 }) },
      {
        requiredKeys: ['id'],
      },
    );
    const batches = fc.array(fc.array(record, { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    });
    const cases = fc.tuple(batches, fc.boolean(), fc.constantFrom('merge' as const, 'insert_only' as const));
    await fc.assert(
      fc.asyncProperty(cases, async ([all, rowsMayFail, mode]) => {
        const wanted = new Map<number, Row>([
          [1, { id: 1, a: 1, b: 1 }],
          [2, { id: 2, a: 2, b: 2 }],
        ]);
        for (const row of all.flat()) {
          const known = wanted.get(row.id);
          if (known === undefined) wanted.set(row.id, { a: 7, b: 8, ...row });
          else if (mode === 'merge') Object.assign(known, row);
        }
        await prepare(c);
        await writeAll(c, { mode, rowsMayFail }, ...all.map((rows) => sparse(...rows)));
        t.strictSame(
          await people(c),
          [...wanted.values()].sort((one, other) => Number(one['id']) - Number(other['id'])),
        );
      }),
      { numRuns: 40 },
    );
  },
);

t.test('parts keep fields absent until they are published', async (t) => {
  const c = await open(t);
  for (const columnsAreFixed of [false, true]) {
    for (const mode of ['merge', 'insert_only', 'append', 'truncate_insert'] as const) {
      await prepare(c);
      const isKeyed = mode === 'merge' || mode === 'insert_only';
      if (!isKeyed) await execute(c, 'DELETE FROM people');
      const parts = await c.openParts?.({
        ...load({ mode }),
        loadId: `${mode}${columnsAreFixed}`,
        partsId: `${mode}${columnsAreFixed}`,
        rowsMayFail: false,
        columnsAreFixed,
      });
      if (parts === undefined) throw new Error('There are no parts');
      await parts.reset(never);
      await parts.begin(never);
      for (const [name, rows] of [
        ['one', [{ id: 1, a: 10 }]],
        ['two', [{ id: 2, b: 20 }, { id: 3 }]],
      ] as const) {
        const writer = await parts.openPart(name, never);
        await writer.write(sparse(...rows));
        await writer.commit();
      }
      await parts.publish(3, never);
      const old = isKeyed ? [1, 2] : [7, 8];
      const wanted =
        mode === 'insert_only'
          ? [
              { id: 1, a: 1, b: 1 },
              { id: 2, a: 2, b: 2 },
            ]
          : [
              { id: 1, a: 10, b: isKeyed ? 1 : old[1] },
              { id: 2, a: isKeyed ? 2 : old[0], b: 20 },
            ];
      t.strictSame(await people(c), [...wanted, { id: 3, a: 7, b: 8 }], `${mode} ${columnsAreFixed}`);
    }
  }
});

t.test('a call inserts the default where a row lacks a column', async (t) => {
  const c = await open(t);
  await prepare(c);
  await c.call(
    'insert',
    {
      table: 'people',
      rows: [
        { id: 5, a: 5 },
        { id: 6, b: 6 },
        { id: 7, a: null },
      ],
    },
    never,
  );
  t.strictSame(await rowsOf(c, 'SELECT id, a, b FROM people WHERE id > 4 ORDER BY id'), [
    { id: 5, a: 5, b: 8 },
    { id: 6, a: 7, b: 6 },
    { id: 7, a: null, b: 8 },
  ]);
});
