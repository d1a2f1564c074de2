import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import t, { type Test } from 'tap';
import { GroupCommit } from '../../../src/store/sqlite/group-commit.ts';
import { nodeSqliteDialect } from '../../../src/store/sqlite/node-sqlite.ts';

interface Tables {
  things: { name: string };
}

/** A table in memory, and its commits: counted, and failing while `fails` is set. */
function makeStore(t: Test) {
  const database = new DatabaseSync(':memory:');
  database.exec('create table things (name text not null unique)');
  const dialect = nodeSqliteDialect(database);
  const commits = { count: 0, fails: false };
  const createDriver = dialect.createDriver.bind(dialect);
  dialect.createDriver = () => {
    const driver = createDriver();
    const commit = driver.commitTransaction.bind(driver);
    driver.commitTransaction = async (connection) => {
      commits.count += 1;
      if (commits.fails) throw new Error('no room');
      return commit(connection);
    };
    // As the store's own driver: what made it necessary is the error.
    const rollback = driver.rollbackTransaction.bind(driver);
    driver.rollbackTransaction = (connection) => rollback(connection).catch(() => undefined);
    return driver;
  };
  const db = new Kysely<Tables>({ dialect });
  t.teardown(() => db.destroy());
  const group = new GroupCommit(db, { groupMsMax: 60_000 });
  const add = (name: string) =>
    group.write(async (tx) => {
      await tx.insertInto('things').values({ name }).execute();
      return name;
    });
  const names = async () => (await db.selectFrom('things').select('name').execute()).map(({ name }) => name);
  return { db, group, add, names, commits };
}

t.test('writes that wait together are committed together, in order', async (t) => {
  const { add, names, commits } = makeStore(t);
  const wanted = Array.from({ length: 20 }, (_, at) => `thing ${at}`);
  t.same(await Promise.all(wanted.map(add)), wanted);
  t.same(await names(), wanted);
  t.equal(commits.count, 1);
  await Promise.all(Array.from({ length: 70 }, (_, at) => add(`more ${at}`)));
  t.ok(commits.count >= 3, 'a group has an end');
});

t.test('a write that fails undoes its own changes alone', async (t) => {
  const { add, group, names, commits } = makeStore(t);
  const half = group.write(async (tx) => {
    await tx.insertInto('things').values({ name: 'half' }).execute();
    throw new Error('no more');
  });
  const written = await Promise.allSettled([add('a'), half, add('a'), add('b')]);
  t.same(
    written.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  await t.rejects(half, { message: 'no more' });
  t.same(await names(), ['a', 'b']);
  t.equal(commits.count, 1);
});

t.test('nobody hears of a write before its commit, and all fail with it', async (t) => {
  const { add, group, names, commits } = makeStore(t);
  commits.fails = true;
  const written = await Promise.allSettled([add('a'), add('b')]);
  t.same(
    written.map((result) => result.status === 'rejected' && (result.reason as Error).message),
    ['no room', 'no room'],
  );
  commits.fails = false;
  t.equal(await add('c'), 'c');
  t.same(await names(), ['c']);
  await group.idle();
});

t.test('a transaction that the engine has undone fails as a whole, with the cause', async (t) => {
  const { add, group, names } = makeStore(t);
  const first = add('a');
  const gone = group.write(async (tx) => {
    await tx.executeQuery({ ...tx.selectFrom('things').selectAll().compile(), sql: 'rollback' });
    throw new Error('disk full');
  });
  const written = await Promise.allSettled([first, gone]);
  t.same(
    written.map((result) => result.status === 'rejected' && (result.reason as Error).message),
    ['disk full', 'disk full'],
  );
  t.equal(await add('b'), 'b');
  t.same(await names(), ['b']);
});
