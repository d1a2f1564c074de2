import { CompiledQuery, sql } from 'kysely';
import t from 'tap';
import { postgresDialect } from '../../src/store/dialect.ts';
import { faultsInPostgres } from '../support/query-plans.ts';
import { openTestStore } from '../support/stores.ts';

/** Reading this many rows as a whole costs less than looking up the hundred that PostgreSQL expects of a function that gives rows. */
const ROWS = 12_000;

t.test('PostgreSQL looks up the few rows that a statement is given, of tables of any size', async (t) => {
  const store = await openTestStore(t, 'postgres');
  await store.write(async (tx) => {
    await sql`create table places (id bigint, part bigint, name text, primary key (id, part))`.execute(tx);
    await sql`insert into places select n, 1, 'place ' || n from generate_series(1, ${ROWS}) as n`.execute(
      tx,
    );
  });
  const given = [{ id: 7, part: 1, name: 'given' }];
  const rows = postgresDialect.rows({ id: 'bigint', part: 'bigint', name: 'text' }, given);
  const update = sql`update places set name = given.name from ${rows} as given
    where places.id = given.id and places.part = given.part`;
  const { sql: text, parameters } = update.compile(store.read);
  t.same(await faultsInPostgres(store.read, CompiledQuery.raw(text, [...parameters]), true), []);
  await store.write((tx) => update.execute(tx));
  const { rows: found } = await sql`select id from places where name = 'given'`.execute(store.read);
  t.same(found, [{ id: 7 }]);
});
