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

t.test('what was stored makes room for more, however much comes in all', async (t) => {
  const { url } = await createDatabase(t);
  const backend = new Serverdb({ url, retentionDays: 90, clock: { now: () => NOW }, logger: silentLogger });
  t.teardown(() => backend.close());
  const [point] = pointsOf({ run: 1 }, reportOf('success', 100, 10));
  if (point === undefined) throw new Error('no point');
  const many = (run_id: number) =>
    Array.from({ length: 45_000 }, (_, index) => ({ ...point, run_id, index, name: 'task.other' }));
  for (const run of [1, 2, 3]) await backend.write(many(run));
  t.equal(
    (await backend.stored.run(3, 10)).points.length,
    10,
    '135,000 points, with room for 100,000 at once',
  );
});

t.test('points that no database takes fail their own batch, and not those that came with it', async (t) => {
  const { url } = await createDatabase(t);
  const backend = new Serverdb({ url, retentionDays: 90, clock: { now: () => NOW }, logger: silentLogger });
  t.teardown(() => backend.close());
  const good = pointsOf({ run: 1 }, reportOf('success', 100, 10));
  const bad = pointsOf({ run: 2 }, reportOf('success', 100, 10)).map((point) => ({ ...point, at: 1e300 }));
  // In one turn, so that they share a transaction.
  const [first, second, third] = await Promise.allSettled([
    backend.write(good),
    backend.write(bad),
    backend.write(pointsOf({ run: 3 }, reportOf('success', 100, 10))),
  ]);
  t.match(
    [first, second, third],
    [{ status: 'fulfilled' }, { status: 'rejected', reason: { code: /^22/ } }, { status: 'fulfilled' }],
  );
  t.match(await backend.stored.summary(7, 0), { totals: { runs: 2 } });
});
