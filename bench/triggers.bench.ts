/**
 * 1,000 triggers of 1,000 jobs that are due in one second: from the ticker's pass to the last start committed, each with its tick,
 * its job run, its first run, their history and their audit (SQLite with `synchronous=FULL`, PostgreSQL). Limit: the same rows by bare inserts,
 * one transaction a trigger.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { JobRuns } from '../src/modules/job-runs/job-run-service.ts';
import { Ticker } from '../src/modules/triggers/tick/ticker.ts';
import { createTriggerHealth } from '../src/modules/triggers/trigger-health.ts';
import { openStore, type StateSettings } from '../src/store/open-store.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { makeDueTriggers } from './support/due-triggers.ts';
import { measure, secondsOf } from './support/figure.ts';
import { workFolder } from './support/work-folder.ts';

const triggers = 1_000;
const dueAt = Date.parse('2026-03-10T09:00:00Z');
const folder = workFolder();
let round = 0;

async function product(state: StateSettings): Promise<number> {
  const store = await openStore(state, silentLogger);
  try {
    await makeDueTriggers(store, triggers, dueAt);
    const jobRuns = new JobRuns({ store, clock: systemClock, wakeQueue: () => undefined });
    const evaluateKey = async () => {
      throw new Error('no template of this benchmark has a key');
    };
    const health = createTriggerHealth({ store });
    const deps = { store, clock: systemClock, logger: silentLogger, jobRuns, health, evaluateKey };
    const ticker = new Ticker(deps);
    let started = 0;
    const seconds = await secondsOf(async () => {
      started = await ticker.tick(dueAt);
    });
    if (started !== triggers) throw new Error(`${started} of ${triggers} were started`);
    return seconds * 1_000;
  } finally {
    await store.close();
  }
}

async function sqliteLimit(): Promise<number> {
  const path = join(folder, 'bare.db');
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = wal; PRAGMA synchronous = full;
    CREATE TABLE triggers (id integer PRIMARY KEY, next_at integer);
    CREATE TABLE ticks (trigger_id integer, at integer, outcome text, PRIMARY KEY (trigger_id, at));
    CREATE TABLE job_runs (id integer PRIMARY KEY, trigger_id integer, at integer, plan text, config text);
    CREATE TABLE runs (id integer PRIMARY KEY, job_run_id integer, text text, status text);
    CREATE TABLE history (id integer PRIMARY KEY, run_id integer, status text);
    CREATE TABLE audit (id integer PRIMARY KEY, action text, resource integer)`);
  const fill = database.prepare('INSERT INTO triggers VALUES (?, ?)');
  database.exec('BEGIN');
  for (let id = 1; id <= triggers; id++) fill.run(id, dueAt);
  database.exec('COMMIT');
  const [tick, jobRun, run, history, audit, advance] = [
    'INSERT INTO ticks VALUES (?, ?, ?)',
    'INSERT INTO job_runs (trigger_id, at, plan, config) VALUES (?, ?, ?, ?)',
    'INSERT INTO runs (job_run_id, text, status) VALUES (?, ?, ?)',
    'INSERT INTO history (run_id, status) VALUES (?, ?)',
    'INSERT INTO audit (action, resource) VALUES (?, ?)',
    'UPDATE triggers SET next_at = ? WHERE id = ?',
  ].map((text) => database.prepare(text));
  const plan = 'x'.repeat(1_000);
  const seconds = await secondsOf(() => {
    for (let id = 1; id <= triggers; id++) {
      database.exec('BEGIN IMMEDIATE');
      tick?.run(id, dueAt, 'started');
      jobRun?.run(id, dueAt, plan, '{}');
      run?.run(id, plan, 'queued');
      history?.run(id, 'queued');
      audit?.run('job_run.start', id);
      advance?.run(dueAt + 3_600_000, id);
      database.exec('COMMIT');
    }
  });
  database.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return seconds * 1_000;
}

const COLUMNS = {
  ticks: 'trigger_id bigint, at bigint, outcome text, PRIMARY KEY (trigger_id, at)',
  job_runs:
    'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, trigger_id bigint, at bigint, plan text, config text',
  runs: 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job_run_id bigint, text text, status text',
  history: 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run_id bigint, status text',
  audit: 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, action text, resource bigint',
  triggers: 'id bigint PRIMARY KEY, next_at bigint',
};

async function postgresLimit(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const [table, columns] of Object.entries(COLUMNS))
      await client.query(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${columns})`);
    const fill = 'INSERT INTO triggers SELECT id, $1 FROM generate_series(1, $2) AS id';
    await client.query(fill, [dueAt, triggers]);
    const plan = 'x'.repeat(1_000);
    const seconds = await secondsOf(async () => {
      for (let id = 1; id <= triggers; id++) {
        await client.query('BEGIN');
        await client.query("INSERT INTO ticks VALUES ($1, $2, 'started')", [id, dueAt]);
        await client.query("INSERT INTO job_runs (trigger_id, at, plan, config) VALUES ($1, $2, $3, '{}')", [
          id,
          dueAt,
          plan,
        ]);
        await client.query("INSERT INTO runs (job_run_id, text, status) VALUES ($1, $2, 'queued')", [
          id,
          plan,
        ]);
        await client.query("INSERT INTO history (run_id, status) VALUES ($1, 'queued')", [id]);
        await client.query("INSERT INTO audit (action, resource) VALUES ('job_run.start', $1)", [id]);
        await client.query('UPDATE triggers SET next_at = $1 WHERE id = $2', [dueAt + 3_600_000, id]);
        await client.query('COMMIT');
      }
    });
    return seconds * 1_000;
  } finally {
    await client.end();
  }
}

await measure({
  name: 'triggers-1000-due-sqlite',
  unit: 'ms',
  product() {
    round += 1;
    return product({ kind: 'localdb', path: join(folder, `state-${round}.db`) });
  },
  limit: sqliteLimit,
});

const cleanUp: (() => unknown)[] = [];
const database = () => createDatabase({ teardown: (fn) => cleanUp.push(fn) });
const { url: bareUrl } = await database();
try {
  await measure({
    name: 'triggers-1000-due-postgres',
    unit: 'ms',
    product: async () => product({ kind: 'serverdb', url: (await database()).url, poolMax: 8 }),
    limit: () => postgresLimit(bareUrl),
  });
} finally {
  for (const fn of cleanUp.reverse()) await fn();
}
