import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import type { Connection, WriteMode, WriteRequest } from '../../../../src/drivers/driver.ts';
import { postgresDriver } from '../../../../src/drivers/postgres/driver.ts';
import { createDatabase } from '../../../support/postgres.ts';
import { batchOf, contextOf, execute, fault, load, rowsOf } from '../../sql/engines.ts';

const LOADS = 8;
const { url } = await createDatabase(t);
const ids = Array.from({ length: LOADS }, (_, at) => at + 1);
let schemas = 0;

async function openAll(t: Test): Promise<{ readonly schema: string; readonly all: readonly Connection[] }> {
  schemas += 1;
  const schema = `s${schemas}`;
  const opening = ids.map(() => postgresDriver.connect({ url, schema }, contextOf('/')));
  const all = await Promise.all(opening);
  t.teardown(() => Promise.all(all.map((connection) => connection.close())));
  await execute(all[0] as Connection, `CREATE SCHEMA ${schema}`);
  return { schema, all };
}

/** Each load has two batches; the second has a column that the first lacks. */
async function loadAt(
  c: Connection,
  id: number,
  request: Partial<WriteRequest> & { mode: WriteMode },
): Promise<number> {
  const writer = await c.openWriter(load({ loadId: `load-${id}`, ...request }));
  try {
    await writer.write(batchOf([{ id, a: 1 }]));
    if (request.columnsAreFixed !== true) await writer.write(batchOf([{ id: id + 100, a: 1, late: id }]));
    return (await writer.commit()).rows;
  } finally {
    await writer.abort();
  }
}

const TABLES: Readonly<Record<string, readonly string[]>> = {
  'no table': [],
  'a table without a column and an index': ['CREATE TABLE people (id int)'],
};

for (const [there, statements] of Object.entries(TABLES)) {
  for (const mode of ['append', 'merge', 'insert_only', 'replace'] as const) {
    for (const columnsAreFixed of [true, false]) {
      t.test(`eight loads at once, ${mode} into ${there}, fixed columns ${columnsAreFixed}`, async (t) => {
        const { all } = await openAll(t);
        await execute(all[0] as Connection, ...statements);
        const loads = all.map((c, at) =>
          loadAt(c, at + 1, { mode, columnsAreFixed, rowsMayFail: at % 2 === 0 }),
        );
        const each = columnsAreFixed ? 1 : 2;
        t.strictSame(
          await Promise.all(loads),
          ids.map(() => each),
        );
        const found = await rowsOf(all[0] as Connection, 'SELECT count(*)::int AS n FROM people');
        t.strictSame(found, [{ n: mode === 'replace' ? each : each * LOADS }]);
      });
    }
  }
}

t.test('eight processes make one table, its columns and its index', async (t) => {
  const program = join(import.meta.dirname, 'race-main.ts');
  for (const mode of ['append', 'merge']) {
    const { schema, all } = await openAll(t);
    const startAt = String(Date.now() + 4_000);
    const runs = ids.map((id) =>
      promisify(execFile)(process.execPath, [program, url, schema, mode, String(id), startAt]),
    );
    t.strictSame(
      (await Promise.all(runs)).map(({ stdout }) => stdout),
      ids.map(() => '2\n'),
    );
    const found = await rowsOf(
      all[0] as Connection,
      'SELECT count(*)::int AS n, sum(late)::int AS late FROM people',
    );
    t.strictSame(found, [{ n: 16, late: 36 }]);
  }
});

t.test(
  'a load that runs beside another one is told that both change the columns, and nothing waits for ever',
  async (t) => {
    const { all } = await openAll(t);
    const [first, second] = all as [Connection, Connection];
    await execute(first, 'CREATE TABLE people (id int, a int)');
    const writers = [
      await first.openWriter(load({ mode: 'append', loadId: 'one' })),
      await second.openWriter(load({ mode: 'append', loadId: 'two', columnsAreFixed: true })),
    ] as const;
    await writers[0].write(batchOf([{ id: 1, a: 1 }]));
    await writers[1].write(batchOf([{ id: 2, a: 1 }]));
    // It was said to have fixed columns.
    await t.rejects(
      writers[1].write(batchOf([{ id: 3, late: 1 }])),
      fault('UNAVAILABLE', /Another load changes the columns of "people" at the same time/),
    );
    await writers[0].write(batchOf([{ id: 4, late: 1 }]));
    await writers[0].commit();
    for (const writer of writers) await writer.abort();
    t.strictSame(await rowsOf(first, 'SELECT id FROM people ORDER BY id'), [{ id: 1 }, { id: 4 }]);
  },
);

t.test('a table that was renamed keeps its index, and the one in its place gets another', async (t) => {
  const { all } = await openAll(t);
  const c = all[0] as Connection;
  await execute(c, 'CREATE TABLE people (id int)');
  await loadAt(c, 1, { mode: 'merge' });
  await execute(c, 'ALTER TABLE people RENAME TO elders', 'CREATE TABLE people (id int)');
  t.equal(await loadAt(c, 2, { mode: 'merge' }), 2);
});
