import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type DefinitionsOptions } from '../jobs/definitions-app.ts';
import { type JobSeed, seedJob } from '../jobs/seed-job.ts';

/** A shared dashboard whose connectors may use `folder`, and the path of its link. */
export async function shareOne(
  t: Test,
  store: Store,
  folder: string,
  seed: JobSeed,
  options: DefinitionsOptions = {},
) {
  const pool = await startWorkerPool(t, { fileRoots: [folder] });
  const app = await createDefinitionsApp(t, store, pool, options);
  const { dashboardIds } = await seedJob(app, seed);
  const dashboard = `/api/dashboards/${dashboardIds[0]}`;
  const { body } = await app.as('editor').post<{ share_token: string }>(`${dashboard}/share`);
  return { ...app, dashboard, link: `/api/public/dashboards/${body.share_token}` };
}
