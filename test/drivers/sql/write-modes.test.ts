import t from 'tap';
import type { Connection, WriteMode } from '../../../src/drivers/driver.ts';
import { EMPTYING_MODES, KEYED_MODES } from '../../../src/language/task/steps/load/load-step.ts';
import { oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { batchOf, column, engines, execute, fault, load, never, rowsOf, writeAll } from './engines.ts';

const people = (c: Connection) => rowsOf(c, 'SELECT id, name FROM people ORDER BY id');
const row = (id: number, name: string | null = `n${id}`) => ({ id, name });

const allModes: readonly WriteMode[] = [
  'append',
  'replace',
  'truncate_insert',
  'upsert',
  'merge',
  'insert_only',
];

/** What becomes another with another table of the same name; MySQL gives a table's number to administrators alone. */
const IDENTITY: Readonly<Record<string, string>> = {
  sqlite: `SELECT rootpage AS id FROM sqlite_schema WHERE name = 'people'`,
  postgres: `SELECT 'people'::regclass::oid AS id`,
  mysql: `SELECT referenced_table_name AS id, create_time FROM information_schema.referential_constraints r
    JOIN information_schema.tables t ON t.table_schema = r.constraint_schema AND t.table_name = 'people'
    WHERE constraint_schema = database()`,
};

for (const engine of engines) {
  t.test(engine.name, { skip: engine.skip ?? false }, async (t) => {
    const open = await engine.prepare(t);
    // SQLite, which takes the least time, has every mode each time.
    for (const mode of seeded(t).someOf(allModes, engine.name === 'sqlite' ? 1 : oneIn(3, 1))) {
      t.test(`${mode} makes a missing table and gives back the number of rows`, async (t) => {
        const c = await open(t);
        const written = await writeAll(c, { mode }, batchOf([row(1), row(2)]), batchOf([row(3)]));
        t.equal(written, 3);
        t.strictSame(await people(c), [row(1), row(2), row(3)]);
      });

      t.test(`${mode} shows nothing before commit, and abort leaves the target as it was`, async (t) => {
        const c = await open(t);
        await execute(
          c,
          'CREATE TABLE people (id integer PRIMARY KEY, name text)',
          `INSERT INTO people VALUES (9, 'old')`,
        );
        const writer = await c.openWriter(load({ mode }));
        await writer.write(batchOf([row(1)]));
        t.strictSame(await people(c), [row(9, 'old')]);
        await writer.abort();
        t.strictSame(await people(c), [row(9, 'old')]);
        t.strictSame(await c.listResources(never), [{ name: 'people', type: 'table' }]);
        t.equal(
          await writeAll(c, { mode }, batchOf([row(1)])),
          1,
          'the next load is not in the way of anything left',
        );
      });

      t.test(`${mode} takes a batch as a whole or not at all, and goes on after a bad one`, async (t) => {
        const c = await open(t);
        await execute(
          c,
          `CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL CHECK (name <> 'bad'))`,
        );
        const writer = await c.openWriter(load({ mode }));
        await t.rejects(
          writer.write(batchOf([row(1), row(2, null)])),
          fault('DATA'),
          'NOT NULL in the first batch',
        );
        await writer.write(batchOf([row(3)]));
        await t.rejects(writer.write(batchOf([row(4), row(5, 'bad')])), fault('DATA'), 'CHECK');
        await t.rejects(
          writer.write(batchOf([row(6), row(7, null)])),
          fault('DATA'),
          'NOT NULL twice in a row',
        );
        await writer.write(batchOf([row(8)]));
        t.strictSame(await writer.commit(), { rows: 2 });
        t.strictSame(await people(c), [row(3), row(8)]);
      });

      t.test(`${mode} adds columns that later batches bring`, async (t) => {
        const c = await open(t);
        await execute(c, 'CREATE TABLE people (id integer PRIMARY KEY, name text)');
        await writeAll(
          c,
          { mode },
          batchOf([row(1)]),
          batchOf([{ id: 2, name: 'b', age: 7 }]),
          batchOf([row(3)]),
        );
        t.strictSame(await rowsOf(c, 'SELECT id, name, age FROM people ORDER BY id'), [
          { id: 1, name: 'n1', age: null },
          { id: 2, name: 'b', age: 7 },
          { id: 3, name: 'n3', age: null },
        ]);
      });

      t.test(`${mode} undoes the columns of a batch that was taken back`, async (t) => {
        const c = await open(t);
        await execute(c, 'CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL)');
        const writer = await c.openWriter(load({ mode }));
        await writer.write(batchOf([row(1)]));
        await t.rejects(writer.write(batchOf([{ id: 2, name: null, odd: 1 }])), fault('DATA'));
        await writer.write(batchOf([row(3)]));
        await writer.commit();
        t.strictSame(
          (await c.describe('people', never)).map((found) => found.name),
          ['id', 'name'],
        );
        t.strictSame(await people(c), [row(1), row(3)]);
      });

      t.test(`${mode} with no rows changes nothing`, async (t) => {
        const c = await open(t);
        await execute(
          c,
          'CREATE TABLE people (id integer PRIMARY KEY, name text)',
          `INSERT INTO people VALUES (1, 'n1')`,
        );
        t.equal(await writeAll(c, { mode }), 0);
        t.equal(
          await writeAll(c, { mode, loadId: 'load-2' }, { columns: [column('id', 'integer')], rows: [] }),
          0,
        );
        t.strictSame(await people(c), [row(1)]);
      });

      t.test(`${mode} into a view, or with a wrong key, is refused as a configuration`, async (t) => {
        const c = await open(t);
        await execute(c, 'CREATE VIEW people AS SELECT 1 AS id');
        const writer = await c.openWriter(load({ mode }));
        await t.rejects(writer.write(batchOf([{ id: 1 }])), fault('CONFIG'));
        await writer.abort();
        const isKeyed = KEYED_MODES.includes(mode);
        await t.rejects(c.openWriter(load({ mode, key: isKeyed ? [] : ['id'] })), fault('CONFIG'));
      });

      t.test(`${mode} ends with a cancelled signal`, async (t) => {
        const c = await open(t);
        const cancel = new AbortController();
        const writer = await c.openWriter(load({ mode, signal: cancel.signal }));
        await writer.write(batchOf([row(1)]));
        cancel.abort();
        await t.rejects(writer.write(batchOf([row(2)])), fault('UNAVAILABLE'));
        await t.rejects(writer.commit(), fault('UNAVAILABLE'));
        await writer.abort();
        t.strictSame(await c.listResources(never), []);
      });
    }

    t.test('append writes nothing twice when an attempt is repeated with its load id', async (t) => {
      const c = await open(t);
      t.equal(await writeAll(c, { mode: 'append' }, batchOf([row(1), row(2)])), 2);
      const again = await c.openWriter(load({ mode: 'append' }));
      t.strictSame(again.alreadyDone, { rows: 2 });
      t.strictSame(await again.commit(), { rows: 2 });
      await again.abort();
      const other = await c.openWriter(load({ mode: 'append', object: 'others' }));
      t.equal(other.alreadyDone, null, 'the same load may fill another table');
      await other.abort();
      t.equal(await writeAll(c, { mode: 'append', loadId: 'load-2' }, batchOf([row(3)])), 1);
      t.equal((await people(c)).length, 3);
    });

    t.test('of two attempts of one append that overlap, one alone counts', async (t) => {
      const c = await open(t);
      await execute(c, 'CREATE TABLE people (id integer, name text)');
      const [slow, fast] = [
        await c.openWriter(load({ mode: 'append' })),
        await c.openWriter(load({ mode: 'append' })),
      ];
      await fast.write(batchOf([row(1)]));
      await fast.commit();
      await slow.write(batchOf([row(1)]));
      await t.rejects(slow.commit(), fault('TARGET'));
      t.strictSame(await people(c), [row(1)]);
    });

    t.test('append leaves defaults to the table for columns that the rows do not have', async (t) => {
      const c = await open(t);
      await execute(c, `CREATE TABLE people (id integer, name text DEFAULT 'nobody')`);
      await writeAll(c, { mode: 'append' }, batchOf([{ id: 1 }]));
      t.strictSame(await people(c), [row(1, 'nobody')]);
    });

    t.test('replace keeps types, keys, indexes and views of the target', async (t) => {
      const c = await open(t);
      await execute(
        c,
        `CREATE TABLE people (id integer PRIMARY KEY, name varchar(20) NOT NULL DEFAULT 'x', extra real)`,
        'CREATE INDEX people_name ON people (name)',
        'CREATE VIEW names AS SELECT name FROM people',
        `INSERT INTO people VALUES (9, 'old', 1.5)`,
      );
      const before = await c.describe('people', never);
      t.equal(await writeAll(c, { mode: 'replace' }, batchOf([row(1), row(2)])), 2);
      t.strictSame(await people(c), [row(1), row(2)]);
      t.strictSame(await rowsOf(c, 'SELECT name FROM names ORDER BY 1'), [{ name: 'n1' }, { name: 'n2' }]);
      t.strictSame(await c.describe('people', never), before);
      await t.rejects(execute(c, `INSERT INTO people VALUES (1, 'twice', 1)`), fault('DATA'));
      await t.rejects(execute(c, 'CREATE INDEX people_name ON people (name)'), 'the index is there');
    });

    for (const mode of EMPTYING_MODES) {
      t.test(`${mode} with no rows empties the target only where that is allowed`, async (t) => {
        const c = await open(t);
        await execute(
          c,
          'CREATE TABLE people (id integer, name text)',
          `INSERT INTO people VALUES (1, 'n1')`,
        );
        t.equal(await writeAll(c, { mode }), 0);
        t.equal((await people(c)).length, 1);
        t.equal(await writeAll(c, { mode, allowEmpty: true }), 0);
        t.equal((await people(c)).length, 0);
        t.equal(await writeAll(c, { mode, allowEmpty: true, object: 'missing' }), 0);
      });

      t.test(`${mode} can be repeated`, async (t) => {
        const c = await open(t);
        for (const name of ['a', 'b', 'c']) {
          await writeAll(c, { mode }, batchOf([row(1, name)]));
          t.strictSame(await people(c), [row(1, name)]);
        }
      });

      t.test(`${mode} keeps the old rows where none of the new ones fits`, async (t) => {
        const c = await open(t);
        await execute(
          c,
          'CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL)',
          `INSERT INTO people VALUES (9, 'old')`,
        );
        const writer = await c.openWriter(load({ mode, rowsMayFail: true }));
        await t.rejects(writer.write(batchOf([row(1, null)])), fault('DATA'));
        t.strictSame(await writer.commit(), { rows: 0 });
        t.strictSame(await people(c), [row(9, 'old')]);
      });
    }

    t.test('truncate_insert keeps the table itself, with all that refers to it', async (t) => {
      const c = await open(t);
      await execute(
        c,
        `CREATE TABLE people (id integer PRIMARY KEY, name varchar(20) NOT NULL DEFAULT 'x', extra real)`,
        'CREATE INDEX people_name ON people (name)',
        'CREATE VIEW names AS SELECT name FROM people',
        `INSERT INTO people VALUES (1, 'old', 1.5), (9, 'gone', 1.5)`,
        'CREATE TABLE orders (person integer REFERENCES people (id))',
        // SQLite looks at references at the end, when the row is there again.
        `INSERT INTO orders VALUES (${engine.name === 'sqlite' ? 1 : 'NULL'})`,
      );
      const sql = IDENTITY[engine.name] ?? '';
      const before = [await c.describe('people', never), await rowsOf(c, sql)];
      t.equal(
        await writeAll(c, { mode: 'truncate_insert' }, batchOf([row(1), row(2)]), batchOf([row(3)])),
        3,
      );
      t.strictSame(await people(c), [row(1), row(2), row(3)]);
      t.equal((await rowsOf(c, 'SELECT * FROM orders')).length, 1);
      t.equal((await rowsOf(c, 'SELECT name FROM names')).length, 3);
      t.strictSame([await c.describe('people', never), await rowsOf(c, sql)], before);
      await t.rejects(execute(c, 'CREATE INDEX people_name ON people (name)'), 'the index is there');
    });

    for (const mode of EMPTYING_MODES)
      t.test(`${mode} refuses rows that leave a reference without its row`, async (t) => {
        const c = await open(t);
        await execute(
          c,
          'CREATE TABLE people (id integer PRIMARY KEY, name text)',
          `INSERT INTO people VALUES (1, 'n1'), (2, 'n2')`,
          'CREATE TABLE orders (person integer REFERENCES people (id))',
          'INSERT INTO orders VALUES (2)',
        );
        await t.rejects(writeAll(c, { mode }, batchOf([row(1)])), fault('TARGET'));
        t.strictSame(await people(c), [row(1), row(2)]);
      });
  });
}
