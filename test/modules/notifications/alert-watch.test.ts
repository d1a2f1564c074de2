import { CompiledQuery } from 'kysely';
import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { AlertWatch } from '../../../src/modules/notifications/alerts/alert-watch.ts';
import { selectOpenLetters } from '../../../src/modules/notifications/alerts/open-alert-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { statementsOf } from '../../support/query-plans.ts';
import { eachStore } from '../../support/stores.ts';
import { newJob, nodeOf } from '../job-runs/job.ts';
import { newExecutor, openPlane } from '../runs/plane.ts';
import { openWebhooks, type WebhookWorld } from '../webhooks/webhook-world.ts';
import { openChannels } from './channel-world.ts';

const AWAY_MS = 90_000;
const MINUTE_MS = 60_000;

function watchOf(world: WebhookWorld): AlertWatch {
  const { emitTo } = world.outbox;
  return new AlertWatch({ ...world, logger: silentLogger, emitTo, wake: () => {}, awayMs: AWAY_MS });
}

/** What each receiver was told, in the order of telling. */
async function toldIn({ store }: WebhookWorld) {
  const rows = await store.read
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhooks.name', 'webhook_deliveries.event', 'webhook_deliveries.body'])
    .orderBy('webhook_deliveries.id')
    .execute();
  return rows.map(({ name, event, body }) => {
    const { data } = JSON.parse(body) as { data: Record<string, unknown> };
    return { name, event, data };
  });
}

async function templateOf({ read }: Store, jobId: number): Promise<number> {
  const row = read.selectFrom('jobs').select('job_template_id').where('id', '=', jobId);
  return (await row.executeTakeFirstOrThrow()).job_template_id;
}

async function newTrigger(store: Store, jobId: number, name: string, next_run_at: number): Promise<number> {
  const { id } = await store.write((tx) =>
    tx
      .insertInto('triggers')
      .values({
        ...{ job_id: jobId, name, cron: '0 * * * *', timezone: 'UTC', enabled: 1, overlap: 'skip' },
        ...{ catchup: 'none', next_run_at, last_fired_at: null, last_run_id: null, version: 1 },
        ...{ missed_count: 0, skipped_count: 0, created_at: 1, updated_at: 1 },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}

let seq = 0;
async function addLetters(store: Store, jobId: number, count: number): Promise<void> {
  const letters = Array.from({ length: count }, () => {
    seq += 1;
    const told = { code: 'VALIDATION_ERROR', message: 'no', item_json: '{}', created_at: 1 };
    return { run_id: 1, job_id: jobId, attempt: 1, seq, step_id: 'load', status: 'open', ...told };
  });
  await store.write((tx) => tx.insertInto('dead_letters').values(letters).execute());
}

await eachStore(
  t,
  'a late job is told to those that want it or its template, until it ran',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const [late, other] = [await newJob(store, [nodeOf('a')]), await newJob(store, [nodeOf('a')])];
    const url = 'http://127.0.0.1:9/';
    const events = ['job.late'] as const;
    await world.newWebhook({ name: 'all', url, events });
    await world.newWebhook({
      name: 'template',
      url,
      events,
      template_ids: [await templateOf(store, late.id)],
    });
    await world.newWebhook({ name: 'other', url, events, template_ids: [await templateOf(store, other.id)] });
    await store.write((tx) =>
      tx.updateTable('jobs').set({ labels_json: '{"team":"sales"}' }).where('id', '=', late.id).execute(),
    );
    await world.newWebhook({ name: 'label', url, events, labels: ['team:sales'] });
    await world.newWebhook({ name: 'other label', url, events, labels: ['team:ops'] });
    await world.newWebhook({ name: 'letters', url, events: ['dead_letters.exceeded'] });
    const due = Date.now() - 10 * MINUTE_MS;
    const trigger_id = await newTrigger(store, late.id, 'nightly', due);
    await newTrigger(store, other.id, 'soon', Date.now() + MINUTE_MS);
    const watch = watchOf(world);
    t.equal(await watch.look(), 3);
    t.equal(await watch.look(), 0, 'once');
    const data = {
      ...{ trigger_id, trigger_name: 'nightly', job_id: late.id, job_name: late.name, job_run_id: null },
      ...{ reason: 'not_fired', due_at: new Date(due).toISOString() },
    };
    t.match(await toldIn(world), [
      { name: 'all', event: 'job.late', data },
      { name: 'template', event: 'job.late', data },
      { name: 'label', event: 'job.late', data },
    ]);
    const next = (next_run_at: number) =>
      store.write((tx) =>
        tx.updateTable('triggers').set({ next_run_at }).where('id', '=', trigger_id).execute(),
      );
    await next(Date.now() + MINUTE_MS);
    t.equal(await watch.look(), 0);
    await next(due);
    t.equal(await watch.look(), 3, 'when it is late again');
  },
);

await eachStore(
  t,
  'many open dead letters are told to each receiver above its own bound',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const [much, few] = [await newJob(store, [nodeOf('a')]), await newJob(store, [nodeOf('a')])];
    const wanted = { url: 'http://127.0.0.1:9/', events: ['dead_letters.exceeded'] as const };
    await world.newWebhook({ ...wanted, name: 'over 2', dead_letters_over: 2 });
    await world.newWebhook({ ...wanted, name: 'over 4', dead_letters_over: 4 });
    await world.newWebhook({ ...wanted, name: 'over 9', dead_letters_over: 9 });
    await world.newWebhook({ ...wanted, name: 'few', dead_letters_over: 0, job_ids: [few.id] });
    const watch = watchOf(world);
    await addLetters(store, much.id, 2);
    t.equal(await watch.look(), 0, 'as many as the bound are not over it');
    await addLetters(store, much.id, 5);
    t.equal(await watch.look(), 2);
    const ofJob = { job_id: much.id, job_name: much.name, open: 7 };
    t.match(await toldIn(world), [
      { name: 'over 2', event: 'dead_letters.exceeded', data: { ...ofJob, over: 2 } },
      { name: 'over 4', event: 'dead_letters.exceeded', data: { ...ofJob, over: 4 } },
    ]);
    t.equal(await watch.look(), 0, 'once');
    const discard = (jobId: number) =>
      store.write((tx) =>
        tx.updateTable('dead_letters').set({ status: 'discarded' }).where('job_id', '=', jobId).execute(),
      );
    await discard(much.id);
    t.equal(await watch.look(), 0);
    await addLetters(store, much.id, 3);
    t.equal(await watch.look(), 1, 'again, where it is over the bound again');
  },
);

await eachStore(
  t,
  'open dead letters are counted no further than bounds need, by an index',
  async (t, store) => {
    const job = await newJob(store, [nodeOf('a')]);
    await newJob(store, [nodeOf('a')]);
    await addLetters(store, job.id, 40);
    const counted = await selectOpenLetters(store.read, { lowest: 3, highest: 9 });
    t.match(counted, [{ job_id: job.id, job_name: job.name, open: 10 }]);
    t.equal(counted.length, 1);
    t.same(await selectOpenLetters(store.read, { lowest: 40, highest: 40 }), []);
    if (store.dialect.name !== 'sqlite') return;
    const bounds = { lowest: 3, highest: 9 };
    const [statement] = await statementsOf(store.read, (db) => selectOpenLetters(db, bounds));
    if (statement === undefined) throw new Error('nothing was read');
    const plan = await store.read.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${statement.sql}`, [...statement.parameters]),
    );
    const steps = plan.rows.map(({ detail }) => detail).filter((detail) => detail.includes('dead_letters'));
    t.ok(steps.length > 0);
    for (const step of steps)
      t.match(step, /SEARCH .* USING COVERING INDEX dead_letters_job_status \(job_id=\? AND status=\?\)/);
  },
);

await eachStore(t, 'a lost executor is told to each receiver once, until it is back', async (t, store) => {
  const world = openWebhooks(t, store);
  const { channels } = openChannels(world);
  const wanted = { name: 's', events: ['executor.lost'] as const, url: 'http://127.0.0.1:9/' };
  await channels.create('slack', wanted, systemActor);
  await world.newWebhook({ url: 'http://127.0.0.1:9/' });
  const job = await newJob(store, [nodeOf('a')]);
  await channels.create('teams', { ...wanted, job_ids: [job.id] }, systemActor);
  await newExecutor(openPlane(t, store));
  const [one, two] = [watchOf(world), watchOf(world)];
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
