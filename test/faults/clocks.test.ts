import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { makeSmallJob } from '../support/load-jobs.ts';
import { endScene, loadScene, lostAttempts } from '../support/load-scene.ts';
import { until } from '../support/served.ts';
import { changeState } from '../support/state-change.ts';

const AHEAD = `--import=${pathToFileURL(join(import.meta.dirname, '../support/shifted-clock-main.ts')).href}`;
const MINUTE_MS = 60_000;

t.setTimeout(300_000);

t.test('executors whose clock is an hour ahead keep their leases', ofFullList, async (t) => {
  const world = await startWorld(t);
  const scene = await loadScene(t, world, { nodeOptions: AHEAD });
  await endScene(t, scene);
  t.equal(await lostAttempts(world), 0);
});

for (const kind of ['sqlite', 'postgres'] as const) {
  t.test(
    `a control plane whose clock is an hour ahead of its store’s loses no run (${kind})`,
    ofFullList,
    async (t) => {
      const world = await startWorld(t, { kind });
      const [server] = world.servers;
      await server?.kill();
      await server?.mustStart({ NODE_OPTIONS: AHEAD });
      const scene = await loadScene(t, world);
      await endScene(t, scene);
      t.equal(await lostAttempts(world), 0);
    },
  );
}

t.test(
  'times that were missed while no server was there: none, the latest, or all, as each trigger wants',
  ofFullList,
  async (t) => {
    const world = await startWorld(t);
    const [server] = world.servers;
    const { jobId } = await makeSmallJob(world.api);
    // The newest missed time is five minutes ago: one of this minute would just be late.
    const offset = (new Date().getUTCMinutes() + 5) % 10;
    const minutes = [0, 10, 20, 30, 40, 50].map((ten) => ten + offset).join(',');
    const trigger = (catchup: string) =>
      world.api.post<{ id: number }>(`/api/jobs/${jobId}/triggers`, {
        name: catchup,
        cron: `${minutes} * * * *`,
        overlap: 'allow',
        catchup,
      });
    const wanted = new Map([
      [(await trigger('none')).id, 0],
      [(await trigger('latest')).id, 1],
      [(await trigger('all')).id, 6],
    ]);
    await server?.kill();
    const newest = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 5 * MINUTE_MS;
    const due = newest - 50 * MINUTE_MS;
    await changeState(world.state, `update triggers set next_run_at = ${due}`);
    await server?.mustStart();
    const { read } = await world.openStore();
    for (const [id, count] of wanted) {
      await until(`trigger ${id} is up to date`, 20_000, async () => {
        const row = await read
          .selectFrom('triggers')
          .select('next_run_at')
          .where('id', '=', id)
          .executeTakeFirst();
        return (row?.next_run_at ?? 0) > Date.now();
      });
      const runs = await read
        .selectFrom('job_runs')
        .select('scheduled_for')
        .where('trigger_id', '=', id)
        .execute();
      t.equal(new Set(runs.map((row) => row.scheduled_for)).size, runs.length);
      t.equal(runs.length, count, `${count} of six`);
    }
  },
);
