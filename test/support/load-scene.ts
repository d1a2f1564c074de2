import type { Test } from 'tap';
import type { FleetSettings, LoadFleet } from '../../bench/support/load-fleet.ts';
import { settle } from './chaos.ts';
import type { FaultWorld } from './fault-world.ts';
import { type Pins, takePins } from './history-pins.ts';
import { proveHistory } from './history-proof.ts';
import { type LoadJob, makeLoadJob, startRuns } from './load-jobs.ts';
import { seeded } from './seed.ts';
import { until } from './served.ts';

export interface LoadScene {
  readonly world: FaultWorld;
  readonly work: LoadJob;
  readonly fleet: LoadFleet;
  readonly seed: number;
  readonly pins: Pins;
}

const WORKING_MS_MAX = 90_000;

/** Four executors in two processes, all in the middle of their runs, with more waiting. */
export async function loadScene(
  t: Test,
  world: FaultWorld,
  settings: Partial<FleetSettings> = {},
): Promise<LoadScene> {
  const { seed } = seeded(t);
  const work = await makeLoadJob(world.api);
  const pins = await takePins((await world.openStore()).read);
  const fleet = world.fleet({
    seed,
    processes: 2,
    executorsPerProcess: 2,
    linesPerRun: 1_500,
    linesPerSecondMax: 500,
    faultShare: 0.1,
    ...settings,
  });
  await startRuns(world.api, work.taskId, 12);
  await until('all executors work', WORKING_MS_MAX, async () => fleet.working === fleet.size);
  return { world, work, fleet, seed, pins };
}

/** The fault is over: everything ends, and every invariant holds. */
export async function endScene(t: Test, scene: LoadScene): Promise<void> {
  await settle(scene.world);
  await scene.fleet.stop();
  await proveHistory(t, scene.world, { seed: scene.seed, pins: scene.pins });
}

/** Attempts that ended as lost with their executor. */
export async function lostAttempts(world: FaultWorld): Promise<number> {
  const { read } = await world.openStore();
  const rows = await read.selectFrom('run_attempts').select('run_id').where('outcome', '=', 'lost').execute();
  return rows.length;
}
