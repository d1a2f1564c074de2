import pg from 'pg';
import t, { type Test } from 'tap';
import { type AtOnceOptions, readAtOnce } from '../../../src/drivers/postgres/read-at-once.ts';
import { createDatabase } from '../../support/postgres.ts';

const options: AtOnceOptions = {
  before: ['BEGIN READ ONLY', 'SET LOCAL statement_timeout = 5000'],
  after: 'ROLLBACK',
  limit: 3,
};

async function connected(t: Test): Promise<pg.Client> {
  const { url } = await createDatabase(t);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

t.test(
  'a statement is read in one message, no further than its limit, and its transaction has ended',
  async (t) => {
    const client = await connected(t);
    const { stream } = (client as unknown as { connection: pg.Connection }).connection;
    let messages = 0;
    let isAnswered = true;
    stream.on('data', () => {
      isAnswered = true;
    });
    const write = stream.write.bind(stream);
    stream.write = ((...args: Parameters<typeof write>) => {
      if (isAnswered) messages += 1;
      isAnswered = false;
      return write(...args);
    }) as typeof stream.write;
    const sql = 'SELECT n, $1::text AS said, NULL::int AS none FROM generate_series(1, $2::int) AS n';
    const few = await readAtOnce(client, { sql, params: ['ö', '2'] }, options);
    t.equal(messages, 1);
    t.same(few.rows, [
      [1, 'ö', null],
      [2, 'ö', null],
    ]);
    t.same(
      few.fields.map(({ name }) => name),
      ['n', 'said', 'none'],
    );
    for (const count of [3, 4, 100_000]) {
      const { rows } = await readAtOnce(client, { sql, params: ['', String(count)] }, options);
      t.equal(rows.length, 3, `of ${count}`);
    }
    const { rows } = await client.query(`SELECT current_setting('transaction_read_only') AS is_read_only,
    current_setting('statement_timeout') AS timeout, now() = statement_timestamp() AS is_alone`);
    t.same(rows, [{ is_read_only: 'off', timeout: '0', is_alone: true }]);
  },
);

t.test('a statement that fails leaves a session that reads on', async (t) => {
  const client = await connected(t);
  await client.query('CREATE TABLE kept (n int)');
  for (const [sql, code] of [
    ['SELECT 1 / (n - 2) FROM generate_series(1, 3) AS n', '22012'],
    ['INSERT INTO kept VALUES (1) RETURNING n', '25006'],
    ['SELECT nothing', '42703'],
    ['SELECT 1; SELECT 2', '42601'],
  ] as const) {
    await t.rejects(readAtOnce(client, { sql, params: [] }, options), { code }, sql);
    await client.query('ROLLBACK');
    t.same((await readAtOnce(client, { sql: 'SELECT 1', params: [] }, options)).rows, [[1]], sql);
  }
  t.same((await client.query('SELECT * FROM kept')).rows, []);
});

t.test('a read ends with its session', async (t) => {
  const client = await connected(t);
  const reading = readAtOnce(client, { sql: 'SELECT pg_sleep(30)', params: [] }, { ...options, before: [] });
  setTimeout(() => (client as unknown as { connection: pg.Connection }).connection.stream.destroy(), 50);
  await t.rejects(reading);
});
