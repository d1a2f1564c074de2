import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadFleet } from '../../bench/support/load-fleet.ts';
import type { FaultWorld } from './fault-world.ts';
import { type LoadJob, startJobRuns, startRuns } from './load-jobs.ts';
import type { Seeded } from './seed.ts';
import { until } from './served.ts';

const FEED_EVERY_MS = 350;
const DOWN_MS_MAX = 1_500;
const PAUSE_MS_MAX = 7_500;
const SETTLE_MS_MAX = 90_000;
const SETTLE_EVERY_MS = 400;
const WARM_UP_MS_MAX = 60_000;

export interface Chaos {
  readonly world: FaultWorld;
  readonly fleet: LoadFleet;
  readonly seeded: Seeded;
  readonly work: LoadJob;
}

export interface ChaosReport {
  readonly serverKills: number;
  readonly executorKills: number;
  readonly pauses: number;
  readonly runs: number;
}

/** Until every process of the fleet works on something: killing those that only start proves little. */
export async function warmUp({ world, fleet, work }: Chaos): Promise<void> {
  await startRuns(world.api, work.taskId, 3 * fleet.executors, { connectors: work.connectors });
  await startJobRuns(world.api, work.jobId, 3);
  await until('all executors work', WARM_UP_MS_MAX, async () => fleet.working === fleet.size);
}

/** Feeds work and kills at random for `ms`: control planes, executors, and executors that only stop for a while. All live again at its end. */
export async function playChaos(chaos: Chaos, ms: number): Promise<ChaosReport> {
  const { world, fleet, seeded } = chaos;
  const over = new AbortController();
  const fed = feed(chaos, over.signal);
  const report = { serverKills: 0, executorKills: 0, pauses: 0 };
  const pending: Promise<unknown>[] = [];
  const busy = new Set<object | number>();
  const later = (what: object | number, work: () => Promise<unknown>) => {
    if (busy.has(what)) return false;
    busy.add(what);
    pending.push(work().finally(() => busy.delete(what)));
    return true;
  };
  for (const end = performance.now() + ms; performance.now() < end; ) {
    await sleep(200 + seeded.upTo(1_200));
    const choice = seeded.random();
    const [server, index, wait] = [
      world.servers[seeded.upTo(world.servers.length)],
      seeded.upTo(fleet.size),
      seeded.random(),
    ];
    if (server === undefined) continue;
    if (choice < 0.3) {
      const killed = later(server, async () => {
        await server.kill();
        await sleep(wait * DOWN_MS_MAX);
        await server.mustStart();
      });
      if (killed) report.serverKills += 1;
    } else if (choice < 0.75) {
      const killed = later(index, async () => {
        await fleet.kill(index);
        await sleep(wait * DOWN_MS_MAX);
        fleet.start(index);
      });
      if (killed) report.executorKills += 1;
    } else {
      const paused = later(index, async () => {
        fleet.pause(index);
        await sleep(wait * PAUSE_MS_MAX);
        fleet.wake(index);
      });
      if (paused) report.pauses += 1;
    }
  }
  await Promise.all(pending);
  over.abort();
  return { ...report, runs: await fed };
}

/** Starts runs and job runs, one after another, at whichever server answers; returns how many were started. */
async function feed({ world, seeded, work }: Chaos, signal: AbortSignal): Promise<number> {
  let started = 0;
  for (let turn = seeded.upTo(100); !signal.aborted; turn++) {
    await sleep(FEED_EVERY_MS);
    const server = world.servers[turn % world.servers.length];
    if (server === undefined || !server.isAlive) continue;
    const api = world.apiOf(server);
    const start =
      turn % 3 === 0
        ? startJobRuns(api, work.jobId, 1)
        : startRuns(api, work.taskId, 1, { connectors: work.connectors });
    started += await start.then(
      () => 1,
      () => 0,
    );
  }
  return started;
}

/** Until no run is active any more, at most 90 s. */
export async function settle(world: FaultWorld): Promise<void> {
  const isSettled = async () => {
    for (const status of ['queued', 'running', 'cancelling']) {
      const page = await world.api.get<{ result: unknown[] }>(`/api/runs?status=${status}&limit=1`);
      if (page.result.length > 0) return false;
    }
    return true;
  };
  await until('everything ends', SETTLE_MS_MAX, isSettled, SETTLE_EVERY_MS);
}
