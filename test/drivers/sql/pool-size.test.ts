import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { createMariadbDatabase, withoutMariadb } from '../../support/mariadb.ts';
import { createDatabase } from '../../support/postgres.ts';
import { contextOf, fault, never, rowsOf } from './engines.ts';

const kinds = [
  { driver: postgresDriver, skip: false as const, make: createDatabase, own: 'pg_backend_pid()' },
  { driver: mysqlDriver, skip: withoutMariadb(), make: createMariadbDatabase, own: 'CONNECTION_ID()' },
];
const SERIES =
  'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i FROM n';

/** A read that has begun, and holds its session until it is given up. */
async function begun(connection: Connection) {
  const rows = connection
    .read({ method: 'query', args: { sql: SERIES }, signal: never, batchRows: 10 })
    [Symbol.asyncIterator]();
  await rows.next();
  return rows;
}

for (const { driver, skip, make, own } of kinds) {
  t.test(`${driver.type}: pool_size bounds the sessions of a connector`, { skip }, async (t) => {
    const { url } = await make(t);
    const connection = await driver.connect({ url, pool_size: 2 }, contextOf('/'));
    t.teardown(() => connection.close());
    const first = await begun(connection);
    const second = await begun(connection);
    const third = connection.test(AbortSignal.timeout(200));
    await t.rejects(third, fault('UNAVAILABLE'), 'a third call waits as long as its caller does');
    await first.return?.();
    t.strictSame(await rowsOf(connection, 'SELECT 1 AS one'), [{ one: 1 }], 'and goes when one has ended');
    await second.return?.();
  });

  t.test(`${driver.type}: a row by its key leaves its session to the next call`, { skip }, async (t) => {
    const { url } = await make(t);
    const connection = await driver.connect({ url, pool_size: 2 }, contextOf('/'));
    t.teardown(() => connection.close());
    await connection.call('execute', { sql: 'CREATE TABLE pets (id int PRIMARY KEY)' }, never);
    await connection.call('insert', { table: 'pets', rows: [{ id: 1 }] }, never);
    const sessions = new Set<unknown>();
    for (let round = 0; round < 4; round++) {
      t.strictSame(await connection.call('get', { table: 'pets', key: { id: 1 } }, never), { id: 1 });
      t.equal(await connection.call('get', { table: 'pets', key: { id: 2 } }, never), null);
      const [row] = await rowsOf(connection, `SELECT ${own} AS session`);
      sessions.add(row?.['session']);
    }
    t.ok(sessions.size <= 2, 'those of the pool');
  });

  t.test(
    `${driver.type}: a read of some rows leaves its session to the next call, if there are no more`,
    { skip },
    async (t) => {
      const { url } = await make(t);
      const connection = await driver.connect({ url, pool_size: 2 }, contextOf('/'));
      t.teardown(() => connection.close());
      const read = async (sql: string, limit: number) => {
        const request = { method: 'query', args: { sql }, signal: never, batchRows: 10, limit };
        const rows: unknown[] = [];
        for await (const batch of connection.read(request)) rows.push(...batch.rows);
        return rows;
      };
      const one = async () => (await read(`SELECT ${own} AS session`, 1))[0];
      const before = await one();
      t.equal((await read(`${SERIES} LIMIT 25`, 25)).length, 25);
      t.strictSame(await one(), before, 'of as many rows as it wants');
      t.equal((await read(SERIES, 25)).length, 25, 'and no more of a result that goes on');
      t.equal((await read(SERIES, 2_000)).length, 900);
    },
  );

  t.test(`${driver.type}: a pool holds 2 to 100 sessions`, async (t) => {
    for (const pool_size of [0, 1, 101, 2.5, '8'])
      t.notOk(driver.config.safeParse({ host: 'h', database: 'd', pool_size }).success, String(pool_size));
    t.match(driver.config.parse({ host: 'h', database: 'd', user: 'u' }), { pool_size: 8 });
  });
}
