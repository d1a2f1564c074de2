import t from 'tap';
import type { Connection, Row } from '../../../../src/drivers/driver.ts';
import { batchOf, engines, execute, fault, load, never, rowsOf, writeAll } from '../../sql/engines.ts';

const engine = engines.find(({ name }) => name === 'postgres');
const open = await engine?.prepare(t);
if (open === undefined) throw new Error('There is no PostgreSQL');

const EMPTYING = ['replace', 'truncate_insert'] as const;
const REFERRERS: Readonly<Record<string, readonly string[]>> = {
  cascade: [
    'CREATE TABLE orders (id int PRIMARY KEY, person int CONSTRAINT of_person REFERENCES people ON DELETE CASCADE)',
  ],
  'set null': [
    'CREATE TABLE orders (id int PRIMARY KEY, person int CONSTRAINT of_person REFERENCES people ON DELETE SET NULL)',
  ],
  'set default': [
    'CREATE TABLE orders (id int PRIMARY KEY, person int DEFAULT 1 CONSTRAINT of_person REFERENCES people ON DELETE SET DEFAULT)',
  ],
  'a partitioned table': [
    'CREATE TABLE orders (id int, person int CONSTRAINT of_person REFERENCES people ON DELETE CASCADE) PARTITION BY RANGE (id)',
    'CREATE TABLE orders_all PARTITION OF orders DEFAULT',
  ],
  'several levels': [
    'CREATE TABLE orders (id int PRIMARY KEY, person int CONSTRAINT of_person REFERENCES people ON DELETE CASCADE)',
    'CREATE TABLE lines (id int PRIMARY KEY, order_id int REFERENCES orders ON DELETE CASCADE)',
  ],
};

async function refused(c: Connection, mode: (typeof EMPTYING)[number]): Promise<void> {
  const before = await rowsOf(c, 'SELECT * FROM orders');
  const writing = writeAll(c, { mode }, batchOf([{ id: 1, name: 'new' }]));
  await t.rejects(
    writing,
    fault('CONFIG', /"people" cannot be replaced: ".*orders" refers .* "of_person"/),
    mode,
  );
  t.strictSame(await rowsOf(c, 'SELECT * FROM orders'), before);
  t.strictSame(await rowsOf(c, 'SELECT id, name FROM people ORDER BY id'), [{ id: 1, name: 'old' }]);
}

for (const [what, statements] of Object.entries(REFERRERS)) {
  t.test(`rows of others are not touched by a replacement: ${what}`, async (t) => {
    const c = await open(t);
    await execute(
      c,
      'CREATE TABLE people (id int PRIMARY KEY, name text)',
      `INSERT INTO people VALUES (1, 'old')`,
      ...statements,
      'INSERT INTO orders VALUES (10, 1)',
    );
    for (const mode of EMPTYING) await refused(c, mode);
    const empty = await c.openWriter(load({ mode: 'replace', allowEmpty: true }));
    await t.rejects(empty.commit(), fault('CONFIG'), 'also where no rows come');
    await execute(c, 'DELETE FROM orders');
    for (const mode of EMPTYING) await writeAll(c, { mode }, batchOf([{ id: 1, name: mode }]));
    t.strictSame(
      await rowsOf(c, 'SELECT name FROM people'),
      [{ name: 'truncate_insert' }],
      'without such rows it can be',
    );
  });
}

t.test('a partitioned table whose partition others refer to is not emptied', async (t) => {
  const c = await open(t);
  await execute(
    c,
    'CREATE TABLE people (id int PRIMARY KEY, name text) PARTITION BY RANGE (id)',
    'CREATE TABLE people_all PARTITION OF people DEFAULT',
    `INSERT INTO people VALUES (1, 'old')`,
    'CREATE TABLE orders (id int, person int CONSTRAINT of_person REFERENCES people_all ON DELETE CASCADE)',
    'INSERT INTO orders VALUES (10, 1)',
  );
  for (const mode of EMPTYING) await refused(c, mode);
});

t.test('children that inherit keep their rows in every mode', async (t) => {
  const c = await open(t);
  await execute(
    c,
    'CREATE TABLE people (id int PRIMARY KEY, name text)',
    'CREATE TABLE pupils () INHERITS (people)',
    `INSERT INTO pupils VALUES (1, 'child'), (2, 'child')`,
  );
  for (const mode of ['replace', 'truncate_insert', 'merge', 'insert_only', 'delete'] as const) {
    await writeAll(c, { mode, allowEmpty: true }, batchOf([{ id: 1, name: mode }]));
    t.strictSame(await rowsOf(c, 'SELECT DISTINCT name FROM pupils'), [{ name: 'child' }], mode);
    t.equal((await rowsOf(c, 'SELECT id FROM pupils')).length, 2, mode);
  }
  const missing = { column: null, at: '2026-01-01T00:00:00.000000Z', maxShare: 1 };
  const writer = await c.openWriter(load({ mode: 'merge', missing }));
  await writer.write(batchOf([{ id: 3, name: 'own' }]));
  await writer.commit(true);
  t.strictSame(await rowsOf(c, 'SELECT id FROM ONLY people'), [{ id: 3 }]);
  t.equal((await rowsOf(c, 'SELECT id FROM pupils')).length, 2);
});

t.test('rows that a trigger or a rule drops are told as such, and not as rows', async (t) => {
  const c = await open(t);
  const kinds: Readonly<Record<string, readonly string[]>> = {
    trigger: [
      'CREATE TRIGGER even BEFORE INSERT OR UPDATE ON people FOR EACH ROW EXECUTE FUNCTION dropped()',
    ],
    'trigger of a partition': [
      'CREATE TABLE people_all PARTITION OF people DEFAULT',
      'CREATE TRIGGER even BEFORE INSERT OR UPDATE ON people_all FOR EACH ROW EXECUTE FUNCTION dropped()',
    ],
  };
  await execute(
    c,
    `CREATE FUNCTION dropped() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.id % 2 = 0 THEN RETURN NULL; END IF; RETURN NEW; END'`,
  );
  const rows: Row[] = [1, 2, 3, 4, 5].map((id) => ({ id, name: `n${id}` }));
  for (const [kind, statements] of Object.entries(kinds)) {
    for (const mode of ['append', 'replace', 'truncate_insert', 'merge', 'insert_only'] as const) {
      for (const rowsMayFail of [false, true]) {
        await execute(
          c,
          'DROP TABLE IF EXISTS people',
          `CREATE TABLE people (id int PRIMARY KEY, name text)${kind === 'trigger' ? '' : ' PARTITION BY RANGE (id)'}`,
          ...statements,
        );
        const writer = await c.openWriter(
          load({ mode, rowsMayFail, loadId: `${kind}${mode}${rowsMayFail}` }),
        );
        await writer.write(batchOf(rows));
        t.strictSame(await writer.commit(), { rows: 3, dropped: 2 }, `${kind} ${mode} ${rowsMayFail}`);
        t.equal((await rowsOf(c, 'SELECT id FROM people')).length, 3);
      }
    }
  }
});

t.test('no name is cut: a table, a schema, a column of rows, of a filter and of a change', async (t) => {
  const c = await open(t);
  const long = `orders_of_the_customers_in_the_region_of_northern_europe_by_month`;
  const [one, cut] = [`${long}_2025`, long.slice(0, 63)];
  const tooLong = fault('CONFIG', /has \d+ bytes, and PostgreSQL cuts names after 63/);
  for (const mode of ['append', 'replace', 'merge'] as const)
    await t.rejects(writeAll(c, { mode, object: one }, batchOf([{ id: 1 }])), tooLong);
  await t.rejects(writeAll(c, { mode: 'append', object: `${one}.people` }, batchOf([{ id: 1 }])), tooLong);
  await t.rejects(writeAll(c, { mode: 'append' }, batchOf([{ id: 1, [one]: 1 }])), tooLong);
  t.strictSame(await c.listResources(never), []);
  await execute(c, `CREATE TABLE people (id int, "${cut}" int)`, 'INSERT INTO people VALUES (1, 1)');
  await t.rejects(writeAll(c, { mode: 'append' }, batchOf([{ id: 2, [one]: 1 }])), tooLong);
  await t.rejects(
    c.call('update', { table: 'people', set: { [one]: 5 }, filter: { id: 1 } }, never),
    tooLong,
  );
  await t.rejects(c.call('delete', { table: 'people', filter: { [one]: 1 } }, never), tooLong);
  await t.rejects(c.call('insert', { table: 'people', rows: [{ [one]: 5 }] }, never), tooLong);
  await t.rejects(c.call('count', { table: one }, never), tooLong);
  t.strictSame(await rowsOf(c, `SELECT id, "${cut}" AS n FROM people`), [{ id: 1, n: 1 }]);
  const umlauts = 'ä'.repeat(32);
  await t.rejects(writeAll(c, { mode: 'append', object: umlauts }, batchOf([{ id: 1 }])), tooLong);
  await writeAll(c, { mode: 'append', object: 'ä'.repeat(31) }, batchOf([{ id: 1 }]));
});

t.test('a query that fails on its rows blames them, and not the connector', async (t) => {
  const c = await open(t);
  await execute(c, 'CREATE TABLE people (id int, name text)', `INSERT INTO people VALUES (0, 'x')`);
  const computed = fault('DATA', /^The rows cannot be computed: /);
  await t.rejects(rowsOf(c, 'SELECT 1 / id AS n FROM people'), computed);
  await t.rejects(rowsOf(c, 'SELECT name::int AS n FROM people'), computed);
  await t.rejects(rowsOf(c, 'SELECT 1 / $1::int AS n', [0]), computed);
  await t.rejects(rowsOf(c, 'SELECT $1::int AS n', ['x']), fault('CONFIG'));
});

t.test('versions and deletions that a trigger drops are told as such', async (t) => {
  const c = await open(t);
  await execute(
    c,
    `CREATE FUNCTION dropped() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN IF coalesce(NEW.id, OLD.id) % 2 = 0 THEN RETURN NULL; END IF; RETURN coalesce(NEW, OLD); END'`,
    'CREATE TABLE people (id int, name text, since timestamptz, until timestamptz, is_now boolean, hash text)',
    'CREATE TRIGGER even BEFORE INSERT OR DELETE ON people FOR EACH ROW EXECUTE FUNCTION dropped()',
  );
  const versions = {
    validFrom: 'since',
    validTo: 'until',
    current: 'is_now',
    hash: 'hash',
    byLoadTime: false,
  };
  const rows = [1, 2, 3].map((id) => ({
    id,
    name: 'n',
    since: '2026-01-01T00:00:00Z',
    until: null,
    is_now: true,
    hash: 'h',
  }));
  const history = await c.openWriter(load({ mode: 'scd2', versions }));
  await history.write(batchOf(rows));
  t.strictSame(await history.commit(), { rows: 2, dropped: 1 });
  await execute(
    c,
    'ALTER TABLE people DISABLE TRIGGER even',
    `INSERT INTO people (id) VALUES (2)`,
    'ALTER TABLE people ENABLE TRIGGER even',
  );
  const deletion = await c.openWriter(load({ mode: 'delete' }));
  await deletion.write(batchOf([{ id: 1 }, { id: 2 }, { id: 4 }]));
  t.strictSame(await deletion.commit(), { rows: 1, dropped: 1 });
  t.strictSame(await rowsOf(c, 'SELECT id FROM people ORDER BY id'), [{ id: 2 }, { id: 3 }]);
});
