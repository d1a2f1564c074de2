import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { AlertWatch } from '../../../src/modules/notifications/alerts/alert-watch.ts';
import { eachStore } from '../../support/stores.ts';
import { newJob, nodeOf } from '../job-runs/job.ts';
import { newExecutor, openPlane } from '../runs/plane.ts';
import { openWebhooks } from '../webhooks/webhook-world.ts';
import { openChannels } from './channel-world.ts';

const AWAY_MS = 90_000;

await eachStore(t, 'a lost executor is told to each receiver once, until it is back', async (t, store) => {
  const world = openWebhooks(t, store);
  const { channels } = openChannels(world);
  const wanted = { name: 's', events: ['executor.lost'] as const, url: 'http://127.0.0.1:9/' };
  await channels.create('slack', wanted, systemActor);
  await world.newWebhook({ url: 'http://127.0.0.1:9/' });
  const job = await newJob(store, [nodeOf('a')]);
  await channels.create('teams', { ...wanted, job_ids: [job.id] }, systemActor);
  await newExecutor(openPlane(t, store));
  const deps = {
    ...world,
    logger: silentLogger,
    emitTo: world.outbox.emitTo,
    wake: () => {},
    awayMs: AWAY_MS,
  };
  const [one, two] = [new AlertWatch(deps), new AlertWatch(deps)];
  t.equal(await one.look(), 0, 'while it is there, nobody is told');
  const silent = (ms: number) =>
    store.write((tx) =>
      tx
        .updateTable('executors')
        .set({ last_seen_at: Date.now() - ms })
        .execute(),
    );
  await silent(2 * AWAY_MS);
  const told = await Promise.all([one.look(), two.look()]);
  t.equal(told[0] + told[1], 2, 'a channel and a webhook, by one of two servers');
  t.equal(await one.look(), 0, 'and not again');
  await silent(0);
  t.equal(await two.look(), 0);
  await silent(2 * AWAY_MS);
  t.equal(await one.look(), 2, 'when it is lost again');
  const sent = await store.read.selectFrom('webhook_deliveries').select('event').execute();
  t.same(new Set(sent.map(({ event }) => event)), new Set(['executor.lost']));
});
