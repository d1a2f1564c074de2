import t from 'tap';
import { registerRunRoutes } from '../../../src/modules/runs/run-routes.ts';
import { createTestApp } from '../../support/app.ts';
import { everyPage } from '../../support/every-page.ts';
import { eachStore } from '../../support/stores.ts';
import { completionOf, newExecutor, openPlane, startedRun } from './plane.ts';

await eachStore(t, 'the steps of a run come in pages, in their order', async (t, store) => {
  const plane = openPlane(t, store);
  const served = await createTestApp(t, (app) => registerRunRoutes(app, { store, runs: plane.runs }));
  const lease = await startedRun(plane, await newExecutor(plane));
  const rows = {
    rows_in: 0,
    rows_out: 0,
    rows_failed: 0,
    rows_skipped: 0,
    rows_filtered: 0,
    rows_deleted: 0,
  };
  const steps = ['read', 'check', 'load'].map((step_id) => ({
    step_id,
    kind: 'log',
    status: 'success' as const,
    ...rows,
    started_at: 1,
    ended_at: 2,
    attempts: 1,
    error: '',
    cursor: null,
    schema_changes: [],
  }));
  await plane.intake.complete(completionOf(lease, { steps }));
  const path = `/api/runs/${lease.run_id}/steps`;
  const viewer = served.as('viewer');
  const pages = await everyPage<{ step_id: string }>(viewer, path, 2);
  t.same(
    pages.map((page) => page.map(({ step_id }) => step_id)),
    [['read', 'check'], ['load']],
  );
  t.match(await viewer.get(`${path}?limit=0`), { status: 400 });
});
