import pg from 'pg';
import t from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { Serverdb } from '../../src/metering/serverdb/serverdb.ts';
import { createDatabase } from '../support/postgres.ts';
import { NOW, pointsOf, reportOf } from './support/points.ts';

const TRIES = 150;

t.test('a connection that breaks at any moment fails its batch, and nothing else', async (t) => {
  const { url } = await createDatabase(t);
  const backend = new Serverdb({ url, retentionDays: 90, clock: { now: () => NOW }, logger: silentLogger });
  t.teardown(() => backend.close());
  await backend.connect();
  const killer = new pg.Client({ connectionString: url });
  await killer.connect();
  t.teardown(() => killer.end());
  let failed = 0;
  for (let run = 1; run <= TRIES; run++) {
    const written = backend.write(pointsOf({ run }, reportOf('success', 100, 10))).catch(() => failed++);
    await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'headgate-metrics' and datname = current_database()`,
    );
    await written;
  }
  t.ok(failed > 0, 'some were broken in the middle');
  await backend.write(pointsOf({ run: TRIES + 1 }, reportOf('success', 100, 10)));
  t.match(await backend.stored.summary(7, 0), { totals: { runs: Number } });
});
