// Long list: it waits for services that fail in every way; quick: test/drivers/singer/singer.test.ts.
import pg from 'pg';
import t from 'tap';
import { connectSinger } from '../../../src/drivers/plugins/singer/connect.ts';
import { findProgram } from '../../support/find-program.ts';
import { createDatabase } from '../../support/postgres.ts';
import { contextWith, rowsOf, signal } from '../airbyte/scripted.ts';

const program = findProgram(process.env['TAP_POSTGRES_PATH'], ['tap-postgres']);
const skip = program === null && 'needs pipelinewise-tap-postgres at TAP_POSTGRES_PATH';
const plugin = { name: 'tap-postgres', command: [program ?? ''], folder: null, memoryMb: 1_024 };

const TABLE = `CREATE TABLE orders (
  id int PRIMARY KEY, customer text NOT NULL, amount numeric(20, 4), paid boolean, day date, changed_at timestamptz NOT NULL,
  details jsonb, tags text[], big bigint)`;
const ROWS = `INSERT INTO orders
  SELECT n, 'customer ' || n, n + 1234567890123456.5, n % 2 = 0, '2026-01-31', timestamptz '2026-01-01T00:00:00Z' + n * interval '1 s',
    '{"a": [1]}', '{x,y}', 9007199254740993 FROM generate_series(1, 1500) AS n`;

async function shop(t: Parameters<typeof createDatabase>[0]) {
  const { url } = await createDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query(TABLE);
  await client.query(ROWS);
  const { hostname, port, username, password, pathname } = new URL(url);
  const config = { host: hostname, port: Number(port), user: username, dbname: pathname.slice(1) };
  return { client, config, secrets: { password: decodeURIComponent(password) || 'none' } };
}

t.test('a tap of the ecosystem is read as a whole, by a key, and from a state', { skip }, async (t) => {
  const { client, config, secrets } = await shop(t);
  const connection = await connectSinger({ plugin: 'tap-postgres', config, secrets }, contextWith(plugin));
  t.equal(await connection.test(signal), 'The tap "tap-postgres" is ready: 1 stream');
  t.strictSame(await connection.listResources(signal), [{ name: 'public-orders', type: 'stream' }]);
  t.match(
    (await connection.describe('public-orders', signal)).map(({ name, type, key }) => [name, type, key]),
    [
      ['id', 'integer', true],
      ['customer', 'string'],
      ['amount', 'decimal'],
      ['paid', 'boolean'],
      ['day', 'timestamp'],
      ['changed_at', 'timestamp'],
      ['details', 'json'],
      ['tags', 'json'],
      ['big', 'integer'],
    ],
  );
  const whole = await rowsOf(connection, { args: { stream: 'public-orders' } });
  t.equal(whole.length, 1_500);
  t.strictSame(whole[0], {
    id: 1,
    customer: 'customer 1',
    amount: '1234567890123457.5',
    paid: false,
    day: '2026-01-31T00:00:00+00:00',
    changed_at: '2026-01-01T00:00:01+00:00',
    details: { a: [1] },
    tags: ['x', 'y'],
    big: '9007199254740993',
  });
  const states: unknown[] = [];
  const onState = (state: unknown) => states.push(state);
  const args = { stream: 'public-orders', columns: ['id'], replication_key: 'changed_at' };
  t.equal((await rowsOf(connection, { args, state: { saved: null, onState } })).length, 1_500);
  await client.query(`UPDATE orders SET changed_at = '2026-02-01T00:00:00Z' WHERE id IN (3, 7)`);
  const rows = await rowsOf(connection, { args, state: { saved: states.at(-1), onState } });
  // The tap gives the last one of before again.
  t.strictSame(rows.map(({ id }) => id).sort(), [1_500, 3, 7].sort());
  t.match(states.at(-1), {
    bookmarks: { 'public-orders': { replication_key_value: '2026-02-01T00:00:00+00:00' } },
  });
});

t.test('a password that is wrong is told, and not shown', { skip }, async (t) => {
  const { config } = await shop(t);
  const given = { plugin: 'tap-postgres', config, secrets: { password: 'wrong, and secret' } };
  const failed = (await connectSinger(given, contextWith(plugin))).test(signal);
  const { fault, message } = await failed.then(String, (error) => error);
  t.match([fault, message], ['TARGET', /exit code 1: .*password authentication failed for user/]);
  t.notMatch(message, 'secret');
});
