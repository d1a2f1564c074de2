// Own process: the package that starts its PostgreSQL listens to the process's signals.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { endScene, loadScene } from '../support/load-scene.ts';
import { OwnPostgres } from '../support/own-postgres.ts';
import { until } from '../support/served.ts';

t.setTimeout(300_000);

t.test(
  'PostgreSQL is killed and comes back, twice: the servers stay, and go on by themselves',
  ofFullList,
  async (t) => {
    const postgres = await OwnPostgres.start(t);
    const world = await startWorld(t, { url: postgres.url, servers: 2 });
    const scene = await loadScene(t, world);
    for (let times = 0; times < 2; times++) {
      await postgres.kill();
      await sleep(1_500);
      const live = await fetch(`${world.servers[0]?.url}/api/health`);
      t.equal(live.status, 200, 'it lives without its store');
      await postgres.start();
      await until('it is ready again', 20_000, async () => {
        const ready = await fetch(`${world.servers[0]?.url}/api/health/ready`).catch(() => null);
        return ready?.status === 200 || (await ready?.text())?.includes('"store":"ok"');
      });
      await sleep(2_000);
    }
    for (const server of world.servers) t.ok(server.isAlive, 'the server has not died');
    await endScene(t, scene);
  },
);

t.test(
  'PostgreSQL hangs for longer than a lease: nobody is told what is not durable',
  ofFullList,
  async (t) => {
    const postgres = await OwnPostgres.start(t);
    const world = await startWorld(t, { url: postgres.url, servers: 2 });
    const scene = await loadScene(t, world);
    postgres.hang();
    await sleep(5_000);
    const before = performance.now();
    const live = await fetch(`${world.servers[0]?.url}/api/health`);
    t.equal(live.status, 200);
    t.ok(performance.now() - before < 2_000, 'it answers that it lives');
    await sleep(3_000);
    postgres.wake();
    for (const server of world.servers)
      await until('its store answers again', 20_000, async () =>
        (await (await fetch(`${server.url}/api/health/ready`)).text()).includes('"store":"ok"'),
      );
    for (const server of world.servers) t.ok(server.isAlive);
    await endScene(t, scene);
  },
);

t.test(
  'with a pool of two connections, and strangers on all the others, the work is slow and right',
  ofFullList,
  async (t) => {
    const postgres = await OwnPostgres.start(t);
    const world = await startWorld(t, { url: postgres.url, servers: 2 });
    const scene = await loadScene(t, world);
    const strangers: pg.Client[] = [];
    t.teardown(() => Promise.all(strangers.map((client) => client.end().catch(() => undefined))));
    for (;;) {
      const client = new pg.Client({ connectionString: postgres.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch {
        break;
      }
      strangers.push(client);
    }
    t.ok(strangers.length > 3, `${strangers.length} strangers`);
    await world.servers[1]?.kill();
    // The connections of the killed server are taken by strangers too, before it is back.
    await sleep(3_000);
    await Promise.all(strangers.splice(0).map((client) => client.end()));
    await world.servers[1]?.mustStart();
    await endScene(t, scene);
  },
);
