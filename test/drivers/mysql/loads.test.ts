import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import mysql from 'mysql2';
import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { MysqlClient } from '../../../src/drivers/mysql/mysql-client.ts';
import { isLocalInfileOff } from '../../../src/drivers/mysql/mysql-fault.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { batchOf, execute, load, never, rowsOf, writeAll } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();
const many = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, name: `n${from + i}`, email: `e${from + i}` }));
const people = (c: Connection) => rowsOf(c, 'SELECT id, name, email FROM people ORDER BY id');
const TABLE = 'CREATE TABLE people (id int PRIMARY KEY, name varchar(9) NOT NULL, email varchar(20) UNIQUE)';

t.test('a merge by its key does not take another unique key for it', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, TABLE, `INSERT INTO people VALUES (1, 'a', 'x'), (2, 'b', 'y')`);
  for (const rowsMayFail of [false, true]) {
    const writer = await c.openWriter(load({ mode: 'merge', rowsMayFail }));
    const refused = writer.write(batchOf([{ id: 9, name: 'new', email: 'x' }]));
    t.match(await refused.catch((error: unknown) => error), { fault: 'DATA', column: 'email' });
    await writer.write(batchOf([{ id: 1, name: 'changed', email: 'z' }]));
    await writer.commit();
    t.strictSame(await people(c), [
      { id: 1, name: 'changed', email: 'z' },
      { id: 2, name: 'b', email: 'y' },
    ]);
    await execute(c, `UPDATE people SET email = 'x' WHERE id = 1`);
  }
});

t.test('of a batch of LOAD DATA each row that does not fit is met, and none is bent', { skip }, async (t) => {
  for (const columnsAreFixed of [true, false]) {
    const { connection: c } = await connectDatabase(t);
    await execute(c, TABLE, 'CREATE TABLE numbers (id int PRIMARY KEY, n tinyint, at date)');
    const writer = await c.openWriter(load({ mode: 'append', columnsAreFixed, rowsMayFail: true }));
    const bad = async (change: Record<string, unknown>, column: string) => {
      const rows = many(200).map((row, i) => (i === 150 ? { ...row, ...change } : row));
      const error = await writer.write(batchOf(rows)).catch((thrown: unknown) => thrown);
      t.match(error, { fault: 'DATA', column }, JSON.stringify(change));
    };
    await bad({ name: 'much too long' }, 'name');
    await bad({ name: null }, 'name');
    await bad({ id: 3 }, 'id');
    await bad({ email: 'e3' }, 'email');
    await bad({ id: 'x' }, 'id');
    await bad({ id: 3_000_000_000 }, 'id');
    const alone = batchOf([{ ...many(1)[0], name: 'much too long' }]);
    const error = await writer.write(alone).catch((thrown: unknown) => thrown);
    t.match(
      error,
      { message: /^"much too long" does not fit the column "name" \(varchar\(9\)\) of "people": / },
      'the value, and no row of the statement',
    );
    await writer.write(batchOf(many(200)));
    t.same(await writer.commit(), { rows: 200 });
    t.equal((await people(c)).length, 200);
    const numbers = await c.openWriter(
      load({ mode: 'append', object: 'numbers', columnsAreFixed, loadId: 'n' }),
    );
    for (const [column, value] of [
      ['n', 300],
      ['at', '2024-02-31'],
      ['at', 'soon'],
      ['n', ''],
    ] as const) {
      const rows = many(200).map(({ id }) => ({
        id,
        n: 1,
        at: '2024-01-01',
        ...(id === 7 ? { [column]: value } : {}),
      }));
      const error = await numbers.write(batchOf(rows)).catch((thrown: unknown) => thrown);
      t.match(error, { fault: 'DATA', column }, `${column} ${value}`);
    }
    await numbers.abort();
    t.equal(await c.call('count', { table: 'numbers' }, never), 0);
  }
});

t.test('a server that forbids LOAD DATA LOCAL gets the rows by INSERT', { skip }, async (t) => {
  const { connection: c, url } = await connectDatabase(t, { bulk_load: false });
  await execute(c, TABLE);
  t.equal(await writeAll(c, { mode: 'append', columnsAreFixed: true }, batchOf(many(2_000))), 2_000);
  t.equal((await people(c)).length, 2_000);
  // The same words that a server has for it whose `local_infile` is off.
  const { hostname: host, port, username: user, password, pathname } = new URL(url);
  const options = {
    host,
    port: Number(port),
    user,
    password,
    database: pathname.slice(1),
    flags: ['-LOCAL_FILES'],
  };
  const client = await MysqlClient.connect(options, never);
  t.teardown(() => client.destroy());
  const sql = `LOAD DATA LOCAL INFILE 'headgate-rows' INTO TABLE people`;
  const error = await client.load(sql, []).catch((thrown: unknown) => thrown);
  t.ok(isLocalInfileOff(error), String(error));
});

t.test('a server that asks for a file of the client gets none', async (t) => {
  const asked: Buffer[] = [];
  // A server that answers whatever it is asked with the request for a file of its choice.
  const server = mysql.createServer((peer) => {
    peer.serverHandshake({
      protocolVersion: 10,
      serverVersion: '8.0.0',
      connectionId: 1,
      statusFlags: 2,
      characterSet: 8,
      capabilityFlags: 0xffffff & ~0x800 & ~0x20,
      authCallback: (_: unknown, done: (error: null) => void) => done(null),
    } as never);
    const raw = peer as unknown as { stream: Socket; on: typeof peer.on };
    raw.on('query', () => {
      const name = Buffer.from('\xfb/etc/passwd', 'latin1');
      raw.stream.write(Buffer.concat([Buffer.from([name.length, 0, 0, 1]), name]));
      raw.stream.on('data', (chunk: Buffer) => asked.push(chunk));
    });
    peer.on('error', () => undefined);
  });
  server.listen(0);
  await once((server as unknown as { _server: Server })._server, 'listening');
  t.teardown(() => server.close(() => undefined));
  const { port } = (server as unknown as { _server: Server })._server.address() as AddressInfo;
  const client = await MysqlClient.connect({ host: '127.0.0.1', port, user: 'u', database: 'd' }, never);
  t.teardown(() => client.destroy());
  const loading = client.load(`LOAD DATA LOCAL INFILE 'headgate-rows' INTO TABLE t`, [
    Buffer.from('the rows\n'),
  ]);
  loading.catch(() => undefined);
  while (asked.length === 0) await new Promise((done) => setTimeout(done, 10));
  t.notMatch(Buffer.concat(asked).toString('latin1'), /root|the rows/, 'neither the file nor the rows');
});
