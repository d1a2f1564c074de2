import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { createDatabase } from '../../support/postgres.ts';
import { DB, INTEGER, sceneOf, sqlite, yamlOf } from '../support/cursor-scene.ts';

t.test('files: each run reads what the one before has not', async (t) => {
  const forms = {
    csv: { file: 'a.csv', rows: 'id,v\n2,b\n1,a\n', more: '10,c\n' },
    json: { file: 'a.ndjson', rows: '{"id":2}\n{"id":1}\n', more: '{"id":10}\n' },
  };
  for (const [type, { file, rows, more }] of Object.entries(forms)) {
    await t.test(type, async (t) => {
      const scene = sceneOf(t, type, yamlOf(type, `method: read, ${INTEGER}`));
      writeFileSync(join(scene.folder, file), rows);
      const steps = (from: unknown, to: unknown) => [{ cursor: { from, to } }, { cursor: null }];
      t.match(await scene.run({ path: file }), { status: 'success', rows_in: 2, steps: steps(0, 2) });
      t.match(await scene.run({ path: file }), { status: 'success', rows_in: 0, steps: steps(2, null) });
      appendFileSync(join(scene.folder, file), more);
      t.match(await scene.run({ path: file }), { status: 'success', rows_in: 1, steps: steps(2, 10) });
      t.strictSame(scene.loaded(), [2, 1, 10]);
    });
  }
});

t.test('scripted rows, with a filter of the arguments beside it', async (t) => {
  const scene = sceneOf(
    t,
    'dummy',
    yamlOf('dummy', `method: list, args: {where: {id: {lt: 9}}}, ${INTEGER}`),
  );
  t.match(await scene.run({ rows: [{ id: 1 }, { id: 9 }] }), { status: 'success', rows_in: 1 });
  t.match(await scene.run({ rows: [{ id: 1 }, { id: 2 }, { id: 9 }] }), { status: 'success', rows_in: 1 });
  t.strictSame(scene.loaded(), [1, 2]);
});

t.test('tables are read in order, beyond 2^53 too', async (t) => {
  const scene = sceneOf(t, 'sqlite', yamlOf('sqlite', `method: list, args: {table: s}, ${INTEGER}`));
  // Without a declared type a text would be greater than every number.
  sqlite(scene.folder, 'CREATE TABLE s (id); INSERT INTO s VALUES (9007199254740993), (3), (10)');
  t.match(await scene.run(DB), { status: 'success', rows_in: 3 });
  t.strictSame(scene.loaded('CAST(id AS TEXT)'), ['3', '10', '9007199254740993']);
  t.equal(scene.keeper.checkpoints.get('read')?.value, '9007199254740993');
  sqlite(scene.folder, 'INSERT INTO s VALUES (9007199254740994), (4)');
  t.match(await scene.run(DB), { status: 'success', rows_in: 1 });
});

t.test('PostgreSQL: texts by its collation, decimals and times exactly', async (t) => {
  const { url } = await createDatabase(t);
  const connection = await postgresDriver.connect(
    { url },
    { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 5_000 },
  );
  t.teardown(() => connection.close());
  const execute = (sql: string) => connection.call('execute', { sql }, new AbortController().signal);
  await execute('CREATE TABLE s (name text COLLATE "en-x-icu", price numeric, at timestamptz)');
  await execute(
    `INSERT INTO s VALUES ('a', 1.10, '2024-01-01 00:00:00.123456+00'), ('B', 1.100000000000000000001, '2024-01-01 00:00:00.123457+00')`,
  );
  const fields = { name: 'string', price: 'number', at: 'datetime' };
  const next = {
    name: "'C', 0, '2000-01-01'",
    price: "'', 1.100000000000000000002, '2000-01-01'",
    at: "'', 0, '2024-01-01 00:00:00.123458+00'",
  };
  for (const [field, type] of Object.entries(fields)) {
    await t.test(`${field} as ${type}`, async (t) => {
      const scene = sceneOf(
        t,
        'postgres',
        yamlOf(
          'postgres',
          `method: list, args: {table: s, filter: {name: {in: [a, B, C, '']}}}, cursor: {field: ${field}, type: ${type}}`,
        ),
      );
      t.match(await scene.run({ url }), { status: 'success', rows_in: 2 });
      t.match(await scene.run({ url }), { status: 'success', rows_in: 0 });
      await execute(`INSERT INTO s VALUES (${next[field as keyof typeof next]})`);
      t.match(await scene.run({ url }), { status: 'success', rows_in: 1 });
      await execute("DELETE FROM s WHERE name IN ('C', '')");
    });
  }
});

t.test('without "initial" the first run reads everything, and says so', async (t) => {
  const scene = sceneOf(t, 'csv', yamlOf('csv', 'method: read, cursor: { field: id, type: integer }'));
  writeFileSync(join(scene.folder, 'a.csv'), 'id\n-5\n7\n');
  t.match(await scene.run({ path: 'a.csv' }), { status: 'success', rows_in: 2 });
  t.ok(scene.keeper.logs.some(({ message }) => message.includes('this run reads all rows')));
  t.match(await scene.run({ path: 'a.csv' }), { rows_in: 0 });
});

t.test(
  'rows of the saved value that come later are read where a key tells them from those that are there',
  async (t) => {
    for (const [load, found] of [
      ['mode: merge, key: [id]', [1, 2, 3]],
      ['mode: append', [1, 2]],
    ] as const) {
      await t.test(load, async (t) => {
        const scene = sceneOf(
          t,
          'sqlite',
          yamlOf('sqlite', 'method: list, args: {table: s}, cursor: {field: day, type: date}', load),
        );
        sqlite(
          scene.folder,
          "CREATE TABLE s (id INTEGER, day DATE); INSERT INTO s VALUES (1, '2024-01-01'), (2, '2024-01-02')",
        );
        await scene.run(DB);
        sqlite(scene.folder, "INSERT INTO s VALUES (3, '2024-01-02')");
        await scene.run(DB);
        t.strictSame(scene.loaded(), found);
      });
    }
  },
);

t.test('"initial" and "end" bound the first run: from the one on, before the other', async (t) => {
  const scene = sceneOf(
    t,
    'csv',
    yamlOf(
      'csv',
      'method: read, cursor: {field: at, type: datetime, initial: "2024-01-02T00:00:00Z", end: "2024-01-04T00:00:00Z"}',
    ),
  );
  // The second is the same time as "initial", written with another offset.
  writeFileSync(
    join(scene.folder, 'a.csv'),
    'at\n2024-01-01T23:59:59Z\n2024-01-02T01:00:00+01:00\n2024-01-03T00:00:00Z\n2024-01-04T01:00:00+02:00\n2024-01-04T00:00:00Z\n',
  );
  t.match(await scene.run({ path: 'a.csv' }), { status: 'success', rows_in: 3 });
  t.equal(scene.keeper.checkpoints.get('read')?.value, '2024-01-04T01:00:00+02:00');
});

t.test(
  'a window leaves what comes after it to the next run, over gaps and rows that are read again',
  async (t) => {
    for (const load of ['mode: append', 'mode: merge, key: [n]']) {
      await t.test(load, async (t) => {
        const read = `method: list, args: {table: s}, batch: {size: 2}, ${INTEGER.replace('initial: 0', 'window: 3')}`;
        const scene = sceneOf(t, 'sqlite', yamlOf('sqlite', read, load));
        sqlite(
          scene.folder,
          'CREATE TABLE s (n INTEGER, id INTEGER); INSERT INTO s VALUES (1, 1), (2, 3), (3, 3), (4, 4), (5, 90), (6, 9007199254740993)',
        );
        const found: unknown[] = [];
        for (let run = 0; run < 5; run++) {
          t.match(await scene.run(DB), { status: 'success' });
          found.push(scene.loaded('n').length);
        }
        t.strictSame(found, [3, 4, 5, 6, 6]);
      });
    }
    await t.test('of time, after a lookback', async (t) => {
      const cursor = 'cursor: {field: at, type: datetime, window: 1h, lookback: 1d}';
      const scene = sceneOf(
        t,
        'sqlite',
        yamlOf('sqlite', `method: list, args: {table: s}, ${cursor}`, 'mode: merge, key: [at]'),
      );
      sqlite(
        scene.folder,
        "CREATE TABLE s (at TEXT); INSERT INTO s VALUES ('2024-01-01T00:00:00Z'), ('2024-01-01T00:59:59Z'), ('2024-01-01T01:00:00Z'), ('2024-01-03T00:00:00Z')",
      );
      t.match(await scene.run(DB), { rows_in: 2, steps: [{ cursor: { to: '2024-01-01T00:59:59Z' } }, {}] });
      t.match(await scene.run(DB), { rows_in: 3, steps: [{ cursor: { to: '2024-01-01T01:00:00Z' } }, {}] });
      t.match(await scene.run(DB), { rows_in: 4, steps: [{ cursor: { to: '2024-01-03T00:00:00Z' } }, {}] });
    });
  },
);
