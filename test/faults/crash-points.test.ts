// Long list: it kills processes, or cuts what they rely on; quick: test/base/crash-point.test.ts, test/paths/dead-letter-replay.test.ts.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import t, { type Test } from 'tap';
import { sqliteDialect } from '../../src/store/dialect.ts';
import { migrate } from '../../src/store/migrate.ts';
import { logMigrations, stateMigrations } from '../../src/store/migrations/migrations.ts';
import { nodeSqliteDialect, openSqliteFile } from '../../src/store/sqlite/node-sqlite.ts';
import { settle } from '../support/chaos.ts';
import { crashPlaces } from '../support/crash-places.ts';
import { CrashServer } from '../support/crash-server.ts';
import { ofFullList } from '../support/fault-list.ts';
import { type FaultWorld, startWorld } from '../support/fault-world.ts';
import { takePins } from '../support/history-pins.ts';
import { proveHistory } from '../support/history-proof.ts';
import { type LoadJob, makeLoadJob, startJobRuns, startRuns } from '../support/load-jobs.ts';
import { type Seeded, seeded } from '../support/seed.ts';
import { changeState } from '../support/state-change.ts';
import type { StoreKind } from '../support/stores.ts';

/*
 * The control plane is killed at the named places of `base/crash-point.ts`, once each in a seeded order and at a seeded pass,
 * while executors work, jobs are made and triggers are due. `HEADGATE_TEST_SEED` repeats it.
 */

const TRANSACTIONS = ['completion', 'tick', 'job-create', 'claim', 'acknowledgement', 'checkpoint'];
const PASSES_MAX = 4;
const DEATH_MS_MAX = 30_000;
const MINUTE_MS = 60_000;

const [stateAll, logsAll] = [Object.entries(stateMigrations), Object.entries(logMigrations)];
/** A store of the first migrations, and how many it lacks. */
const OLDER = {
  state: stateAll.slice(0, 30),
  logs: logsAll.slice(0, 1),
  pending: stateAll.length - 30 + logsAll.length - 1,
};

function pointsOf(random: Seeded): readonly string[] {
  const ofTransactions = TRANSACTIONS.flatMap((name) =>
    crashPlaces(random).map((place) => `${name}.${place}`),
  );
  return ['log-append.uncommitted', 'log-append.committed', ...ofTransactions];
}

function shuffled<T>(items: readonly T[], { upTo }: Seeded): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(upTo(left.length), 1));
}

/** Work of every kind, until the server is dead; whether it died. Calls that it no longer answers are its death. */
async function stir(world: FaultWorld, server: CrashServer, work: LoadJob): Promise<boolean> {
  const end = performance.now() + DEATH_MS_MAX;
  while (server.isAlive && performance.now() < end) {
    await startRuns(world.api, work.taskId, 2)
      .then(() => startJobRuns(world.api, work.jobId, 1))
      .then(() => world.api.post(`/api/job-templates/${work.templateId}/jobs`, NEW_JOB))
      .catch(() => undefined);
    await sleep(150);
  }
  return !server.isAlive;
}
const NEW_JOB = { name: 'made under fire', connector_mapping: {} };

async function survive(t: Test, kind: StoreKind): Promise<void> {
  const random = seeded(t);
  const world = await startWorld(t, { kind });
  const [server] = world.servers;
  if (server === undefined) throw new Error('no server');
  const work = await makeLoadJob(world.api);
  await world.api.post(`/api/jobs/${work.jobId}/triggers`, {
    cron: '* * * * *',
    overlap: 'allow',
    catchup: 'all',
  });
  const pins = await takePins((await world.openStore()).read);
  const fleet = world.fleet({
    seed: random.seed,
    processes: 1,
    executorsPerProcess: 4,
    linesPerRun: 60,
    batchLines: 20,
    faultShare: 0.1,
  });
  for (const point of shuffled(pointsOf(random), random)) {
    await server.kill();
    const due = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - PASSES_MAX * MINUTE_MS;
    await changeState(world.state, `update triggers set next_run_at = ${due}`);
    const at = `${point}:${1 + random.upTo(PASSES_MAX)}`;
    await server.start({ SVC_CRASH_AT: at });
    const died = await stir(world, server, work);
    t.ok(died, `killed at ${at}`);
    if (died) t.equal(await server.ended(), 'SIGKILL');
  }
  await server.mustStart();
  await settle(world);
  await fleet.stop();
  await proveHistory(t, world, { seed: random.seed, pins });
}

t.setTimeout(900_000);

t.test(
  'killed at its named places, the control plane loses nothing and does nothing twice (SQLite)',
  ofFullList,
  (t) => survive(t, 'sqlite'),
);

t.test(
  'killed at its named places, the control plane loses nothing and does nothing twice (PostgreSQL)',
  ofFullList,
  (t) => survive(t, 'postgres'),
);

t.test(
  'killed while it makes its store or migrates an older one, the server finds it as it was',
  async (t) => {
    const { upTo } = seeded(t);
    const deaths = [
      ['state', 1],
      ['log', 2],
      ['older', 1 + upTo(OLDER.pending)],
    ] as const;
    for (const [name, nth] of deaths) {
      const folder = join(t.testdir({ state: {}, log: {}, older: {} }), name);
      if (name === 'older') await makeOlderStore(folder);
      const server = await CrashServer.prepare(t, folder);
      const crashAt = `migration.uncommitted:${nth}`;
      t.equal(await server.start({ SVC_CRASH_AT: crashAt }), 'died', `${name}: ${crashAt}`);
      t.equal(await server.start(), 'ready');
      t.match(server.setupToken, /\S/, 'it is a new, usable server');
      await server.kill();
    }
  },
);

/** Files of the first migrations alone. */
async function makeOlderStore(folder: string): Promise<void> {
  for (const [file, migrations] of [
    ['state.db', OLDER.state],
    ['state-logs.db', OLDER.logs],
  ] as const) {
    const dialect = nodeSqliteDialect(openSqliteFile(join(folder, file), { readOnly: false }));
    const db = new Kysely<unknown>({ dialect });
    await migrate(db, sqliteDialect, Object.fromEntries(migrations));
    await db.destroy();
  }
}
