import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { createDatabase } from '../../support/postgres.ts';
import { batchOf, contextOf, execute, fault, load, never, rowsOf, until, writeAll } from '../sql/engines.ts';

async function connect(t: Tap, config: Record<string, unknown>): Promise<Connection> {
  const c = await postgresDriver.connect(config, contextOf('/'));
  t.teardown(() => c.close());
  return c;
}
/** Statements of a database that sleep. */
const SLEEPING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(30)%' AND state = 'active' AND pid <> pg_backend_pid()`;
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
  const c = await connect(t, { host: '127.0.0.1', port, user: 'u', database: 'd', connect_timeout_ms: 300 });
  const from = Date.now();
  await t.rejects(c.test(never), fault('UNAVAILABLE', /PostgreSQL did not answer in time: check the host/));
  await t.rejects(c.openWriter(load({ mode: 'append' })), fault('UNAVAILABLE'));
  t.ok(Date.now() - from < 2_000);
  const slow = await connect(t, {
    host: '127.0.0.1',
    port,
    user: 'u',
    database: 'd',
    connect_timeout_ms: 60_000,
  });
  const began = Date.now();
  await t.rejects(
    slow.test(AbortSignal.timeout(100)),
    fault('UNAVAILABLE'),
    'and the signal ends it earlier',
  );
  t.ok(Date.now() - began < 1_000);
  for (const socket of sockets) socket.destroy();
});

t.test('what is wrong with the way in is told by its fault', async (t) => {
  const { url } = await createDatabase(t);
  const { hostname, port, username, password, pathname } = new URL(url);
  const config = {
    host: hostname,
    port: Number(port),
    user: username,
    password,
    database: pathname.slice(1),
  };
  t.match(await (await connect(t, config)).test(never), /^PostgreSQL \d+/);
  await t.rejects((await connect(t, { ...config, password: 'wrong' })).test(never), fault('AUTH'));
  await t.rejects((await connect(t, { ...config, password: undefined })).test(never), fault('AUTH'));
  await t.rejects((await connect(t, { ...config, database: 'nosuch' })).test(never), fault('CONFIG'));
  const guest = `guest_${pathname.slice(1)}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(async () => {
    await admin.query(`DROP ROLE ${guest}`);
    await admin.end();
  });
  await admin.query(`CREATE TABLE closed (id int); CREATE ROLE ${guest} PASSWORD 'p' NOLOGIN`);
  const asGuest = await connect(t, { ...config, user: guest, password: 'p' });
  await t.rejects(asGuest.test(never), fault('AUTH', /not let this user log in: give the role LOGIN/));
  await admin.query(`ALTER ROLE ${guest} LOGIN`);
  await t.rejects(
    rowsOf(asGuest, 'SELECT * FROM closed'),
    fault('CONFIG', /permission denied for table closed; grant it to the user/),
  );
  await t.rejects((await connect(t, { ...config, ssl: 'require' })).test(never), fault('CONFIG'));
  await t.rejects(
    (await connect(t, { ...config, port: 1 })).test(never),
    fault(
      'UNAVAILABLE',
      'PostgreSQL cannot be reached: the connection was refused: check the host and the port, and whether the server is running',
    ),
  );
  for (const wrong of [
    {},
    { ...config, url },
    { url: 'http://x' },
    { ...config, host: '/tmp' },
    { ...config, odd: 1 },
  ]) {
    await t.rejects(postgresDriver.connect(wrong, contextOf('/')), fault('CONFIG'));
  }
});

t.test(
  'a role with few rights appends once the table of records is there, and learns what only an owner may',
  async (t) => {
    const { url } = await createDatabase(t);
    const loader = `loader_${new URL(url).pathname.slice(1)}`;
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    t.teardown(async () => {
      await admin.query(`DROP OWNED BY ${loader}; DROP ROLE ${loader}`);
      await admin.end();
    });
    await admin.query(`CREATE TABLE people (id int, name text); CREATE ROLE ${loader} LOGIN PASSWORD 'p';
    GRANT SELECT, INSERT, UPDATE, DELETE ON people TO ${loader}; GRANT CREATE ON SCHEMA public TO ${loader}`);
    const c = await connect(t, { url, user: loader, password: 'p' });
    const append = (loadId: string) =>
      writeAll(c, { mode: 'append', object: 'people', loadId }, batchOf([{ id: 1, name: 'Ann' }]));
    await append('first');
    await admin.query(`REVOKE CREATE ON SCHEMA public FROM ${loader}`);
    await append('second');
    t.equal((await admin.query('SELECT FROM people')).rowCount, 2);
    const merge = writeAll(
      c,
      { mode: 'merge', object: 'people', key: ['id'] },
      batchOf([{ id: 2, name: 'Bo' }]),
    );
    await t.rejects(
      merge,
      fault('CONFIG', /must be owner of table people; let the user of the connector own it, or change it/),
    );
  },
);

t.test('a cancelled query ends at once, here and on the server', async (t) => {
  const { url } = await createDatabase(t);
  const c = await connect(t, { url, application_name: 'cancel-test' });
  const cancel = new AbortController();
  const reading = (async () => {
    for await (const _ of c.read({
      method: 'query',
      args: { sql: 'SELECT pg_sleep(30)' },
      signal: cancel.signal,
    }));
  })();
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(() => admin.end());
  const active = async () => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'cancel-test' AND query LIKE '%pg_sleep%' AND state = 'active'`;
    return ((await admin.query(sql)).rowCount ?? 0) > 0;
  };
  await until(active);
  const from = Date.now();
  cancel.abort();
  await t.rejects(reading, fault('UNAVAILABLE', 'The call was cancelled'));
  t.ok(Date.now() - from < 1_000);
  await until(async () => !(await active()));
  t.match(await c.test(never), /PostgreSQL/, 'the connector goes on');
});

t.test('a statement that takes longer than the limit is stopped', async (t) => {
  const { url } = await createDatabase(t);
  const c = await connect(t, { url, statement_timeout_ms: 300 });
  await t.rejects(
    rowsOf(c, 'SELECT pg_sleep(30)'),
    fault('UNAVAILABLE', /^The database gave no rows for 0.3 s/),
  );
  await t.rejects(
    async () => {
      const args = { sql: 'SELECT pg_sleep(30)' };
      for await (const _ of c.read({ method: 'query', args, limit: 10, signal: never }));
    },
    fault('UNAVAILABLE', /^The statement took too long and was cancelled: see "statement_timeout_ms"/),
  );
  t.strictSame(await rowsOf(c, 'SELECT 1 AS a'), [{ a: 1 }]);
  await until(async () => (await rowsOf(c, SLEEPING)).length === 0);
});

t.test('a read whose rows are taken slowly goes on beyond the limit of a statement', async (t) => {
  const { url } = await createDatabase(t);
  const c = await connect(t, { url, statement_timeout_ms: 300 });
  const args = { sql: 'SELECT generate_series(1, 8000) AS n' };
  let rows = 0;
  for await (const batch of c.read({ method: 'query', args, signal: never })) {
    rows += batch.rows.length;
    await delay(100);
  }
  t.equal(rows, 8_000);
});

t.test('more calls than sessions wait their turn, and may give up waiting', async (t) => {
  const { url } = await createDatabase(t);
  const c = await connect(t, { url });
  const calls = Array.from({ length: 30 }, (_, i) => rowsOf(c, 'SELECT pg_sleep(0.02), $1::int AS i', [i]));
  const tired = new AbortController();
  const given = c.test(tired.signal);
  tired.abort();
  await t.rejects(given, fault('UNAVAILABLE'));
  t.strictSame(
    (await Promise.all(calls)).map((rows) => rows[0]?.['i']),
    Array.from({ length: 30 }, (_, i) => i),
  );
});

t.test('a server that ends the session is UNAVAILABLE, and the next call has a new one', async (t) => {
  const { url } = await createDatabase(t);
  const c = await connect(t, { url, application_name: 'ended-test' });
  await writeAll(c, { mode: 'append' }, batchOf([{ id: 1 }]));
  const writer = await c.openWriter(load({ mode: 'append', loadId: 'load-2' }));
  await writer.write(batchOf([{ id: 2 }]));
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ended-test'`,
  );
  await admin.end();
  await delay(50);
  await t.rejects(writer.write(batchOf([{ id: 3 }])), fault('UNAVAILABLE'));
  await t.rejects(writer.commit(), fault('UNAVAILABLE'));
  await writer.abort();
  t.strictSame(await rowsOf(c, 'SELECT id FROM people'), [{ id: 1 }]);
});

t.test('a process that is killed in the middle of a load leaves the target as it was', async (t) => {
  const { url } = await createDatabase(t);
  const c = await connect(t, { url });
  await execute(
    c,
    'CREATE TABLE people (id int PRIMARY KEY, name text)',
    `INSERT INTO people VALUES (1, 'old')`,
  );
  for (const mode of ['append', 'replace', 'upsert'] as const) {
    const child = spawn(process.execPath, [`${import.meta.dirname}/endless-load.ts`, url, mode], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for (let lines = 0; lines < 3; lines += 1) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    t.strictSame(await rowsOf(c, 'SELECT * FROM people'), [{ id: 1, name: 'old' }]);
    const stages = `SELECT relname FROM pg_class WHERE relname LIKE '%headgate%'`;
    t.strictSame(await rowsOf(c, stages), []);
  }
});
