import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { createMariadbDatabase, mariadbUrl, withoutMariadb } from '../../support/mariadb.ts';
import { batchOf, contextOf, execute, fault, load, never, rowsOf, until, writeAll } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();
const ca = readFileSync(new URL('../../protocol/fixtures/tls/ca.pem', import.meta.url), 'utf8');

async function connect(t: Tap, config: Record<string, unknown>): Promise<Connection> {
  const c = await mysqlDriver.connect(config, contextOf('/'));
  t.teardown(() => c.close());
  return c;
}
type Tap = { teardown(fn: () => unknown): void };

t.test('a server that never answers is UNAVAILABLE in time, and its host is not named', async (t) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const where = { host: '127.0.0.1', port, user: 'u', database: 'd' };
  const c = await connect(t, { ...where, connect_timeout_ms: 300 });
  await t.rejects(c.test(never), fault('UNAVAILABLE', /MySQL did not answer in time: check the host/));
  await t.rejects(c.openWriter(load({ mode: 'append' })), fault('UNAVAILABLE'));
  const slow = await connect(t, { ...where, connect_timeout_ms: 60_000 });
  await t.rejects(slow.test(AbortSignal.timeout(100)), fault('UNAVAILABLE', 'The call was cancelled'));
});

t.test('what is wrong with the way in is told by its fault', { skip }, async (t) => {
  const { url } = await createMariadbDatabase(t);
  const { hostname, port, username, password, pathname } = new URL(url);
  const config = {
    host: hostname,
    port: Number(port),
    user: username,
    password,
    database: pathname.slice(1),
  };
  t.match(await (await connect(t, config)).test(never), /^MariaDB \d+/);
  await t.rejects((await connect(t, { ...config, password: 'wrong' })).test(never), fault('AUTH'));
  await t.rejects((await connect(t, { ...config, password: undefined })).test(never), fault('AUTH'));
  await t.rejects((await connect(t, { ...config, database: 'nosuch' })).test(never), fault('AUTH'));
  await t.rejects((await connect(t, { ...config, port: 1 })).test(never), fault('UNAVAILABLE'));
  for (const wrong of [
    {},
    { ...config, url },
    { url: 'http://x/y' },
    { url: 'mysql://x' },
    { host: 'x' },
    { ...config, host: '/tmp' },
    { ...config, odd: 1 },
  ]) {
    await t.rejects(mysqlDriver.connect(wrong, contextOf('/')), fault('CONFIG'));
  }
});

t.test('who may not log in, or not read a table, is told what to change', { skip }, async (t) => {
  const { url, name } = await createMariadbDatabase(t);
  const admin = await mysql.createConnection(await mariadbUrl());
  const guest = `guest_${process.pid}`;
  t.teardown(async () => {
    await admin.query(`DROP USER ${guest}`);
    await admin.end();
  });
  await admin.query(`CREATE TABLE ${name}.closed (id int)`);
  await admin.query(`CREATE TABLE ${name}.open (id int PRIMARY KEY)`);
  await admin.query(`CREATE USER ${guest} IDENTIFIED BY 'p'`);
  await admin.query(`GRANT SELECT ON ${name}.open TO ${guest}`);
  const { host } = new URL(url);
  const config = { url: `mysql://${guest}:p@${host}/${name}` };
  await t.rejects(
    rowsOf(await connect(t, config), 'SELECT * FROM closed'),
    fault('CONFIG', /^MySQL refused the statement: SELECT command denied to this user for [^@]+; grant it/),
  );
  await admin.query(`GRANT INSERT, UPDATE ON ${name}.open TO ${guest}`);
  const loader = await connect(t, config);
  const merge = load({ mode: 'merge', object: 'open', key: ['id'] });
  await t.rejects(
    loader.openWriter(merge).then((writer) => writer.write(batchOf([{ id: 1 }]))),
    fault('AUTH', /load into the database: .*must include CREATE TEMPORARY TABLES/),
  );
  await admin.query(`ALTER USER ${guest} ACCOUNT LOCK`);
  const locked = await connect(t, config);
  await t.rejects(locked.test(never), fault('AUTH', /^The account of this user is locked: unlock it/));
});

t.test('encryption: required, verified with its name, or refused', { skip }, async (t) => {
  const { url } = await createMariadbDatabase(t);
  const sql = `SELECT variable_value AS v FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher'`;
  const cipher = async (c: Connection) => (await rowsOf(c, sql))[0]?.['v'];
  t.equal(await cipher(await connect(t, { url })), '');
  t.not(await cipher(await connect(t, { url, ssl: 'require' })), '');
  t.not(await cipher(await connect(t, { url, ssl: 'verify-full', ca })), '');
  t.not(await cipher(await connect(t, { url: `${url}?ssl=require` })), '');
  const untrusted = await connect(t, { url, ssl: 'verify-full' });
  await t.rejects(untrusted.test(never), fault('CONFIG', /certificate/));
  const plain = createServer((socket) => socket.end(helloWithoutTls())).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  t.teardown(() => plain.close());
  const { port } = plain.address() as AddressInfo;
  const none = await connect(t, { host: '127.0.0.1', port, user: 'u', database: 'd', ssl: 'require' });
  await t.rejects(none.test(never), fault('CONFIG', /encryption/));
});

/** The greeting of a server that offers no encryption. */
function helloWithoutTls(): Buffer {
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.0\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('abcdefgh\0'),
    // Protocol 4.1, secure connection, authentication by plug-in.
    Buffer.from([0x00, 0x82, 45, 2, 0, 0x08, 0x00, 21]),
    Buffer.alloc(10),
    Buffer.from('ijklmnopqrst\0mysql_native_password\0'),
  ]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
}

t.test('a cancelled query ends at once, here and on the server', { skip }, async (t) => {
  const { connection: c, url, name } = await connectDatabase(t);
  const cancel = new AbortController();
  const args = { sql: 'SELECT SLEEP(30)' };
  const reading = (async () => {
    for await (const _ of c.read({ method: 'query', args, readOnly: false, signal: cancel.signal }));
  })();
  reading.catch(() => undefined);
  const admin = await mysql.createConnection(url);
  t.teardown(() => admin.end());
  const active = async () => {
    const sql = `SELECT 1 FROM information_schema.processlist WHERE user = ? AND info LIKE 'SELECT SLEEP%'`;
    const [rows] = await admin.query(sql, [name]);
    return (rows as unknown[]).length > 0;
  };
  await until(active);
  cancel.abort();
  await t.rejects(reading, fault('UNAVAILABLE', 'The call was cancelled'));
  await until(async () => !(await active()));
  t.match(await c.test(never), /MariaDB/, 'the connector goes on');
});

t.test('a statement that takes longer than the limit is stopped', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t, { statement_timeout_ms: 300 });
  const reading = (async () => {
    const request = { method: 'query', args: { sql: 'SELECT SLEEP(30)' }, readOnly: false, signal: never };
    for await (const _ of c.read(request));
  })();
  await t.rejects(reading, fault('UNAVAILABLE', /^The database gave no rows for 0.3 s/));
  await t.rejects(
    async () => {
      const request = { method: 'query', args: { sql: 'SELECT SLEEP(30)' }, readOnly: false, limit: 10 };
      for await (const _ of c.read({ ...request, signal: never }));
    },
    fault('UNAVAILABLE', /^The statement took too long and was cancelled: see "statement_timeout_ms"/),
  );
  t.strictSame(await rowsOf(c, 'SELECT 1 AS a'), [{ a: 1 }]);
});

t.test('a read whose rows are taken slowly goes on beyond the limit of a statement', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t, { statement_timeout_ms: 500 });
  await execute(c, 'CREATE TABLE t (a varchar(2000))', `INSERT INTO t VALUES ('x')`);
  // More than the sockets hold, so that the server waits.
  const sql = `SELECT repeat('x', 2000) AS a FROM (SELECT 1 ${'UNION ALL SELECT 1 '.repeat(19)}) a, (SELECT 1 ${'UNION ALL SELECT 1 '.repeat(19)}) b, (SELECT 1 ${'UNION ALL SELECT 1 '.repeat(19)}) c`;
  let rows = 0;
  for await (const batch of c.read({ method: 'query', args: { sql }, signal: never })) {
    rows += batch.rows.length;
    await sleep(150);
  }
  t.equal(rows, 8_000);
});

t.test('more calls than sessions wait their turn, and may give up waiting', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, 'CREATE TABLE t (a int)', 'INSERT INTO t VALUES (1)');
  const list = () => c.read({ method: 'list', args: { table: 't' }, signal: never })[Symbol.asyncIterator]();
  const readers = Array.from({ length: 8 }, list);
  for (const reader of readers) t.equal((await reader.next()).done, false);
  await t.rejects(c.test(AbortSignal.timeout(50)), fault('UNAVAILABLE', 'The call was cancelled'));
  const waiting = c.test(never);
  for (const reader of readers) await reader.return?.();
  t.match(await waiting, /MariaDB/);
});

t.test('a session that the server ends is an error of its call alone', { skip }, async (t) => {
  const { connection: c, url } = await connectDatabase(t);
  await c.test(never);
  const admin = await mysql.createConnection(url);
  t.teardown(() => admin.end());
  const [rows] = await admin.query(
    'SELECT id FROM information_schema.processlist WHERE id <> connection_id()',
  );
  for (const { id } of rows as { id: number }[]) await admin.query(`KILL ${id}`);
  await c.test(never).catch((error: unknown) => t.match(error, fault('UNAVAILABLE')));
  t.match(await c.test(never), /MariaDB/);
  const writer = await c.openWriter(load({ mode: 'append' }));
  await writer.write(batchOf([{ id: 1 }]));
  const [loads] = await admin.query(
    'SELECT id FROM information_schema.processlist WHERE id <> connection_id()',
  );
  for (const { id } of loads as { id: number }[]) await admin.query(`KILL ${id}`);
  await t.rejects(writer.write(batchOf([{ id: 2 }])), fault('UNAVAILABLE'));
  await t.rejects(writer.commit(), fault('UNAVAILABLE'));
  await writer.abort();
  t.equal(await writeAll(c, { mode: 'append' }, batchOf([{ id: 1 }])), 1);
});
