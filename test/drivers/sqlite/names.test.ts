import t from 'tap';
import { batchOf, column, fault, load, never, writeAll } from '../sql/engines.ts';
import { placeOf, sql } from './support.ts';

const MODES = ['append', 'replace', 'truncate_insert', 'merge', 'insert_only'] as const;

for (const mode of MODES)
  t.test(`${mode}: no value is lost where names differ only in case`, async (t) => {
    const { connection, path } = await placeOf(t);
    sql(path, 'CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT)');
    const both = [
      { id: 1, email: 'a' },
      { id: 2, Email: 'b' },
    ];
    await t.rejects(
      writeAll(connection, { mode }, batchOf(both)),
      fault('CONFIG', /"email" and "Email" differ only in case/),
    );
    t.strictSame(sql(path, 'SELECT * FROM people'), []);
    await writeAll(connection, { mode }, batchOf([{ id: 1, email: 'a' }]), batchOf([{ id: 2, EMAIL: 'b' }]));
    t.strictSame(sql(path, 'SELECT email FROM people ORDER BY id'), [{ email: 'a' }, { email: 'b' }]);
  });

t.test('a new table, in one batch and in the next', async (t) => {
  const { connection, path } = await placeOf(t);
  await t.rejects(
    writeAll(connection, { mode: 'append' }, batchOf([{ id: 1, a: 1, A: 2 }])),
    fault('CONFIG'),
  );
  const late = writeAll(
    connection,
    { mode: 'append' },
    batchOf([{ id: 1, a: 1 }]),
    batchOf([{ id: 1, a: 1, A: 2 }]),
  );
  await t.rejects(late, fault('CONFIG', /differ only in case/));
  t.strictSame(sql(path, `SELECT name FROM sqlite_schema WHERE name = 'people'`), []);
});

t.test('letters beyond ASCII are other names, as for SQLite', async (t) => {
  const { connection, path } = await placeOf(t);
  await writeAll(
    connection,
    { mode: 'append' },
    batchOf([{ id: 1, ä: 1 }]),
    batchOf([{ id: 2, Ä: 2, '\u212a': 3, k: 4 }]),
  );
  t.strictSame(sql(path, 'SELECT * FROM people ORDER BY id'), [
    { id: 1, ä: 1, Ä: null, '\u212a': null, k: null },
    { id: 2, ä: null, Ä: 2, '\u212a': 3, k: 4 },
  ]);
  await writeAll(connection, { mode: 'append', object: 'Ö', loadId: 'b' }, batchOf([{ id: 1 }]));
  await writeAll(connection, { mode: 'replace', object: 'ö', loadId: 'c' }, batchOf([{ id: 2 }]));
  t.strictSame(sql(path, 'SELECT id FROM "Ö" UNION ALL SELECT id FROM "ö"'), [{ id: 1 }, { id: 2 }]);
});

t.test('parts, and methods of single rows', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(path, 'CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT)');
  const parts = await connection.openParts?.({
    object: 'people',
    mode: 'append',
    key: [],
    loadId: 'l',
    partsId: 'p',
    allowEmpty: false,
    rowsMayFail: false,
    columnsAreFixed: false,
    signal: never,
  });
  await parts?.reset(never);
  await parts?.begin(never);
  const part = await parts?.openPart('1', never);
  await t.rejects(
    part?.write(batchOf([{ id: 1, email: 'a', Email: 'b' }])) ?? Promise.resolve(),
    fault('CONFIG'),
  );
  await part?.abort();
  const rows = [
    { id: 1, email: 'a' },
    { id: 2, Email: 'b' },
  ];
  await t.rejects(connection.call('insert', { table: 'people', rows }, never), fault('CONFIG', /one column/));
  const set = { email: 'a', EMAIL: 'b' };
  await t.rejects(
    connection.call('update', { table: 'people', set, filter: { id: 1 } }, never),
    fault('CONFIG'),
  );
  await t.rejects(connection.call('merge', { table: 'people', key: ['id'], rows }, never), fault('CONFIG'));
  t.strictSame(sql(path, 'SELECT * FROM people'), []);
});

t.test('the versions of rows', async (t) => {
  const { connection } = await placeOf(t);
  const versions = { validFrom: 'f', validTo: 't', current: 'c', hash: 'h', byLoadTime: false };
  const writer = await connection.openWriter(load({ mode: 'scd2', versions }));
  const columns = ['id', 'name', 'Name', 'f', 't', 'c', 'h'].map((name) => column(name, 'string'));
  const row = { id: '1', name: 'a', Name: 'b', f: '2026-01-01T00:00:00.000000Z', t: null, c: 1, h: 'x' };
  await t.rejects(writer.write({ columns, rows: [row] }), fault('CONFIG', /one column/));
  await writer.abort();
});
