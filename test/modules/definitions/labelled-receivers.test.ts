import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { MANUAL, newJob, nodeOf, work } from '../job-runs/job.ts';
import { newExecutor, OPERATOR, openPlane } from '../runs/plane.ts';
import { openWebhooks } from '../webhooks/webhook-world.ts';

const URL = 'http://127.0.0.1:9/';

await eachStore(
  t,
  'a receiver of a label is told of jobs that have it, and of no other',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const [labelled, other] = [await newJob(store, [nodeOf('a')]), await newJob(store, [nodeOf('a')])];
    await store.write((tx) =>
      tx.updateTable('jobs').set({ labels_json: '{"team":"sales"}' }).where('id', '=', labelled.id).execute(),
    );
    await world.newWebhook({ name: 'sales', url: URL, labels: ['team:sales'] });
    await world.newWebhook({ name: 'any team', url: URL, labels: ['team'] });
    await world.newWebhook({ name: 'ops', url: URL, labels: ['team:ops', 'region'] });
    await world.newWebhook({ name: 'one job', url: URL, job_ids: [other.id] });
    const plane = openPlane(t, store, {}, world.outbox.onJobRunEnded);
    const executor = await newExecutor(plane);
    for (const job of [labelled, other]) {
      await plane.jobRuns.start(job, MANUAL, OPERATOR);
      await work(plane, executor, ['a']);
    }
    const told = await store.read
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .select(['webhooks.name', 'webhook_deliveries.body'])
      .where('webhook_deliveries.event', '=', 'job_run.failed')
      .orderBy('webhook_deliveries.id')
      .execute();
    const jobIdOf = (body: string) => (JSON.parse(body) as { data: { job_id: number } }).data.job_id;
    t.same(
      told.map(({ name, body }) => [name, jobIdOf(body)]),
      [
        ['sales', labelled.id],
        ['any team', labelled.id],
        ['one job', other.id],
      ],
    );
  },
);
