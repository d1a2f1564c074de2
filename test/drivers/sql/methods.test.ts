import t from 'tap';
import type { Batch, Connection, ReadRequest } from '../../../src/drivers/driver.ts';
import { sqlMethods } from '../../../src/drivers/sql/method-args.ts';
import { batchOf, column, engines, execute, fault, never, rowsOf, writeAll } from './engines.ts';

async function batches(
  c: Connection,
  request: Omit<ReadRequest, 'signal'>,
  signal = never,
): Promise<Batch[]> {
  const found: Batch[] = [];
  for await (const batch of c.read({ ...request, signal })) found.push(batch);
  return found;
}

for (const engine of engines) {
  t.test(engine.name, { skip: engine.skip ?? false }, async (t) => {
    const open = await engine.prepare(t);
    const placeholder = engine.placeholder(1);

    t.test('query gives batches of the asked size, with typed columns, up to the limit', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE n (i integer, name text)');
      const rows = Array.from({ length: 25 }, (_, i) => ({ i, name: `n${i}` }));
      await writeAll(c, { mode: 'append', object: 'n' }, batchOf(rows));
      const args = { sql: `SELECT i, name FROM n WHERE i >= ${placeholder} ORDER BY i`, params: [5] };
      const found = await batches(c, { method: 'query', args, batchRows: 8 });
      t.strictSame(
        found.map((batch) => batch.rows.length),
        [8, 8, 4],
      );
      t.strictSame(
        found.flatMap((batch) => batch.rows),
        rows.slice(5),
      );
      t.match(found[0]?.columns, [column('i', 'integer'), column('name', 'string')]);
      const limited = await batches(c, { method: 'query', args, batchRows: 8, limit: 10 });
      t.strictSame(
        limited.map((batch) => batch.rows.length),
        [8, 2],
      );
    });

    t.test('a query without rows still gives its columns', async (t) => {
      const c = await open(t);
      const found = await batches(c, {
        method: 'query',
        args: { sql: `SELECT 'x' AS a, 1 AS b, 2 AS b, 3 AS ${engine.quoted('__proto__')} WHERE 1 = 0` },
      });
      t.strictSame(
        found.map((batch) => [batch.rows.length, batch.columns.map((one) => one.name)]),
        [[0, ['a', 'b', 'b_2', '__proto___2']]],
      );
    });

    t.test('a reader that stops early or is cancelled leaves the connector usable', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE n (i integer)');
      await writeAll(
        c,
        { mode: 'append', object: 'n' },
        batchOf(Array.from({ length: 50 }, (_, i) => ({ i }))),
      );
      for await (const batch of c.read({
        method: 'list',
        args: { table: 'n' },
        batchRows: 10,
        signal: never,
      })) {
        t.equal(batch.rows.length, 10);
        break;
      }
      const cancel = new AbortController();
      const reading = (async () => {
        for await (const _ of c.read({
          method: 'list',
          args: { table: 'n' },
          batchRows: 10,
          signal: cancel.signal,
        }))
          cancel.abort();
      })();
      await t.rejects(reading, fault('UNAVAILABLE'));
      await t.rejects(
        batches(c, { method: 'list', args: { table: 'n' } }, AbortSignal.abort()),
        fault('UNAVAILABLE'),
      );
      await execute(c, 'DROP TABLE n');
    });

    t.test('the methods of a table do what they say', async (t) => {
      const c = await open(t);
      const call = (method: string, args: unknown) => c.call(method, args, never);
      await execute(c, 'CREATE TABLE pets (id integer PRIMARY KEY, name text, age integer)');
      t.strictSame(
        await call('insert', {
          table: 'pets',
          rows: [
            { id: 1, name: 'a' },
            { id: 2, age: 3 },
          ],
        }),
        { rows: 2 },
      );
      t.strictSame(
        await call('upsert', {
          table: 'pets',
          key: ['id'],
          rows: [
            { id: 2, name: 'b' },
            { id: 3, name: 'c' },
          ],
        }),
        { rows: 2 },
      );
      t.strictSame(await call('get', { table: 'pets', key: { id: 2 } }), { id: 2, name: 'b', age: 3 });
      t.equal(await call('get', { table: 'pets', key: { id: 9 } }), null);
      t.equal(await call('count', { table: 'pets' }), 3);
      t.equal(await call('count', { table: 'pets', filter: { name: { in: ['a', 'c'] } } }), 2);
      t.strictSame(
        await call('update', { table: 'pets', set: { age: 7, name: null }, filter: { id: { gte: 2 } } }),
        { rows: 2 },
      );
      t.strictSame(await call('delete', { table: 'pets', filter: { id: 3 } }), { rows: 1 });
      t.strictSame(await call('execute', { sql: `UPDATE pets SET age = ${placeholder}`, params: [1] }), {
        rows: 2,
      });
      const listed = await batches(c, {
        method: 'list',
        args: { table: 'pets', columns: ['name', 'id'], sort: ['-id'], limit: 1 },
      });
      t.strictSame(listed[0]?.rows, [{ name: null, id: 2 }]);
    });

    t.test('"or_null" also holds for rows without a value', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE n (i integer)');
      await execute(c, 'INSERT INTO n VALUES (1), (NULL), (5), (9)');
      const list = async (i: unknown) => {
        const args = { table: 'n', filter: { i }, sort: ['i'] };
        return (await batches(c, { method: 'list', args })).flatMap(({ rows }) =>
          rows.map((row) => row['i']),
        );
      };
      t.strictSame(await list({ or_null: { gte: 5, lt: 9 } }), [5, null]);
      t.strictSame(await list({ and: [{ or_null: { gt: 1 } }, { ne: 9 }] }), [5]);
      for (const wrong of [7, {}, [{ gt: 1 }]]) await t.rejects(list({ or_null: wrong }), fault('CONFIG'));
    });

    t.test('wrong arguments are refused before anything is done, and name what is wrong', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE pets (id integer PRIMARY KEY)', 'INSERT INTO pets VALUES (1)');
      for (const [method, args] of [
        ['delete', { table: 'pets', filter: {} }],
        ['update', { table: 'pets', set: { id: 2 }, filter: {} }],
        ['delete', { table: 'pets', filter: { id: 1 }, extra: 1 }],
        ['insert', { table: 'pets', rows: [] }],
        ['insert', { table: 'nosuch', rows: [{ id: 1 }] }],
        ['insert', { table: 'a.b.c', rows: [{ id: 1 }] }],
        ['insert', { table: 'pets', rows: [{ nosuch: 1 }] }],
        ['count', { table: 'pets', filter: { nosuch: 1 } }],
        ['execute', { sql: 'DELETE FROM pets; DELETE FROM pets' }],
        ['execute', { sql: ' -- nothing' }],
        ['nosuch', {}],
      ] as const) {
        await t.rejects(c.call(method, args, never), fault('CONFIG'), JSON.stringify(args));
      }
      await t.rejects(c.call('insert', { table: 'pets', rows: [{ id: 1 }] }, never), fault('DATA'));
      await t.rejects(batches(c, { method: 'get', args: {} }), fault('CONFIG'));
      await t.rejects(rowsOf(c, 'SELECT nosuch FROM pets'), fault('CONFIG', /nosuch/));
      await t.rejects(c.describe('nosuch', never), {
        fault: 'CONFIG',
        message: 'There is no table "nosuch"',
      });
      t.equal(await c.call('count', { table: 'pets' }, never), 1);
    });

    t.test('a statement with other placeholders than values says so, and is not tried again', async (t) => {
      const c = await open(t);
      const wrong = fault('CONFIG', /"params" must have one value for each/);
      const sql = `SELECT 1 FROM (SELECT 1 AS id) AS t WHERE id = ${engine.placeholder(1)}`;
      await t.rejects(rowsOf(c, sql, []), wrong);
      await t.rejects(rowsOf(c, sql, [1, 2]), wrong);
      await execute(c, 'CREATE TABLE placed (a integer, b integer)');
      const insert = `INSERT INTO placed VALUES (${engine.placeholder(1)}, ${engine.placeholder(2)})`;
      await t.rejects(c.call('execute', { sql: insert, params: [1] }, never), wrong);
      t.equal(await c.call('count', { table: 'placed' }, never), 0);
    });

    t.test('numbers in JSON keep all digits of whole ones', async (t) => {
      const c = await open(t);
      const doc = '{"id": 9007199254740993, "small": 7, "in": [-18446744073709551615, 0.5]}';
      await execute(
        c,
        'CREATE TABLE docs (id int PRIMARY KEY, doc json)',
        `INSERT INTO docs VALUES (1, '${doc}')`,
      );
      t.strictSame(await rowsOf(c, 'SELECT doc FROM docs'), [
        { doc: { id: '9007199254740993', small: 7, in: ['-18446744073709551615', 0.5] } },
      ]);
    });

    t.test('a row comes back as it was loaded, for every common type', async (t) => {
      const c = await open(t);
      const columns = (
        [
          'string',
          'integer',
          'number',
          'decimal',
          'boolean',
          'date',
          'time',
          'timestamp',
          'json',
          'binary',
        ] as const
      ).map((type) => column(`a_${type}`, type));
      const rows = [
        {
          a_string: 'tab\t newline\n return\r back\\slash \\N "quote" é 漢 😀',
          a_integer: '9007199254740993',
          a_number: 0.1,
          a_decimal: '12345678901234567890.123456789',
          a_boolean: true,
          a_date: '2024-02-29',
          a_time: '23:59:59.5',
          a_timestamp: '2024-02-29T23:59:59.123456Z',
          a_json: { a: [1, null, 'x\\y\n'], b: 'ü' },
          a_binary: Buffer.from([0, 1, 255, 92, 10]).toString('base64'),
        },
        {
          a_string: '',
          a_integer: -7,
          a_number: -1e300,
          a_decimal: '0.5',
          a_boolean: false,
          a_date: '0001-01-01',
          a_time: '00:00:00',
          a_timestamp: '1969-12-31T23:59:59Z',
          a_json: 'text',
          a_binary: '',
        },
        Object.fromEntries(columns.map((one) => [one.name, null])),
      ];
      for (const mode of ['append', 'replace', 'upsert'] as const) {
        const key = mode === 'upsert' ? ['k'] : [];
        const keyed = rows.map((row, k) => ({ k, ...row }));
        await writeAll(
          c,
          { mode, key, object: mode },
          { columns: [column('k', 'integer'), ...columns], rows: keyed },
        );
        t.strictSame(await rowsOf(c, `SELECT * FROM ${engine.quoted(mode)} ORDER BY k`), keyed, mode);
        const described = await c.describe(mode, never);
        t.strictSame(
          described.map((one) => one.type),
          ['integer', ...columns.map((one) => one.type)],
        );
      }
    });

    t.test(
      'describe tells types, nulls and keys; tables and views are listed, the own ones not',
      async (t) => {
        const c = await open(t);
        await execute(
          c,
          `CREATE TABLE ${engine.quoted('a.b')} (x integer NOT NULL, y varchar(9) NOT NULL, z double precision, PRIMARY KEY (x, y))`,
        );
        await execute(c, 'CREATE VIEW v AS SELECT 1 AS one');
        await writeAll(c, { mode: 'append', object: 'plain' }, batchOf([{ a: 1 }]));
        t.strictSame(await c.listResources(never), [
          { name: engine.name === 'sqlite' ? 'a.b' : '"a.b"', type: 'table' },
          { name: 'plain', type: 'table' },
          { name: 'v', type: 'view' },
        ]);
        t.match(await c.describe('"a.b"', never), [
          { name: 'x', type: 'integer', nullable: false, key: true },
          { name: 'y', type: 'string', nullable: false, key: true },
          { name: 'z', type: 'number', nullable: true, key: undefined },
        ]);
        t.match(await c.test(never), /^(SQLite|PostgreSQL|MariaDB|MySQL) \d/);
      },
    );

    t.test('every method has a strict schema', async (t) => {
      for (const method of sqlMethods)
        t.equal(method.args.safeParse({ surprise: 1 }).success, false, method.name);
    });
  });
}
