import t from 'tap';
import { batchOf, fault, load, never, writeAll } from '../sql/engines.ts';
import { placeOf, sql } from './support.ts';

const SCHEMA = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people (id) ON DELETE CASCADE)',
  'CREATE TABLE notes (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people (id) ON DELETE SET NULL)',
  `INSERT INTO people VALUES (1, 'a'), (2, 'b')`,
  'INSERT INTO orders VALUES (10, 1), (11, 2)',
  'INSERT INTO notes VALUES (20, 2)',
];

for (const mode of ['replace', 'truncate_insert'] as const) {
  t.test(`${mode}: rows of other tables stay, whatever their references say`, async (t) => {
    const { connection, path } = await placeOf(t);
    sql(path, ...SCHEMA);
    const others = () => [sql(path, 'SELECT * FROM orders'), sql(path, 'SELECT * FROM notes')];
    const before = others();
    await writeAll(
      connection,
      { mode },
      batchOf([
        { id: 1, name: 'x' },
        { id: 2, name: 'y' },
      ]),
    );
    t.strictSame(others(), before);
    t.strictSame(sql(path, 'SELECT name FROM people'), [{ name: 'x' }, { name: 'y' }]);
    const broken = fault('TARGET', /refers to a missing row/);
    await t.rejects(writeAll(connection, { mode }, batchOf([{ id: 1, name: 'z' }])), broken);
    await t.rejects(writeAll(connection, { mode, allowEmpty: true }), broken);
    t.strictSame(others(), before);
    t.strictSame(sql(path, 'SELECT name FROM people'), [{ name: 'x' }, { name: 'y' }]);
  });

  t.test(`${mode} in parts: the same`, async (t) => {
    const { connection, path } = await placeOf(t);
    sql(path, ...SCHEMA);
    const publish = async (rows: { id: number; name: string }[]) => {
      const base = {
        object: 'people',
        mode,
        key: [],
        allowEmpty: true,
        rowsMayFail: false,
        columnsAreFixed: false,
      };
      const loadId = JSON.stringify(rows);
      const parts = await connection.openParts?.({ ...base, loadId, partsId: loadId, signal: never });
      await parts?.reset(never);
      await parts?.begin(never);
      if (rows.length > 0) {
        const part = await parts?.openPart('1', never);
        await part?.write(batchOf(rows));
        await part?.commit();
      }
      return parts?.publish(rows.length, never);
    };
    await publish([
      { id: 1, name: 'x' },
      { id: 2, name: 'y' },
    ]);
    const broken = fault('TARGET', /refers to a missing row/);
    await t.rejects(publish([{ id: 1, name: 'z' }]), broken);
    await t.rejects(publish([]), broken);
    t.strictSame(sql(path, 'SELECT person FROM orders UNION ALL SELECT person FROM notes'), [
      { person: 1 },
      { person: 2 },
      { person: 2 },
    ]);
  });
}

for (const [mode, wanted] of [
  ['append', { rows: 2, dropped: 1 }],
  ['truncate_insert', { rows: 2, dropped: 1 }],
  ['merge', { rows: 3, dropped: 1 }],
  ['insert_only', { rows: 2, dropped: 1 }],
] as const)
  t.test(`${mode}: rows that a trigger drops are counted as such`, async (t) => {
    const { connection, path } = await placeOf(t);
    sql(
      path,
      'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)',
      `INSERT INTO people VALUES (9, 'old')`,
      `CREATE TRIGGER no_b BEFORE INSERT ON people WHEN NEW.name = 'b' BEGIN SELECT RAISE(IGNORE); END`,
    );
    const keyed = mode === 'merge' || mode === 'insert_only';
    const rows = [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
      { id: 3, name: 'c' },
      ...(keyed ? [{ id: 9, name: 'new' }] : []),
    ];
    const writer = await connection.openWriter(load({ mode }));
    await writer.write(batchOf(rows));
    t.strictSame(await writer.commit(), wanted);
    t.equal(sql(path, `SELECT * FROM people WHERE name = 'b'`).length, 0);
  });

t.test('parts: rows that a trigger drops are counted as such', async (t) => {
  for (const mode of ['append', 'truncate_insert', 'merge', 'insert_only'] as const) {
    const { connection, path } = await placeOf(t);
    sql(
      path,
      'DROP TABLE IF EXISTS people',
      'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)',
      `CREATE TRIGGER no_b BEFORE INSERT ON people WHEN NEW.name = 'b' BEGIN SELECT RAISE(IGNORE); END`,
    );
    const key = mode === 'merge' || mode === 'insert_only' ? ['id'] : [];
    const base = {
      object: 'people',
      mode,
      key,
      allowEmpty: true,
      rowsMayFail: false,
      columnsAreFixed: false,
    };
    const parts = await connection.openParts?.({ ...base, loadId: mode, partsId: mode, signal: never });
    await parts?.reset(never);
    await parts?.begin(never);
    const part = await parts?.openPart('1', never);
    await part?.write(
      batchOf([
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
        { id: 3, name: 'c' },
      ]),
    );
    await part?.commit();
    t.strictSame(await parts?.publish(3, never), { rows: 2, dropped: 1 }, mode);
  }
});
