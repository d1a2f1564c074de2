import pg from 'pg';
import t from 'tap';
import { createDatabase, postgresUrl } from './postgres.ts';

t.test('each test gets its own database, and it is gone after drop', async (t) => {
  const [a, b] = await Promise.all([createDatabase(t), createDatabase(t)]);
  t.not(a.url, b.url);
  const client = new pg.Client({ connectionString: a.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE only_here (id int)');
  const other = new pg.Client({ connectionString: b.url });
  await other.connect();
  await t.rejects(other.query('SELECT * FROM only_here'), { code: '42P01' });
  await other.end();
  await a.drop();
  await t.rejects(client.query('SELECT 1'), 'drop ends connections that a test left open');
  await client.end().catch(() => undefined);
  const admin = new pg.Client({ connectionString: await postgresUrl() });
  await admin.connect();
  const name = new URL(a.url).pathname.slice(1);
  const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  t.equal(found.rowCount, 0);
  await admin.end();
});
