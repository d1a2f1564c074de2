import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { batchOf, engines, execute, fault, load, never, rowsOf, writeAll } from './engines.ts';

const people = (c: Connection) => rowsOf(c, 'SELECT id, name FROM people ORDER BY id');
const row = (id: number, name: string | null = `n${id}`) => ({ id, name });

for (const engine of engines) {
  t.test(engine.name, { skip: engine.skip ?? false }, async (t) => {
    const open = await engine.prepare(t);

    t.test('insert_only leaves rows alone that are there, and the first one of a key counts', async (t) => {
      const c = await open(t);
      await execute(
        c,
        'CREATE TABLE people (id integer PRIMARY KEY, name text, age integer NOT NULL DEFAULT 7)',
        `INSERT INTO people VALUES (1, 'a', 10), (2, 'b', 20)`,
      );
      const mode = 'insert_only';
      const first = batchOf([row(1, 'other'), row(3, 'c'), row(3, 'later'), row(4, 'd')]);
      t.equal(await writeAll(c, { mode }, first, batchOf([row(2, 'x'), row(4, 'y'), row(5, 'e')])), 3);
      t.strictSame(await rowsOf(c, 'SELECT * FROM people ORDER BY id'), [
        { id: 1, name: 'a', age: 10 },
        { id: 2, name: 'b', age: 20 },
        { id: 3, name: 'c', age: 7 },
        { id: 4, name: 'd', age: 7 },
        { id: 5, name: 'e', age: 7 },
      ]);
      t.equal(await writeAll(c, { mode, loadId: 'again' }, first), 0, 'a second time adds nothing');
      const wider = batchOf([
        { id: 5, age: 1 },
        { id: 6, age: 2 },
      ]);
      t.equal(await writeAll(c, { mode }, batchOf([row(1), row(7)]), wider), 2, 'rows of two shapes');
      t.strictSame(await rowsOf(c, 'SELECT id, age FROM people WHERE id > 4 ORDER BY id'), [
        { id: 5, age: 7 },
        { id: 6, age: 2 },
        { id: 7, age: 7 },
      ]);
    });

    t.test('insert_only knows a row by its key, though it lacks what a new row needs', async (t) => {
      const c = await open(t);
      await execute(
        c,
        'CREATE TABLE people (id integer PRIMARY KEY, name text, age integer NOT NULL)',
        `INSERT INTO people VALUES (1, 'a', 10)`,
      );
      t.equal(await writeAll(c, { mode: 'insert_only' }, batchOf([row(1, 'other'), row(1, 'more')])), 0);
      t.strictSame(await people(c), [row(1, 'a')]);
      await t.rejects(writeAll(c, { mode: 'insert_only' }, batchOf([row(2)])), { message: /age/ });
    });

    t.test('delete removes the rows with the keys that come, and no others', async (t) => {
      const c = await open(t);
      await execute(
        c,
        'CREATE TABLE people (id integer, name text)',
        `INSERT INTO people VALUES (1, 'a'), (1, 'twin'), (2, 'b'), (3, 'c'), (4, NULL)`,
      );
      const mode = 'delete';
      const first = batchOf([row(1, 'whatever'), { id: 9, name: 'not there' }, row(2), row(2)]);
      const odd = batchOf([{ extra: true, id: 4 }]);
      t.equal(await writeAll(c, { mode }, first, odd), 3, 'rows that found theirs');
      t.strictSame(await people(c), [row(3, 'c')]);
      t.strictSame(
        (await c.describe('people', never)).map(({ name }) => name),
        ['id', 'name'],
        'the rows of a delete give no columns',
      );
      t.equal(await writeAll(c, { mode }, first, odd), 0, 'a second time removes nothing');
      t.strictSame(await c.listResources(never), [{ name: 'people', type: 'table' }]);
    });

    t.test('delete takes keys of several columns, and those of the target compare', async (t) => {
      const c = await open(t);
      await execute(
        c,
        'CREATE TABLE people (a integer, b varchar(9), PRIMARY KEY (a, b))',
        `INSERT INTO people VALUES (1, 'x'), (1, 'y'), (2, 'x')`,
      );
      const keys = [
        { a: '1', b: 'y' },
        { a: '2', b: 'y' },
      ];
      t.equal(await writeAll(c, { mode: 'delete', key: ['a', 'b'] }, batchOf(keys)), 1);
      t.strictSame(await rowsOf(c, 'SELECT * FROM people ORDER BY a'), [
        { a: 1, b: 'x' },
        { a: 2, b: 'x' },
      ]);
    });

    t.test('delete shows nothing before commit, and abort brings all back', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE people (id integer, name text)', `INSERT INTO people VALUES (1, 'a')`);
      for (const rowsMayFail of [false, true]) {
        const writer = await c.openWriter(load({ mode: 'delete', rowsMayFail }));
        await writer.write(batchOf([{ id: 1 }]));
        t.strictSame(await people(c), [row(1, 'a')]);
        await writer.abort();
        t.strictSame(await people(c), [row(1, 'a')]);
      }
    });

    t.test('delete needs a table with the columns of the key', async (t) => {
      const c = await open(t);
      const missing = fault('CONFIG', 'There is no table "people" to delete rows from');
      await t.rejects(writeAll(c, { mode: 'delete' }, batchOf([row(1)])), missing);
      await execute(c, 'CREATE TABLE people (name text)', `INSERT INTO people VALUES ('a')`);
      const column = fault('CONFIG', 'The table "people" has no key column "id"');
      await t.rejects(writeAll(c, { mode: 'delete' }, batchOf([row(1)])), column);
      await t.rejects(c.openWriter(load({ mode: 'delete', key: [] })), fault('CONFIG'));
      const writer = await c.openWriter(load({ mode: 'delete', key: ['name'] }));
      await t.rejects(writer.write(batchOf([row(1), row(2, null)])), fault('DATA'));
      await writer.abort();
    });

    for (const mode of ['upsert', 'merge', 'insert_only', 'delete'] as const) {
      t.test(
        `${mode} meets a row that the target refuses in its own batch, where rows may fail`,
        async (t) => {
          const c = await open(t);
          await execute(
            c,
            'CREATE TABLE people (id integer PRIMARY KEY, name varchar(9) UNIQUE)',
            `INSERT INTO people VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')`,
            'CREATE TABLE orders (person integer REFERENCES people (id))',
            'INSERT INTO orders VALUES (3)',
          );
          const bad = mode === 'delete' ? [row(3)] : [row(13, 'a')];
          const writer = await c.openWriter(load({ mode, rowsMayFail: true }));
          await writer.write(batchOf([row(4, 'd')]));
          const refused = await writer.write(batchOf([row(2, 'x'), ...bad])).catch((error: unknown) => error);
          t.match(refused, fault('DATA'));
          if (mode !== 'delete') t.match(refused, { column: 'name' });
          await writer.write(batchOf([row(2, 'x'), row(12, 'y')]));
          await writer.commit();
          const others = {
            upsert: [row(1, 'a'), row(2, 'x'), row(3, 'c'), row(4, 'd'), row(12, 'y')],
            insert_only: [row(1, 'a'), row(2, 'b'), row(3, 'c'), row(4, 'd'), row(12, 'y')],
            delete: [row(1, 'a'), row(3, 'c')],
          };
          t.strictSame(await people(c), others[mode === 'merge' ? 'upsert' : mode]);
        },
      );
    }

    for (const mode of ['upsert', 'merge'] as const) {
      t.test(`${mode} changes rows by their key, and the last one of a key counts`, async (t) => {
        const c = await open(t);
        await execute(
          c,
          'CREATE TABLE people (id integer PRIMARY KEY, name text, age integer)',
          `INSERT INTO people VALUES (1, 'a', 10), (2, 'b', 20)`,
        );
        const first = batchOf([row(1, 'first'), row(3, 'c'), row(1, 'second')]);
        await writeAll(c, { mode }, first, batchOf([row(3, 'third')]));
        t.strictSame(await rowsOf(c, 'SELECT * FROM people ORDER BY id'), [
          { id: 1, name: 'second', age: 10 },
          { id: 2, name: 'b', age: 20 },
          { id: 3, name: 'third', age: null },
        ]);
      });

      t.test(
        `${mode} makes the unique index that a table lacks, and refuses rows with the same key`,
        async (t) => {
          const c = await open(t);
          await execute(
            c,
            'CREATE TABLE people (id integer, name text)',
            `INSERT INTO people VALUES (1, 'a')`,
          );
          await writeAll(c, { mode }, batchOf([row(1, 'b')]));
          t.strictSame(await people(c), [row(1, 'b')]);
          await execute(
            c,
            'CREATE TABLE twice (id integer, name text)',
            `INSERT INTO twice VALUES (1, 'a'), (1, 'b')`,
          );
          await t.rejects(writeAll(c, { mode, object: 'twice' }, batchOf([row(1)])), fault('TARGET'));
          t.equal((await rowsOf(c, 'SELECT * FROM twice')).length, 2);
        },
      );

      t.test(`${mode} takes a key of several columns in any order of the index`, async (t) => {
        const c = await open(t);
        await execute(c, 'CREATE TABLE people (a integer, b varchar(9), v integer, PRIMARY KEY (b, a))');
        const rows = [
          { a: 1, b: 'x', v: 1 },
          { a: 1, b: 'y', v: 2 },
        ];
        await writeAll(c, { mode, key: ['a', 'b'] }, batchOf(rows), batchOf([{ a: 1, b: 'x', v: 3 }]));
        t.strictSame(await rowsOf(c, 'SELECT v FROM people ORDER BY b'), [{ v: 3 }, { v: 2 }]);
      });

      t.test(`${mode} changes some columns of a row whose others are required`, async (t) => {
        const c = await open(t);
        await execute(
          c,
          'CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL, age integer)',
          `INSERT INTO people VALUES (1, 'a', 10)`,
        );
        await writeAll(c, { mode }, batchOf([{ id: 1, age: 11 }]));
        t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [{ id: 1, name: 'a', age: 11 }]);
        await t.rejects(writeAll(c, { mode }, batchOf([{ id: 2, age: 11 }])), 'a new row needs them');
        t.equal((await people(c)).length, 1);
      });

      t.test(`${mode} refuses a row without its key`, async (t) => {
        const c = await open(t);
        const writer = await c.openWriter(load({ mode }));
        await t.rejects(writer.write(batchOf([row(1), { id: null, name: 'x' }])), fault('DATA'));
        await t.rejects(writer.write(batchOf([{ name: 'x' }])), fault('CONFIG'));
        await writer.abort();
      });

      t.test(`${mode} of rows that are keys alone adds the missing ones`, async (t) => {
        const c = await open(t);
        await writeAll(c, { mode }, batchOf([{ id: 1 }, { id: 2 }]));
        await writeAll(c, { mode }, batchOf([{ id: 2 }, { id: 3 }, { id: 3 }]));
        t.strictSame(await rowsOf(c, 'SELECT id FROM people ORDER BY id'), [{ id: 1 }, { id: 2 }, { id: 3 }]);
      });
    }
  });
}
