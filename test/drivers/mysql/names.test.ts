import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { startMariadb } from '../../support/own-mariadb.ts';
import { batchOf, contextOf, execute, fault, load, rowsOf, writeAll } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();
const LONG = 'n'.repeat(65);

async function tables(c: Connection): Promise<readonly unknown[]> {
  const rows = await rowsOf(
    c,
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  return rows.map((row) => row['name']);
}

t.test(
  'names that the server cannot have, or takes for one, are refused before anything is made',
  { skip },
  async (t) => {
    const { connection: c } = await connectDatabase(t);
    for (const mode of ['append', 'replace', 'merge'] as const) {
      for (const [name, problem] of [
        [LONG, /65 characters, and may have 64/],
        ['mood_😀', /beyond U\+FFFF/],
        ['blank ', /ends with a blank/],
      ] as const) {
        const column = writeAll(c, { mode }, batchOf([{ id: 1, [name]: 1 }]));
        await t.rejects(column, fault('CONFIG', problem), `column ${name}, ${mode}`);
        const table = writeAll(c, { mode, object: `"${name}"` }, batchOf([{ id: 1 }]));
        await t.rejects(table, fault('CONFIG', problem), `table ${name}, ${mode}`);
      }
      const pair = writeAll(c, { mode }, batchOf([{ id: 1, email: 'a', Email: 'b' }]));
      await t.rejects(pair, fault('CONFIG', /"email" and "Email" are one to MySQL/), mode);
    }
    t.same(
      (await tables(c)).filter((name) => name !== '_headgate_loads'),
      [],
    );
    await execute(c, 'CREATE TABLE people (id int PRIMARY KEY)');
    const writer = await c.openWriter(load({ mode: 'merge', columnsAreFixed: false }));
    await writer.write(batchOf([{ id: 1 }]));
    await t.rejects(writer.write(batchOf([{ id: 2, [LONG]: 1 }])), fault('CONFIG'));
    await writer.abort();
    t.same(await rowsOf(c, 'SELECT * FROM people'), []);
    t.equal(
      await writeAll(c, { mode: 'append', object: 'n'.repeat(64) }, batchOf([{ ['é'.repeat(64)]: 1 }])),
      1,
    );
  },
);

t.test('a server that ignores case in names of tables has each written in one way', { skip }, async (t) => {
  const url = await startMariadb(t, { 'lower-case-table-names': '1' });
  const c = await mysqlDriver.connect({ url }, contextOf('/'));
  t.teardown(() => c.close());
  await writeAll(c, { mode: 'replace', object: 'orders' }, batchOf([{ id: 1 }]));
  const other = writeAll(c, { mode: 'replace', object: 'Orders' }, batchOf([{ id: 2 }]));
  await t.rejects(other, fault('CONFIG', /write "orders" instead of "Orders"/));
  t.same(await rowsOf(c, 'SELECT * FROM orders'), [{ id: 1 }]);
});
