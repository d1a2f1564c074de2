import t from 'tap';
import type { Batch, Row } from '../../../src/drivers/driver.ts';
import { column, fault, load, never, writeAll } from '../sql/engines.ts';
import { placeOf, sql } from './support.ts';

const columns = [column('id', 'integer'), column('a', 'string'), column('b', 'string')];
const batch = (...rows: Row[]): Batch => ({ columns, rows });

const TABLE = `CREATE TABLE people (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'da', b TEXT DEFAULT 'db')`;

for (const mode of ['merge', 'upsert'] as const)
  t.test(`${mode}: a record changes the columns that it has, whatever its neighbours have`, async (t) => {
    const { connection, path } = await placeOf(t);
    sql(path, TABLE, `INSERT INTO people VALUES (1, 'old', 'keep'), (2, 'old', 'keep'), (3, 'old', 'keep')`);
    const rows = [
      { id: 1, a: 'new' },
      { id: 2, b: 'new', a: undefined },
      { id: 3, a: null },
      { id: 4, a: 'x' },
      { id: 1, b: 'late' },
      { id: 5 },
    ];
    t.equal(await writeAll(connection, { mode }, batch(...rows)), 6);
    t.strictSame(sql(path, 'SELECT * FROM people ORDER BY id'), [
      { id: 1, a: 'new', b: 'late' },
      { id: 2, a: 'old', b: 'new' },
      { id: 3, a: null, b: 'keep' },
      { id: 4, a: 'x', b: 'db' },
      { id: 5, a: 'da', b: 'db' },
    ]);
  });

t.test('a merge into a table that requires more than the records have', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(
    path,
    'CREATE TABLE people (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT)',
    `INSERT INTO people VALUES (1, 'old', 'keep'), (2, 'old', 'keep')`,
  );
  await writeAll(
    connection,
    { mode: 'merge' },
    batch({ id: 1, b: 'new' }, { id: 2, a: 'new' }, { id: 3, a: 'x', b: 'y' }),
  );
  t.strictSame(sql(path, 'SELECT a, b FROM people ORDER BY id'), [
    { a: 'old', b: 'new' },
    { a: 'new', b: 'keep' },
    { a: 'x', b: 'y' },
  ]);
});

for (const mode of ['append', 'replace', 'truncate_insert', 'insert_only'] as const)
  t.test(`${mode}: a new row gets the defaults of what it lacks, and null where it says null`, async (t) => {
    const { connection, path } = await placeOf(t);
    sql(path, TABLE);
    const rows = [
      { id: 1, a: 'x' },
      { id: 2, a: null, b: null },
      { id: 3, b: 'y' },
    ];
    t.equal(await writeAll(connection, { mode }, batch(...rows)), 3);
    t.strictSame(sql(path, 'SELECT a, b FROM people ORDER BY id'), [
      { a: 'x', b: 'db' },
      { a: null, b: null },
      { a: 'da', b: 'y' },
    ]);
  });

t.test(
  'a record that has nothing is a row, and one that comes twice counts once for insert_only',
  async (t) => {
    const { connection, path } = await placeOf(t);
    sql(path, TABLE);
    await writeAll(connection, { mode: 'append' }, batch({}, { a: 'x' }));
    t.strictSame(sql(path, 'SELECT * FROM people ORDER BY a'), [
      { id: 1, a: 'da', b: 'db' },
      { id: 2, a: 'x', b: 'db' },
    ]);
    const first = batch({ id: 7, a: 'first' }, { id: 7, b: 'second' });
    t.equal(await writeAll(connection, { mode: 'insert_only' }, first), 1);
    t.strictSame(sql(path, 'SELECT a, b FROM people WHERE id = 7'), [{ a: 'first', b: 'db' }]);
  },
);

t.test('a new table has all columns, and rows that lack one have null', async (t) => {
  const { connection, path } = await placeOf(t);
  await writeAll(connection, { mode: 'merge' }, batch({ id: 1, a: 'x' }, { id: 2, b: 'y' }));
  t.strictSame(sql(path, 'SELECT * FROM people ORDER BY id'), [
    { id: 1, a: 'x', b: null },
    { id: 2, a: null, b: 'y' },
  ]);
});

t.test('keys that come with many shapes, among thousands of rows', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(path, TABLE);
  const names = Array.from({ length: 8 }, (_, n) => `c${n}`);
  const wide = { columns: [column('id', 'integer'), ...names.map((name) => column(name, 'integer'))] };
  const rows = Array.from({ length: 2_000 }, (_, n) => {
    const row: Row = { id: n % 500 };
    for (const [bit, name] of names.entries()) if ((n * 37) & (1 << bit)) row[name] = n;
    return row;
  });
  const wanted = new Map<unknown, Row>();
  for (const row of rows) wanted.set(row['id'], { ...wanted.get(row['id']), ...row });
  const writer = await connection.openWriter(load({ mode: 'merge' }));
  for (let at = 0; at < rows.length; at += 700)
    await writer.write({ ...wide, rows: rows.slice(at, at + 700) });
  await writer.commit();
  const got = sql(path, `SELECT id, ${names.join(', ')} FROM people ORDER BY id`);
  t.strictSame(
    got,
    [...wanted.values()]
      .toSorted((x, y) => Number(x['id']) - Number(y['id']))
      .map((row) => ({
        id: row['id'],
        ...Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
      })),
  );
});

t.test('parts: each row keeps to its own columns, also where parts have others', async (t) => {
  const { connection, path } = await placeOf(t);
  let loads = 0;
  const publish = async (mode: 'merge' | 'append' | 'insert_only', ...parts: readonly Batch[]) => {
    const key = mode === 'append' ? [] : ['id'];
    const base = {
      object: 'people',
      mode,
      key,
      allowEmpty: false,
      rowsMayFail: false,
      columnsAreFixed: false,
    };
    const parted = await connection.openParts?.({
      ...base,
      loadId: `l${++loads}`,
      partsId: `p${loads}`,
      signal: never,
    });
    await parted?.reset(never);
    await parted?.begin(never);
    for (const [n, part] of parts.entries()) {
      const writer = await parted?.openPart(String(n), never);
      await writer?.write(part);
      await writer?.commit();
    }
    return parted?.publish(parts.flatMap(({ rows }) => rows).length, never);
  };
  const narrow: Batch = {
    columns: columns.slice(0, 2),
    rows: [
      { id: 1, a: 'new' },
      { id: 6, a: 'x' },
    ],
  };
  const wide = batch(
    { id: 2, b: 'new' },
    { id: 3, a: null, b: 'y' },
    { id: 1, b: 'late' },
    { id: 5 },
    { id: 6, a: 'z' },
  );
  sql(
    path,
    TABLE,
    `INSERT INTO people VALUES (1, 'old', 'keep'), (2, 'old', 'keep'), (3, 'old', 'keep'), (6, 'o', 'keep')`,
  );
  t.strictSame(await publish('merge', narrow, wide), { rows: 7 });
  t.strictSame(sql(path, 'SELECT * FROM people ORDER BY id'), [
    { id: 1, a: 'new', b: 'late' },
    { id: 2, a: 'old', b: 'new' },
    { id: 3, a: null, b: 'y' },
    { id: 5, a: 'da', b: 'db' },
    { id: 6, a: 'z', b: 'keep' },
  ]);
  sql(path, 'DELETE FROM people');
  t.strictSame(await publish('insert_only', narrow, wide), { rows: 5 });
  t.strictSame(sql(path, 'SELECT * FROM people ORDER BY id')[0], { id: 1, a: 'new', b: 'db' });
  sql(
    path,
    'DROP TABLE people',
    `CREATE TABLE people (id INTEGER, a TEXT DEFAULT 'da', b TEXT DEFAULT 'db')`,
  );
  t.strictSame(await publish('append', narrow, wide), { rows: 7 });
  t.strictSame(sql(path, 'SELECT * FROM people WHERE id = 1 ORDER BY a'), [
    { id: 1, a: 'da', b: 'late' },
    { id: 1, a: 'new', b: 'db' },
  ]);
  sql(
    path,
    'DROP TABLE people',
    'CREATE TABLE people (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT)',
    `INSERT INTO people VALUES (1, 'o', 'o'), (2, 'o', 'o')`,
  );
  await publish('merge', batch({ id: 1, b: 'n' }, { id: 2, a: 'n' }, { id: 1, a: 'm' }));
  t.strictSame(sql(path, 'SELECT * FROM people ORDER BY id'), [
    { id: 1, a: 'm', b: 'n' },
    { id: 2, a: 'n', b: 'o' },
  ]);
});

t.test('parts: values are exact, and the refusal names the target', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(path, TABLE);
  const base = {
    object: 'people',
    mode: 'merge',
    key: ['id'],
    allowEmpty: false,
    rowsMayFail: false,
  } as const;
  const parted = await connection.openParts?.({
    ...base,
    loadId: 'l',
    partsId: 'p',
    columnsAreFixed: false,
    signal: never,
  });
  await parted?.reset(never);
  await parted?.begin(never);
  const writer = await parted?.openPart('1', never);
  const ids = { columns: [column('id', 'string')], rows: [{ id: '007' }] };
  await t.rejects(
    writer?.write(ids) ?? Promise.resolve(),
    fault('DATA', /column "id" \(INTEGER\) of "people"/),
  );
  await writer?.abort();
});
