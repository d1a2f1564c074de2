import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import t from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { postgresDialect } from '../../src/store/dialect.ts';
import { migrate } from '../../src/store/migrate.ts';
import { logMigrations, stateMigrations } from '../../src/store/migrations/migrations.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createDatabase } from '../support/postgres.ts';

t.test('lines of a log that was not partitioned are kept, and count as of today (postgres)', async (t) => {
  const { url } = await createDatabase(t);
  const before = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
  const { 'logs-0001-run-logs': first } = logMigrations;
  if (first === undefined) throw new Error('The first migration is there');
  await migrate(before, postgresDialect, { ...stateMigrations, 'logs-0001-run-logs': first });
  await sql`
    insert into run_logs select 7, 1, seq, 1000 + seq, 2, 'load', 'line ' || seq, null from generate_series(1, 500) seq`.execute(
    before,
  );
  await sql`insert into run_log_cursors (run_id, attempt, acked_seq, bytes) values (7, 1, 500, 9000)`.execute(
    before,
  );
  await before.destroy();
  const store = await openStore({ kind: 'serverdb', url, poolMax: 4 }, silentLogger);
  t.teardown(() => store.close());
  const lines = await store.logs.selectFrom('run_logs').selectAll().orderBy('seq').execute();
  const today = Math.floor(Date.now() / 86_400_000);
  t.equal(lines.length, 500);
  t.match(lines.at(-1), { run_id: 7, attempt: 1, seq: 500, at: 1_500, message: 'line 500' });
  t.ok(lines.every((line) => Math.abs(line.day - today) <= 1));
  const [cursor] = await store.logs.selectFrom('run_log_cursors').selectAll().execute();
  t.match(cursor, { acked_seq: 500, bytes: 9_000, dropped: 0, pruned_seq: 0 });
  t.ok((cursor?.last_at ?? 0) > Date.now() - 3 * 86_400_000);
  await t.rejects(
    sql`insert into run_logs (run_id, attempt, seq, at, level, step_id, message, day)
        values (7, 1, 500, 1, 1, '', '', ${lines[0]?.day ?? 0})`.execute(store.read),
    { code: '23505' },
    'a line is there once',
  );
});
