/**
 * Empty runs claimed, acknowledged and completed by 8 executors over gRPC, on two control planes with one PostgreSQL; limit: bare
 * claims alone, one a transaction (`FOR UPDATE SKIP LOCKED`), on 8 connections. Then the time from a run's commit until an
 * executor has it, at moderate load.
 */
import pg from 'pg';
import { createDatabase } from '../test/support/postgres.ts';
import { secondsOf } from './support/figure.ts';
import { RunBench } from './support/run-bench.ts';
import { measureRuns } from './support/run-figures.ts';
import { workFolder } from './support/work-folder.ts';

const claims = 4_000;
const connections = 8;

const cleanUp: (() => unknown)[] = [];
const { url } = await createDatabase({ teardown: (fn) => cleanUp.push(fn) });
const bench = new RunBench({
  folder: workFolder(),
  state: { kind: 'serverdb', url, poolMax: 10 },
  planes: 2,
  executors: 8,
  slots: 64,
});

async function limit(): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  await pool.query(`DROP TABLE IF EXISTS bare; CREATE TABLE bare (id bigint PRIMARY KEY, status text, priority int,
    available_at bigint, epoch bigint, lease_token text);
    CREATE INDEX bare_queue ON bare (priority DESC, available_at, id) WHERE status = 'queued';
    INSERT INTO bare SELECT n, 'queued', 0, n, 0, NULL FROM generate_series(1, ${claims}) AS n`);
  const claim = `UPDATE bare SET status = 'running', epoch = epoch + 1, lease_token = $1 WHERE id = (
    SELECT id FROM bare WHERE status = 'queued' ORDER BY priority DESC, available_at, id
    LIMIT 1 FOR UPDATE SKIP LOCKED)`;
  let left = claims;
  const seconds = await secondsOf(() =>
    Promise.all(
      Array.from({ length: connections }, async () => {
        while (left-- > 0) await pool.query(claim, ['token']);
      }),
    ),
  );
  await pool.end();
  return claims / seconds;
}

try {
  await measureRuns('runs-postgres', bench, limit);
} finally {
  for (const fn of cleanUp) await fn();
}
