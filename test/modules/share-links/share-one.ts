import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import type { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type DefinitionsOptions } from '../jobs/definitions-app.ts';
import { type JobSeed, seedJob } from '../jobs/seed-job.ts';

export interface ShareOneOptions extends DefinitionsOptions {
  /** Default: one of its own, whose connectors may use `folder`. One that is shared knows documents by id and version. */
  readonly pool?: WorkerPool;
}

/** A shared dashboard whose connectors may use `folder`, and the path of its link. */
export async function shareOne(
  t: Test,
  store: Store,
  folder: string,
  seed: JobSeed,
  { pool, ...options }: ShareOneOptions = {},
) {
  const app = await createDefinitionsApp(
    t,
    store,
    pool ?? (await startWorkerPool(t, { fileRoots: [folder] })),
    { storedDashboards: true, ...options },
  );
  const { dashboardIds, jobId } = await seedJob(app, seed);
  const dashboard = `/api/dashboards/${dashboardIds[0]}`;
  const { body } = await app.as('editor').post<{ share_token: string }>(`${dashboard}/share`);
  return { ...app, dashboard, job: `/api/jobs/${jobId}`, link: `/api/public/dashboards/${body.share_token}` };
}
