import t from 'tap';
import { selectLatestRuns } from '../../../src/modules/dashboard-widgets/latest-runs.ts';
import { eachStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';

const pool = await startWorkerPool(t, {});

await eachStore(t, 'a task that is started seldom keeps its newest run', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId } = await seedJob(app, {});
  await app.as('operator').post(`/api/jobs/${jobId}/runs`);
  const made = await store.read.selectFrom('runs').selectAll().executeTakeFirstOrThrow();
  const { id: _, ...like } = made;
  const runsOf = (task_key: string, count: number) =>
    store.write((tx) =>
      tx
        .insertInto('runs')
        .values(Array.from({ length: count }, () => ({ ...like, job_run_id: null, task_key })))
        .execute(),
    );
  await runsOf('weekly', 2);
  for (let n = 0; n < 6; n++) await runsOf('hourly', 50);
  await runsOf('say', 1);

  const keys = ['say', 'hourly', 'weekly', 'never'];
  const latest = await selectLatestRuns(store.read, jobId, keys);
  t.same(
    latest.map(({ task_key, id }) => [task_key, id - made.id]),
    [
      ['say', 303],
      ['hourly', 302],
      ['weekly', 2],
    ],
  );
});
