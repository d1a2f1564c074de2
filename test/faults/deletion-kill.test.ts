import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { logRowsOf, makeEndedRuns, makeLogRows } from '../support/ended-runs.ts';
import { fewOrMany, ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { makeLoadJob } from '../support/load-jobs.ts';
import { seeded } from '../support/seed.ts';
import { until } from '../support/served.ts';
import type { StoreKind } from '../support/stores.ts';

/*
 * A job with many runs is deleted, and the control plane is killed on the way, again and again, at every place of the
 * transactions that delete. It ends with nothing of the job left, and all of another one.
 */

/** Enough that no deletion is done before the last kill. */
const RUNS = { sqlite: 42_000, postgres: 10_500 };
const OTHERS = 50;
const KILLS = fewOrMany(6, 6);
const PLACES = ['waiting', 'begun', 'uncommitted', 'committed'];
const DEATH_MS_MAX = 30_000;
const GONE_MS_MAX = 280_000;
const TABLES = ['runs', 'job_runs', 'run_attempts', 'run_steps', 'run_status_history', 'dead_letters'];

async function survive(t: Test, kind: StoreKind): Promise<void> {
  const { upTo } = seeded(t);
  const runs = RUNS[kind];
  const world = await startWorld(t, { kind, settings: { SVC_LOG_RETENTION_DAYS: '0' } });
  const [server] = world.servers;
  if (server === undefined) throw new Error('no server');
  const work = await makeLoadJob(world.api);
  const other = await makeLoadJob(world.api, 'other');
  await server.kill();
  const store = await world.openStore();
  const count = async (query: string) => {
    const { rows } = await sql.raw<{ n: number }>(`select count(*) as n from ${query}`).execute(store.read);
    return Number(rows[0]?.n);
  };
  const made = await makeEndedRuns(store, { jobId: work.jobId, count: runs });
  await makeLogRows(store, made.runId, runs);
  const kept = await makeEndedRuns(store, { jobId: other.jobId, count: OTHERS });
  await makeLogRows(store, kept.runId, OTHERS);

  await server.mustStart();
  await fetch(`${server.url}/api/jobs/${work.jobId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${world.apiKey}` },
  });
  for (let kill = 0; kill < KILLS; kill++) {
    await server.kill();
    if ((await count('deletions')) === 0) break;
    const at = `deletion.${PLACES[upTo(PLACES.length)]}:${1 + upTo(20)}`;
    // It may die before it is ready.
    await server.start({ SVC_CRASH_AT: at });
    await Promise.race([server.ended(), sleep(DEATH_MS_MAX, null, { ref: false })]);
    t.notOk(server.isAlive, `killed at ${at}`);
  }
  t.not(await count('deletions'), 0, 'it was not done before the last kill');
  await server.mustStart();
  await until('nothing is left of the job', GONE_MS_MAX, async () => (await count('deletions')) === 0);
  for (const table of TABLES) {
    const expected = table === 'run_steps' ? 2 : table === 'run_status_history' ? 3 : 1;
    t.equal(await count(table), OTHERS * expected, table);
  }
  t.equal(await count(`job_config_versions where job_id = ${work.jobId}`), 0);
  t.same(await logRowsOf(store), { lines: OTHERS * 2, cursors: OTHERS });
}

t.setTimeout(600_000);

t.test('killed again and again, a deletion ends with nothing left (SQLite)', ofFullList, (t) =>
  survive(t, 'sqlite'),
);

t.test('killed again and again, a deletion ends with nothing left (PostgreSQL)', ofFullList, (t) =>
  survive(t, 'postgres'),
);
