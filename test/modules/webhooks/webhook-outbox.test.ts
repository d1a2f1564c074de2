import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { selectMarked } from '../../../src/modules/deletions/deletion-store.ts';
import { Pieces } from '../../../src/modules/deletions/pieces.ts';
import type { JobRunStatus } from '../../../src/modules/job-runs/job-run.ts';
import { insertDeliveries } from '../../../src/modules/webhooks/delivery/webhook-delivery-store.ts';
import { eventPayload } from '../../../src/modules/webhooks/webhook-event.ts';
import { sweepWebhooks } from '../../../src/modules/webhooks/webhook-retention.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { eachStore, storeSettings } from '../../support/stores.ts';
import { MANUAL, newJob, nodeOf, work } from '../job-runs/job.ts';
import { newExecutor, OPERATOR, openPlane } from '../runs/plane.ts';
import { openWebhooks, type WebhookWorld } from './webhook-world.ts';

const URL = 'http://127.0.0.1:9/';

async function eventsOf(store: Store): Promise<string[]> {
  // Those of deleted webhooks go in the background.
  const deliveries = store.read
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id');
  const rows = await deliveries.select('webhook_deliveries.event').orderBy('webhook_deliveries.id').execute();
  return rows.map((row) => row.event);
}

const piecesOf = (store: Store) => new Pieces(store, new AbortController().signal);

const PAUSED_AT = '2026-01-15T12:00:00.000Z';

/** A job run that somebody started. */
const BY_HAND = {
  trigger_id: null,
  scheduled_for: null,
  backfill_id: null,
  rerun_of: null,
  reason: 'manual',
};

async function payloadsOf(store: Store) {
  const rows = await store.read.selectFrom('webhook_deliveries').select('body').orderBy('id').execute();
  return rows.map((row) => eventPayload.parse(JSON.parse(row.body)));
}

/** Tells the outbox of the end of a job run, as the room of job runs does in its transaction. */
async function end(
  world: WebhookWorld,
  jobId: number,
  id: number,
  status: JobRunStatus,
  store = world.store,
) {
  const ended = { ...BY_HAND, id, job_id: jobId, status };
  await store.write((tx) => world.outbox.onJobRunEnded(tx, ended, Date.now()));
}

await eachStore(
  t,
  'job runs tell of their ends, and jobs of failing and recovering once',
  async (t, store) => {
    const world = openWebhooks(t, store);
    await world.newWebhook({ url: URL });
    const plane = openPlane(t, store, {}, world.outbox.onJobRunEnded);
    const executor = await newExecutor(plane);
    const job = await newJob(store, [nodeOf('a')]);
    const ids: number[] = [];
    for (const failing of [[], ['a'], ['a'], [], []]) {
      ids.push((await plane.jobRuns.start(job, MANUAL, OPERATOR)).id);
      await work(plane, executor, failing);
    }
    t.same(await eventsOf(store), [
      'job_run.succeeded',
      'job_run.failed',
      'run.failing',
      'job_run.failed',
      'job_run.succeeded',
      'run.recovered',
      'job_run.succeeded',
    ]);
    const payloads = await payloadsOf(store);
    t.match(payloads[2], {
      type: 'run.failing',
      data: { job_run_id: ids[1], job_id: job.id, job_name: job.name, status: 'error', reason: 'manual' },
    });
    t.match(payloads[5], {
      type: 'run.recovered',
      data: { job_run_id: ids[3], first_failed_job_run_id: ids[1], failed_job_runs: 2, status: 'success' },
    });
    t.notMatch(JSON.stringify(payloads), /"red"|color/, 'nothing of the configuration');
    const queued = await store.read.selectFrom('webhook_deliveries').select('event_id').execute();
    t.equal(
      new Set(queued.map((row) => row.event_id)).size,
      queued.length,
      'each event has an id of its own',
    );
  },
);

await eachStore(t, 'a job run that was cancelled neither opens an episode nor ends one', async (t, store) => {
  const world = openWebhooks(t, store);
  await world.newWebhook({ url: URL });
  const plane = openPlane(t, store, {}, world.outbox.onJobRunEnded);
  const job = await newJob(store, [nodeOf('a')]);
  const first = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await plane.jobRuns.cancel(first.id, { mode: 'force', graceMs: 0 }, OPERATOR);
  t.same(await eventsOf(store), []);
  await end(world, job.id, 2, 'error');
  await end(world, job.id, 3, 'cancelled');
  await end(world, job.id, 4, 'error');
  t.same(await eventsOf(store), ['job_run.failed', 'run.failing', 'job_run.failed']);
  await end(world, job.id, 5, 'warning');
  t.same((await eventsOf(store)).slice(3), ['job_run.succeeded', 'run.recovered'], 'a warning is a success');
});

await eachStore(t, 'where nobody wants an event nothing is written', async (t, store) => {
  const world = openWebhooks(t, store);
  const episodes = () => store.read.selectFrom('failure_episodes').selectAll().execute();
  await end(world, 1, 1, 'error');
  await end(world, 1, 2, 'success');
  const { row: other } = await world.newWebhook({ url: URL, events: ['trigger.paused'] });
  const job = await newJob(store, [nodeOf('a')]);
  const { row } = await world.newWebhook({ url: URL, events: ['run.failing'], job_ids: [job.id] });
  const disabled = await world.newWebhook({ url: URL, enabled: false });
  await end(world, job.id + 1, 3, 'error');
  t.same(await eventsOf(store), []);
  t.same(await episodes(), []);
  await end(world, job.id, 4, 'error');
  await end(world, job.id, 5, 'success');
  const written = await store.read.selectFrom('webhook_deliveries').select(['webhook_id', 'event']).execute();
  t.same(written, [{ webhook_id: row.id, event: 'run.failing' }], 'who asks for it, and nobody else');
  t.same(await episodes(), [], 'ended, though nobody asked to be told');
  t.not(other.id, disabled.row.id);
});

await eachStore(t, 'an episode ends though the last webhook has gone', async (t, store) => {
  const world = openWebhooks(t, store);
  const { row } = await world.newWebhook({ url: URL });
  await end(world, 1, 1, 'error');
  await world.webhooks.remove(row.id, null, systemActor);
  await end(world, 1, 2, 'success');
  await world.newWebhook({ url: URL });
  await end(world, 1, 3, 'error');
  t.same(await eventsOf(store), ['job_run.failed', 'run.failing'], 'so the next one is told');
});

await eachStore(t, 'a trigger that was paused is told of', async (t, store) => {
  const world = openWebhooks(t, store);
  await world.newWebhook({ url: URL, events: ['trigger.paused'] });
  const told = { trigger_id: 4, trigger_name: 'nightly', job_id: 1, reason: 'failures' } as const;
  const event = { ...told, type: 'trigger.paused', consecutive_failures: 3, job_run_id: 9 } as const;
  await store.write((tx) => world.outbox.onTriggerPaused(tx, { ...event, paused_at: Date.parse(PAUSED_AT) }));
  t.match(await payloadsOf(store), [
    {
      type: 'trigger.paused',
      timestamp: PAUSED_AT,
      data: { ...told, consecutive_failures: 3, job_run_id: 9 },
    },
  ]);
});

await eachStore(t, 'what is rolled back is told to nobody', async (t, store) => {
  const world = openWebhooks(t, store);
  await world.newWebhook({ url: URL });
  const ended = { ...BY_HAND, id: 1, job_id: 1 };
  const failing = store.write(async (tx) => {
    await world.outbox.onJobRunEnded(tx, { ...ended, status: 'error' }, Date.now());
    throw new Error('the end could not be stored');
  });
  await t.rejects(failing, { message: 'the end could not be stored' });
  t.same(await eventsOf(store), []);
  await end(world, 1, 2, 'error');
  t.same(await eventsOf(store), ['job_run.failed', 'run.failing']);
});

await eachStore(t, 'ends within one transaction see each other', async (t, store) => {
  const world = openWebhooks(t, store);
  await world.newWebhook({ url: URL, events: ['run.failing', 'run.recovered'] });
  const ended = { ...BY_HAND, id: 1, job_id: 1 };
  await store.write(async (tx) => {
    for (const status of ['error', 'error', 'success', 'error'] as const)
      await world.outbox.onJobRunEnded(tx, { ...ended, status }, Date.now());
  });
  t.same(await eventsOf(store), ['run.failing', 'run.recovered', 'run.failing']);
});

for (const kind of ['sqlite', 'postgres'] as const) {
  t.test(`however many fail at once on two control planes, one alert is told (${kind})`, async (t) => {
    const settings = await storeSettings(t, kind);
    const one = await openStore(settings, silentLogger);
    t.teardown(() => one.close());
    // An embedded store belongs to one server.
    const two = kind === 'sqlite' ? one : await openStore(settings, silentLogger);
    if (two !== one) t.teardown(() => two.close());
    const world = openWebhooks(t, one);
    await world.newWebhook({ url: URL, events: ['run.failing', 'run.recovered'] });
    for (let round = 0; round < 5; round++) {
      const ends = (status: JobRunStatus) =>
        Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            end(world, 7, round * 100 + index, status, index % 2 === 0 ? one : two),
          ),
        );
      await ends('error');
      await ends('success');
    }
    const events = await eventsOf(one);
    t.same(
      events,
      Array.from({ length: 5 }, () => ['run.failing', 'run.recovered']).flat(),
      'one of each for every episode',
    );
  });
}

await eachStore(t, 'other rooms emit into the same outbox', async (t, store) => {
  const world = openWebhooks(t, store);
  const { row } = await world.newWebhook({ url: URL, events: ['trigger.paused'] });
  const data = {
    trigger_id: 4,
    job_id: 2,
    job_name: 'orders',
    trigger_name: 'nightly',
    reason: 'failures',
    consecutive_failures: 5,
    job_run_id: 8,
  };
  await store.write((tx) => world.outbox.emit(tx, { type: 'trigger.paused', data }, Date.now()));
  t.match(await payloadsOf(store), [{ type: 'trigger.paused', data }]);
  t.match(await store.read.selectFrom('webhook_deliveries').selectAll().execute(), [{ webhook_id: row.id }]);
});

await eachStore(t, 'what waits for one webhook is bounded, and the others lose nothing', async (t, store) => {
  const world = openWebhooks(t, store);
  const { row: flooded } = await world.newWebhook({ url: URL });
  const { row: other } = await world.newWebhook({ url: URL });
  for (let index = 0; index < 5; index++) await world.queueTest(flooded.id);
  for (let index = 0; index < 3; index++) await world.queueTest(other.id);
  await sweepWebhooks(store, piecesOf(store), 3);
  const rows = await store.read
    .selectFrom('webhook_deliveries')
    .select(['webhook_id', 'status', 'error'])
    .orderBy('id')
    .execute();
  const statusesOf = (id: number) => rows.filter((one) => one.webhook_id === id).map((one) => one.status);
  t.same(statusesOf(flooded.id), ['pending', 'pending', 'pending', 'failed', 'failed']);
  t.same(statusesOf(other.id), ['pending', 'pending', 'pending']);
  t.match(rows[4], { error: 'More than 3 events waited for the webhook' });
});

await eachStore(t, 'what ended long ago is deleted, and what waits is not', async (t, store) => {
  const world = openWebhooks(t, store);
  const { row } = await world.newWebhook({ url: URL });
  const ids: number[] = [];
  for (let index = 0; index < 5; index++) ids.push(await world.queueTest(row.id));
  const day = 86_400_000;
  const ended = [
    ['delivered', 8],
    ['delivered', 6],
    ['failed', 31],
    ['failed', 29],
  ] as const;
  await store.write(async (tx) => {
    for (const [index, [status, days]] of ended.entries())
      await tx
        .updateTable('webhook_deliveries')
        .set({ status, ended_at: Date.now() - days * day })
        .where('id', '=', ids[index] ?? 0)
        .execute();
  });
  await end(world, 999, 1, 'error');
  const late = { webhook_id: 9_999, event_id: 'late', event: 'job_run.failed', body: '{}' };
  await store.write((tx) => insertDeliveries(tx, [late], 1));
  await sweepWebhooks(store, piecesOf(store));
  t.same(await selectMarked(store.read, 'webhook', 10), [9_999], 'came after its webhook was deleted');
  const left = await store.read
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('event', '=', 'webhook.test')
    .orderBy('id')
    .execute();
  t.same(
    left.map((one) => one.id),
    [ids[1], ids[3], ids[4]],
  );
  t.same(await store.read.selectFrom('failure_episodes').selectAll().execute(), [], 'its job is no more');
});
