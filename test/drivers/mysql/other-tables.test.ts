import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { batchOf, execute, fault, load, never, rowsOf, writeAll } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();

const CUSTOMERS = [
  { id: 1, name: 'Ann' },
  { id: 2, name: 'Bob' },
];

async function shop(c: Connection, rule: string): Promise<void> {
  await execute(
    c,
    'CREATE TABLE customers (id int PRIMARY KEY, name varchar(9), boss int REFERENCES customers (id) ON DELETE CASCADE)',
    `CREATE TABLE orders (id int PRIMARY KEY, customer int,
       CONSTRAINT of_customer FOREIGN KEY (customer) REFERENCES customers (id) ON DELETE ${rule})`,
    `INSERT INTO customers VALUES (1, 'Ann', NULL), (2, 'Bob', 1)`,
    'INSERT INTO orders VALUES (10, 1), (11, NULL)',
  );
}

for (const rule of ['CASCADE', 'SET NULL'])
  t.test(`a load does not empty a table where rows of others would go: ${rule}`, { skip }, async (t) => {
    const { connection: c } = await connectDatabase(t);
    await shop(c, rule);
    const refused = fault(
      'CONFIG',
      new RegExp(`^"customers" cannot be emptied: .*"of_customer".*${rule}.*"orders"`),
    );
    const orders = () => rowsOf(c, 'SELECT * FROM orders ORDER BY id');
    const before = await orders();
    for (const mode of ['replace', 'truncate_insert'] as const) {
      await t.rejects(writeAll(c, { mode, object: 'customers' }, batchOf(CUSTOMERS)), refused, mode);
      await t.rejects(
        writeAll(c, { mode, object: 'customers', allowEmpty: true }),
        refused,
        `${mode} of none`,
      );
      const parts = await c.openParts?.({
        object: 'customers',
        mode,
        key: [],
        loadId: mode,
        partsId: mode,
        allowEmpty: true,
        rowsMayFail: false,
        columnsAreFixed: true,
        signal: never,
      });
      await parts?.begin(never);
      await t.rejects((async () => parts?.publish(0, never))(), refused, `${mode} of no parts`);
      await t.rejects(
        (async () => {
          const part = await parts?.openPart('1', never);
          try {
            await part?.write(batchOf(CUSTOMERS));
          } finally {
            await part?.abort();
          }
        })(),
        refused,
        `${mode} by parts`,
      );
      await parts?.reset(never);
    }
    t.same(await orders(), before);
    t.equal(await c.call('count', { table: 'customers' }, never), 2);
    // Without a row that points to it the table is emptied as any other.
    await execute(c, 'DELETE FROM orders WHERE customer IS NOT NULL');
    t.equal(await writeAll(c, { mode: 'replace', object: 'customers' }, batchOf(CUSTOMERS)), 2);
    t.same(
      await orders(),
      before.filter((row) => row['customer'] === null),
    );
  });

t.test('a row that points to the table while it is filled stops the load as well', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await shop(c, 'CASCADE');
  await execute(c, 'DELETE FROM orders');
  const writer = await c.openWriter(load({ mode: 'replace', object: 'customers' }));
  await writer.write(batchOf(CUSTOMERS));
  await execute(c, 'INSERT INTO orders VALUES (12, 2)');
  await t.rejects(writer.commit(), fault('CONFIG', /^"customers" cannot be emptied/));
  t.equal(await c.call('count', { table: 'orders' }, never), 1);
});

t.test('a load says which triggers may change its rows', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(
    c,
    'CREATE TABLE people (id int PRIMARY KEY, name varchar(9))',
    'CREATE TRIGGER upper_name BEFORE INSERT ON people FOR EACH ROW SET NEW.name = UPPER(NEW.name)',
    'CREATE TRIGGER later AFTER INSERT ON people FOR EACH ROW SET @seen = 1',
  );
  for (const mode of ['append', 'merge', 'replace'] as const) {
    const said: string[] = [];
    const log = (_level: string, message: string) => said.push(message);
    await writeAll(
      c,
      { mode, log, loadId: mode },
      batchOf(mode === 'append' ? CUSTOMERS.slice(0, 1) : CUSTOMERS),
    );
    t.same(said, [
      'Rows of "people" may be changed as they are written: the table has the trigger "upper_name"',
    ]);
  }
});
