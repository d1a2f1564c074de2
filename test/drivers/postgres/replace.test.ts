import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { batchOf, column, engines, execute, fault, load, never, rowsOf, writeAll } from '../sql/engines.ts';

const postgres = engines.find((engine) => engine.name === 'postgres');

async function oid(c: Connection): Promise<unknown> {
  return (await rowsOf(c, `SELECT 'people'::regclass::oid AS oid`))[0]?.['oid'];
}

const indexes = `SELECT c.relname AS name, replace(pg_get_indexdef(i.indexrelid), current_schema(), '') AS def
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'people'::regclass ORDER BY 1`;

t.test(
  'a table that nothing depends on is swapped, and keeps the names and forms of its indexes',
  async (t) => {
    const c = (await (await postgres?.prepare(t))?.(t)) as Connection;
    await execute(
      c,
      `CREATE TABLE people (id int CONSTRAINT people_id PRIMARY KEY, name text UNIQUE, n int DEFAULT 7 CHECK (n > 0))`,
      'CREATE INDEX people_low ON people (lower(name)) WHERE n > 1',
      'CREATE INDEX people_n ON people (n, id DESC)',
      `INSERT INTO people VALUES (9, 'old', 1)`,
    );
    const [before, was] = [await rowsOf(c, indexes), await oid(c)];
    for (const name of ['a', 'b']) {
      await writeAll(c, { mode: 'replace' }, batchOf([{ id: 1, name }]));
      t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [{ id: 1, name, n: 7 }]);
      t.strictSame(await rowsOf(c, indexes), before);
    }
    t.not(await oid(c), was);
  },
);

t.test(
  'a table that others know is emptied and filled, so that grants, sequences, triggers and views stay',
  async (t) => {
    const c = (await (await postgres?.prepare(t))?.(t)) as Connection;
    await execute(
      c,
      'CREATE TABLE people (id serial PRIMARY KEY, name text, twice int GENERATED ALWAYS AS (id * 2) STORED)',
      'GRANT SELECT ON people TO PUBLIC',
      'CREATE VIEW seen AS SELECT name FROM people',
    );
    const was = await oid(c);
    await writeAll(c, { mode: 'replace' }, batchOf([{ id: 1, name: 'a', extra: true }]));
    t.equal(await oid(c), was);
    t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [{ id: 1, name: 'a', twice: 2, extra: true }]);
    t.strictSame(await rowsOf(c, 'SELECT * FROM seen'), [{ name: 'a' }]);
    t.strictSame(await rowsOf(c, `SELECT has_table_privilege('public', 'people', 'SELECT') AS ok`), [
      { ok: true },
    ]);
    await execute(c, `INSERT INTO people (id, name) VALUES (5, 'b')`);
    t.equal((await rowsOf(c, `SELECT relname FROM pg_class WHERE relname LIKE '\\_headgate%'`)).length, 0);
  },
);

t.test('a table that others refer to is replaced where their rows still find theirs', async (t) => {
  const c = (await (await postgres?.prepare(t))?.(t)) as Connection;
  await execute(
    c,
    'CREATE TABLE people (id int PRIMARY KEY, name text)',
    `INSERT INTO people VALUES (1, 'a')`,
    'CREATE TABLE orders (person int REFERENCES people (id))',
  );
  await writeAll(c, { mode: 'replace' }, batchOf([{ id: 2, name: 'b' }]));
  t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [{ id: 2, name: 'b' }]);
});

t.test('values that only PostgreSQL has come and go', async (t) => {
  const c = (await (await postgres?.prepare(t))?.(t)) as Connection;
  await execute(
    c,
    `CREATE TYPE mood AS ENUM ('sad', 'glad')`,
    'CREATE DOMAIN age AS int CHECK (VALUE > 0)',
    `CREATE TABLE people (id uuid PRIMARY KEY, tags text[], nums int8[][], mood mood, age age, at timestamp, span interval,
       doc json, ip inet, money numeric(10,2), nested jsonb[], bits bytea[])`,
  );
  const row = {
    id: '00000000-0000-0000-0000-000000000001',
    tags: ['a,b', 'c"d', 'e\\f', null, 'NULL', '', '{}'],
    nums: [
      [1, '9007199254740993'],
      [3, null],
    ],
    mood: 'glad',
    age: 5,
    at: '2024-01-02T03:04:05.000001Z',
    span: 'P1DT2H',
    doc: { a: 1 },
    ip: '10.0.0.1/8',
    money: '12.50',
    nested: [{ a: 'x"y' }, [1]],
    bits: ['AAH/'],
  };
  const columns = await c.describe('people', never);
  t.strictSame(
    columns.map((column) => [column.name, column.type, column.native_type]),
    [
      ['id', 'string', 'uuid'],
      ['tags', 'json', 'text[]'],
      ['nums', 'json', 'bigint[]'],
      ['mood', 'string', `mood`],
      ['age', 'integer', 'age'],
      ['at', 'timestamp', 'timestamp without time zone'],
      ['span', 'string', 'interval'],
      ['doc', 'json', 'json'],
      ['ip', 'string', 'inet'],
      ['money', 'decimal', 'numeric(10,2)'],
      ['nested', 'json', 'jsonb[]'],
      ['bits', 'json', 'bytea[]'],
    ],
  );
  for (const mode of ['append', 'upsert'] as const) {
    await writeAll(c, { mode, key: mode === 'upsert' ? ['id'] : [] }, { columns, rows: [row] });
  }
  t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [row]);
});

t.test('NUL in a text or inside of JSON is told in words, and the load goes on', async (t) => {
  const c = (await (await postgres?.prepare(t))?.(t)) as Connection;
  await execute(c, 'CREATE TABLE notes (id int, note text, doc jsonb)');
  const columns = [column('id', 'integer'), column('note', 'string'), column('doc', 'json')];
  const writer = await c.openWriter(load({ mode: 'append', object: 'notes' }));
  const bad = [
    { id: 1, note: 'a\0b', doc: null },
    { id: 2, note: null, doc: { a: ['x\0'] } },
  ];
  for (const row of bad)
    await t.rejects(writer.write({ columns, rows: [row] }), {
      fault: 'DATA',
      message: /U\+0000/,
    });
  await writer.write({ columns, rows: [{ id: 3, note: 'ok', doc: {} }] });
  t.strictSame(await writer.commit(), { rows: 1 });
});

t.test('a value that does not fit is DATA and names itself; a name of a schema works', async (t) => {
  const c = (await (await postgres?.prepare(t))?.(t)) as Connection;
  await execute(c, 'CREATE TABLE people (id int, at date)');
  const writer = await c.openWriter(load({ mode: 'append' }));
  for (const bad of [{ id: 'x' }, { id: 3e9 }, { at: 'never' }, { id: 1.5 }, { at: 'a\0b' }]) {
    await t.rejects(writer.write(batchOf([bad])), fault('DATA'), JSON.stringify(bad));
  }
  await writer.write(batchOf([{ id: 1, at: '2024-01-01' }]));
  t.strictSame(await writer.commit(), { rows: 1 });
  const [{ schema } = {}] = await rowsOf(c, 'SELECT current_schema() AS schema');
  await writeAll(c, { mode: 'append', object: `${schema}.people`, loadId: 'load-2' }, batchOf([{ id: 2 }]));
  t.equal(await c.call('count', { table: `${schema}.people` }, never), 2);
  await t.rejects(
    writeAll(c, { mode: 'append', object: 'nosuch.people' }, batchOf([{ id: 2 }])),
    fault('CONFIG'),
  );
});
