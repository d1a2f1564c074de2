import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import t from 'tap';
import { nodeSqliteDialect, openSqliteFile } from '../../../src/store/sqlite/node-sqlite.ts';

interface Tables {
  things: { id: number; name: string; more?: string | null };
}

t.test(
  'rows are plain objects by the names of their columns, also after the table has got another one',
  async (t) => {
    const file = join(t.testdir(), 'a.db');
    const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(openSqliteFile(file, { readOnly: false })) });
    t.teardown(() => db.destroy());
    await sql`create table things (id integer primary key, name text)`.execute(db);
    const all = () => db.selectFrom('things').selectAll().execute();
    t.same(await all(), []);
    const made = await db.insertInto('things').values({ id: 1, name: 'a' }).returningAll().executeTakeFirst();
    t.strictSame(made, { id: 1, name: 'a' });
    t.strictSame(await all(), [{ id: 1, name: 'a' }]);
    await sql`alter table things add column more text`.execute(db);
    t.strictSame(await all(), [{ id: 1, name: 'a', more: null }]);
    const twice = db.selectFrom('things').select(['name']).select(sql<string>`'last'`.as('name'));
    t.strictSame(await twice.execute(), [{ name: 'last' }]);
    const streamed = [];
    for await (const row of db.selectFrom('things').selectAll().stream()) streamed.push(row);
    t.strictSame(streamed, [{ id: 1, name: 'a', more: null }]);
  },
);
