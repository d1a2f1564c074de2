import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { insertRuns } from '../../../src/modules/runs/run-store.ts';
import type { ExecutorIdentity } from '../../../src/protocol/control-plane.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { checkHistory } from '../../support/history.ts';
import { storeSettings } from '../../support/stores.ts';
import {
  completionOf,
  newExecutor,
  newRunOf,
  openPlane,
  type Plane,
  passTime,
  startedRun,
} from '../runs/plane.ts';

const RUNS = 120;
const EXECUTORS = 8;
const TRIES_MAX = 50;
const ROUNDS_MAX = 30;

interface World {
  readonly planes: readonly Plane[];
  readonly accepted: Map<number, number>;
}

/** Calls until some plane answers, as an executor does: the same again, elsewhere. */
async function insist<T>({ planes }: World, first: number, call: (plane: Plane) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const plane = planes[(first + attempt) % planes.length];
    if (plane === undefined) throw new Error('no plane');
    try {
      return await call(plane);
    } catch (error) {
      if (attempt >= TRIES_MAX) throw error;
      await sleep(5);
    }
  }
}

/** Takes runs and completes them until there is nothing to take. */
async function work(world: World, index: number, executor: ExecutorIdentity): Promise<void> {
  for (let empty = 0; empty < 3; ) {
    const assignments = await insist(world, index, (plane) => plane.intake.claim(executor, 1 + (index % 4)));
    if (assignments.length === 0) empty += 1;
    for (const { lease } of assignments) {
      const begun = await insist(world, index, (plane) => plane.intake.acknowledge(lease));
      if (begun !== 'ACCEPTED' && begun !== 'ALREADY_DONE') continue;
      const outcome = await insist(world, index, (plane) => plane.intake.complete(completionOf(lease)));
      if (outcome === 'ACCEPTED')
        world.accepted.set(lease.run_id, (world.accepted.get(lease.run_id) ?? 0) + 1);
    }
  }
}

async function activeRuns({ planes }: World): Promise<number> {
  const row = await insist({ planes, accepted: new Map() }, 0, (plane) =>
    plane.store.read
      .selectFrom('runs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow(),
  );
  return Number(row.count);
}

/** Rounds of work and of both sweepers at once, with time in between, until every run has ended. */
async function workOff(world: World, executors: readonly ExecutorIdentity[]): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await Promise.all(executors.map((executor, index) => work(world, index, executor)));
    if ((await activeRuns(world)) === 0) return;
    // An assignment whose answer was lost goes back to the queue.
    await insist(world, 0, (plane) => passTime(plane.store, 6_000));
    await Promise.all(world.planes.map((plane) => plane.sweeper.sweep(true).catch(() => undefined)));
  }
  throw new Error('runs are left');
}

async function newWorld(t: Parameters<typeof storeSettings>[0]) {
  const settings = await storeSettings(t, 'postgres');
  const stores = [await openStore(settings, silentLogger), await openStore(settings, silentLogger)];
  t.teardown(() => Promise.all(stores.map((store) => store.close().catch(() => undefined))));
  const world: World = { planes: stores.map((store) => openPlane(t, store)), accepted: new Map() };
  const runs = Array.from({ length: RUNS }, (_, index) => ({
    run: newRunOf({ job_id: index % 7 }),
    status: 'queued' as const,
  }));
  await stores[0]?.write((tx) => insertRuns(tx, runs, 1));
  const executors: ExecutorIdentity[] = [];
  for (let index = 0; index < EXECUTORS; index++) {
    const plane = world.planes[index % 2];
    if (plane !== undefined) executors.push(await newExecutor(plane));
  }
  return { settings, stores, world, executors };
}

t.test(
  'a control plane that goes in the middle of it all loses nothing, and nothing runs twice',
  async (t) => {
    const { stores, world, executors } = await newWorld(t);
    const [dying, staying] = stores;
    const working = workOff(world, executors);
    while (world.accepted.size < RUNS / 4) await sleep(2);
    await dying?.close();
    await working;
    t.equal(world.accepted.size, RUNS);
    t.ok([...world.accepted.values()].every((count) => count === 1));
    if (staying !== undefined) await checkHistory(staying.read);
  },
);

t.test('connections that break at any moment lose nothing, and nothing runs twice', async (t) => {
  const { settings, stores, world, executors } = await newWorld(t);
  if (settings.kind !== 'serverdb') return t.fail('it should be a server');
  const admin = new pg.Client({ connectionString: settings.url });
  await admin.connect();
  let breaking = true;
  const breaker = (async () => {
    for (let round = 0; breaking && round < 12; round++) {
      await sleep(40);
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`);
    }
  })();
  await workOff(world, executors);
  breaking = false;
  await breaker;
  await admin.end();
  // A completion that was stored, though its answer was lost, is answered as done already.
  t.ok([...world.accepted.values()].every((count) => count === 1));
  const rows = await stores[0]?.read.selectFrom('runs').select(['status', 'attempt']).execute();
  t.ok(rows?.length === RUNS && rows.every((row) => row.status === 'success' && row.attempt === 1));
  if (stores[1] !== undefined) await checkHistory(stores[1].read);
});

t.test('two sweepers at once take each lapsed lease back once', async (t) => {
  const { world, executors } = await newWorld(t);
  const [left, right] = world.planes;
  const [executor] = executors;
  if (left === undefined || right === undefined || executor === undefined) return t.fail('two planes');
  const leases = [];
  for (let run = 0; run < 20; run++) leases.push(await startedRun(left, executor));
  await passTime(left.store, 91_000);
  await Promise.all([left.sweeper.sweep(true), right.sweeper.sweep(true)]);
  const ids = leases.map((lease) => lease.run_id);
  const rows = await left.store.read.selectFrom('runs').selectAll().where('id', 'in', ids).execute();
  t.ok(rows.every((row) => row.status === 'queued' && row.losses === 1 && row.epoch === 2));
  await checkHistory(left.store.read);
});
