import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import t, { type Test } from 'tap';
import { settle } from '../support/chaos.ts';
import { fewOrMany, ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { checkHistory } from '../support/history.ts';
import { startReceiver } from '../support/http-receiver.ts';
import { makeSmallJob, startJobRuns } from '../support/load-jobs.ts';
import { seeded } from '../support/seed.ts';
import { until } from '../support/served.ts';
import { changeState } from '../support/state-change.ts';
import type { StoreKind } from '../support/stores.ts';

const KILLS = fewOrMany(0, 4);
const JOB_RUNS_EACH = 20;
/** So often is what failed made due: of seven attempts one fails. */
const DUE_EVERY_MS = 500;
const SENT_MS_MAX = 120_000;
const ANSWER_MS = 40;

/** `kill -9` while it sends: each event arrives, signed, under one id, with one body, however often it is sent. */
async function survive(t: Test, kind: StoreKind): Promise<void> {
  const random = seeded(t);
  const receiver = await startReceiver(t);
  receiver.answer = async (response, _request, index) => {
    await sleep(ANSWER_MS);
    // Some attempts fail: those are tried again, under the same id.
    response.writeHead(index % 7 === 3 ? 503 : 204).end();
  };
  const settings = { SVC_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` };
  const world = await startWorld(t, { kind, settings });
  const [server] = world.servers;
  if (server === undefined) throw new Error('no server');
  const hook = await world.api.post<{ id: number; secret: string }>('/api/webhooks', {
    name: 'hook',
    events: '*',
    url: receiver.url,
  });
  const { jobId } = await makeSmallJob(world.api);
  const fleet = world.fleet({
    seed: random.seed,
    processes: 1,
    executorsPerProcess: 2,
    linesPerRun: 5,
    faultShare: 0.1,
  });
  const dueNow = (which = '') =>
    changeState(
      world.state,
      `update webhook_deliveries set next_attempt_at = 1 where webhook_id = ${hook.id} and status = 'pending'${which}`,
    );
  for (let kill = 0; kill < KILLS; kill++) {
    await startJobRuns(world.api, jobId, JOB_RUNS_EACH);
    const before = receiver.received.length;
    await until('something is sent', 60_000, async () => receiver.received.length > before + 2);
    await sleep(random.upTo(400));
    await server.kill();
    await dueNow();
    await server.mustStart();
  }
  await settle(world);
  await fleet.stop();
  const store = await world.openStore();
  const unsent = async () => {
    const pending = store.read.selectFrom('webhook_deliveries').select('id').where('status', '=', 'pending');
    return (await pending.execute()).length;
  };
  await until(
    'everything is sent',
    SENT_MS_MAX,
    async () => {
      // What is on its way just now is left alone.
      await dueNow(' and lease_token is null');
      return (await unsent()) === 0;
    },
    DUE_EVERY_MS,
  );

  const deliveries = await store.read.selectFrom('webhook_deliveries').selectAll().execute();
  t.ok(deliveries.every(({ status }) => status === 'delivered'));
  const byId = new Map(deliveries.map((one) => [one.event_id, one]));
  const arrived = new Map<string, number>();
  for (const { headers, body } of receiver.received) {
    const id = String(headers['webhook-id']);
    t.equal(body, byId.get(id)?.body, 'one id, one body');
    new Webhook(hook.secret).verify(body, headers as Record<string, string>);
    arrived.set(id, (arrived.get(id) ?? 0) + 1);
  }
  t.equal(arrived.size, deliveries.length, 'every event has arrived, and none that was never written');
  t.comment(`${deliveries.length} events, ${receiver.received.length} attempts`);
  const told = deliveries.flatMap(({ event, body }) =>
    event === 'job_run.succeeded' || event === 'job_run.failed'
      ? [(JSON.parse(body) as { data: { job_run_id: number } }).data.job_run_id]
      : [],
  );
  const ended = await store.read
    .selectFrom('job_runs')
    .select('id')
    .where('status', 'in', ['success', 'warning', 'error'])
    .execute();
  t.same(
    told.sort((a, b) => a - b),
    ended.map(({ id }) => id).sort((a, b) => a - b),
    'each job run that ended is told of once',
  );
  await t.resolves(checkHistory(store.read));
}

t.setTimeout(600_000);

t.test('killed while it sends webhooks, the control plane loses none (SQLite)', ofFullList, (t) =>
  survive(t, 'sqlite'),
);

t.test('killed while it sends webhooks, the control plane loses none (PostgreSQL)', ofFullList, (t) =>
  survive(t, 'postgres'),
);
