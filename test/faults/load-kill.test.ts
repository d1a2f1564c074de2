import t, { type Test } from 'tap';
import { playChaos, settle, warmUp } from '../support/chaos.ts';
import { fewOrMany, ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { takePins } from '../support/history-pins.ts';
import { proveHistory } from '../support/history-proof.ts';
import { makeLoadJob } from '../support/load-jobs.ts';
import { lostAttempts } from '../support/load-scene.ts';
import { seeded } from '../support/seed.ts';
import type { StoreKind } from '../support/stores.ts';

const CHAOS_MS = fewOrMany(0, 20_000);
/** The password of a connector, which the executors log in every form; the server takes it out. */
const SECRET = 'pl@nted s3cret/of "many" f0rms';
/** Each in a process of its own, to be killed by itself. */
const EXECUTORS = 8;

async function survive(t: Test, kind: StoreKind, servers: number): Promise<void> {
  const random = seeded(t);
  const world = await startWorld(t, { kind, servers });
  const work = await makeLoadJob(world.api, 'load', SECRET);
  const pins = await takePins((await world.openStore()).read);
  const fleet = world.fleet({
    // A binding is nothing that an executor keeps: it comes back over the other one.
    addresses: world.servers.flatMap((server) => [server.grpcAddress, server.url]),
    seed: random.seed,
    processes: EXECUTORS,
    executorsPerProcess: 1,
    linesPerRun: 500,
    linesPerSecondMax: 500,
    faultShare: 0.2,
    failShare: 0.1,
    secret: SECRET,
    connectorTypes: ['postgres'],
  });
  const chaos = { world, fleet, seeded: random, work };
  await warmUp(chaos);
  const report = await playChaos(chaos, CHAOS_MS);
  await settle(world);
  await fleet.stop();
  const lost = await lostAttempts(world);
  t.comment(JSON.stringify({ ...report, ...fleet.figures, lost, ackMs: undefined }));
  t.ok(report.serverKills + report.executorKills > 0, 'something was killed');
  await proveHistory(t, world, { seed: random.seed, pins, secret: SECRET });
}

t.setTimeout(2 * CHAOS_MS + 400_000);

t.test(
  'one control plane on SQLite and eight executors, killed at random: nothing is lost, nothing twice',
  ofFullList,
  (t) => survive(t, 'sqlite', 1),
);

t.test(
  'two control planes on PostgreSQL and eight executors, killed at random: nothing is lost, nothing twice',
  ofFullList,
  (t) => survive(t, 'postgres', 2),
);
