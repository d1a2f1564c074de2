import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { PROTOCOL_VERSION } from '../../src/protocol/control-plane.ts';
import { EXECUTOR_KEY } from '../support/crash-server.ts';
import { ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { startRuns } from '../support/load-jobs.ts';
import { endScene, loadScene } from '../support/load-scene.ts';
import { until } from '../support/served.ts';

const NEW_KEY = 'e07b61f2c4d84a3f9b5d20c7a1e6f398';

t.setTimeout(300_000);

t.test(
  'the executor key is rotated in the middle of work: the old one works beside the new one, then no more',
  ofFullList,
  async (t) => {
    const world = await startWorld(t);
    const [server] = world.servers;
    const scene = await loadScene(t, world, { linesPerRun: 500 });
    await server?.kill();
    await server?.mustStart({ SVC_EXECUTOR_KEY: NEW_KEY, SVC_EXECUTOR_PREVIOUS_KEY: EXECUTOR_KEY });
    const before = scene.fleet.figures.completed;
    await until('the old key still works', 30_000, async () => scene.fleet.figures.completed > before + 2);
    await server?.kill();
    await server?.mustStart({ SVC_EXECUTOR_KEY: NEW_KEY });
    await sleep(1_500);
    const [late] = await startRuns(world.api, scene.work.taskId, 1);
    await sleep(2_000);
    const run = await world.api.get<{ status: string }>(`/api/runs/${late}`);
    t.equal(run.status, 'queued', 'nobody with the old key takes it');
    world.fleet({
      seed: scene.seed,
      processes: 1,
      executorsPerProcess: 2,
      linesPerRun: 500,
      key: NEW_KEY,
      name: 'new',
    });
    await endScene(t, scene);
  },
);

t.test('executors of the version before work beside those of this one', ofFullList, async (t) => {
  const world = await startWorld(t);
  const scene = await loadScene(t, world, { protocolVersion: PROTOCOL_VERSION - 1 });
  world.fleet({
    seed: scene.seed,
    processes: 1,
    linesPerRun: 500,
    name: 'new',
  });
  await endScene(t, scene);
});
