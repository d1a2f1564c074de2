import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { LEASE_TTL_MS, startWorld } from '../support/fault-world.ts';
import { endScene, loadScene, lostAttempts } from '../support/load-scene.ts';
import { type LinkMode, TcpProxy } from '../support/tcp-proxy.ts';

/** After so long without a word a run goes back to the queue. */
const LOST_MS = 3 * LEASE_TTL_MS;
const SWEEP_MS = 2_000;

t.setTimeout(400_000);

t.test(
  'behind a link that swallows everything, executors are given up, and come back to stale leases',
  ofFullList,
  async (t) => {
    const world = await startWorld(t);
    const proxy = await TcpProxy.start(t, world.servers[0]?.grpcAddress ?? '');
    const scene = await loadScene(t, world, { addresses: [proxy.address] });
    proxy.set('swallow');
    await sleep(LOST_MS + SWEEP_MS);
    t.ok((await lostAttempts(world)) > 0, 'their runs were given up');
    proxy.set('pass');
    await endScene(t, scene);
  },
);

for (const mode of ['swallow_up', 'swallow_down'] satisfies LinkMode[]) {
  t.test(`on a half-open link (${mode}) nobody believes what was not acknowledged`, ofFullList, async (t) => {
    const world = await startWorld(t);
    const proxy = await TcpProxy.start(t, world.servers[0]?.grpcAddress ?? '');
    const scene = await loadScene(t, world, { addresses: [proxy.address] });
    proxy.set(mode);
    await sleep(LOST_MS / 2);
    proxy.set('pass');
    await sleep(2_000);
    proxy.set(mode);
    await sleep(LOST_MS + SWEEP_MS);
    proxy.set('pass');
    await endScene(t, scene);
  });
}

t.test(
  'on a slow link that is cut again and again the work goes on, and no run is lost',
  ofFullList,
  async (t) => {
    const world = await startWorld(t);
    const proxy = await TcpProxy.start(t, world.servers[0]?.grpcAddress ?? '');
    proxy.delayMs = 40;
    const scene = await loadScene(t, world, { addresses: [proxy.address] });
    for (let cuts = 0; cuts < 8; cuts++) {
      await sleep(1_000);
      proxy.cut();
    }
    t.equal(await lostAttempts(world), 0);
    await endScene(t, scene);
  },
);

t.test(
  'a control plane that was down for two leases and their grace calls nothing lost',
  ofFullList,
  async (t) => {
    // Longer than what a client may wait between two tries to connect.
    const ttl = 10_000;
    const world = await startWorld(t, { settings: { SVC_TEST_LEASE_TTL_MS: String(ttl) } });
    const [server] = world.servers;
    const scene = await loadScene(t, world);
    await server?.kill();
    await sleep(3 * ttl + 2_000);
    await server?.mustStart();
    await endScene(t, scene);
    t.equal(await lostAttempts(world), 0);
  },
);
