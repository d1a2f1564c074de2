import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import { postgresConfig } from '../../../src/drivers/postgres/config.ts';
import { SessionPool } from '../../../src/drivers/postgres/session-pool.ts';
import { createDatabase } from '../../support/postgres.ts';
import { contextOf, fault, never } from '../sql/engines.ts';

t.test('a session that dies between two statements fails the next one, and nothing else', async (t) => {
  const { url } = await createDatabase(t);
  const pool = new SessionPool(
    postgresConfig.parse({ url, application_name: 'broken-test' }),
    contextOf('/'),
  );
  t.teardown(() => pool.close());
  const killer = new pg.Client({ connectionString: url });
  await killer.connect();
  t.teardown(() => killer.end());
  const broken = pool.run(never, async (client) => {
    await client.query('SELECT 1');
    await killer.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'broken-test'`,
    );
    await delay(100);
    await client.query('SELECT 1');
  });
  await t.rejects(broken, fault('UNAVAILABLE'));
  t.match(await pool.run(never, (client) => client.query('SELECT 1 AS one')), { rows: [{ one: 1 }] });
});
