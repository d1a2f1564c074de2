import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { countRunRows, makeEndedRuns } from '../../support/ended-runs.ts';
import { startFullApp } from '../../support/full-app.ts';
import { until } from '../../support/served.ts';
import { storeSettings } from '../../support/stores.ts';

const PATH = '/api/runs/prune';
const RUNS = 1_010;

t.test(
  'a call deletes a bounded number of runs, says whether there are more, and is in the audit log',
  async (t) => {
    const settings = await storeSettings(t, 'sqlite');
    const store = await openStore(settings, silentLogger);
    t.teardown(() => store.close());
    await makeEndedRuns(store, { jobId: 1, count: RUNS });
    const full = await startFullApp(t, settings);
    const { visitor: root } = await full.superadmin();
    const rules = { ended_before: '2026-01-01T00:00:00Z', keep_last: 5 };
    const counted = { dry_run: true, job_runs: RUNS - 5, runs: 0, more: false };
    t.match(await root.post(PATH, { ...rules, dry_run: true }), { status: 200, body: counted });
    t.match((await root.post(PATH, rules)).body, { dry_run: false, job_runs: 1_000, more: true });
    t.match((await root.post(PATH, rules)).body, { dry_run: false, job_runs: 5, more: false });
    t.match((await root.post(PATH, rules)).body, { job_runs: 0, more: false });
    t.match(await root.post(PATH, { job_id: 1 }), { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.match(await root.post(PATH, { keep_last: 0, status: 'running' }), { status: 400 });
    for (const wrong of [{ job_id: 71 }, { task_id: 71 }])
      t.match(await root.post(PATH, { keep_last: 0, ...wrong }), { status: 404, body: { message: /71/ } });
    const { result } = (await root.get<{ result: object[] }>('/api/audit-logs?action=run.prune')).body;
    t.match(result, [{ diff: { job_runs: 5 } }, { diff: { job_runs: 1_000, keep_last: 5 } }]);
    const left = { job_runs: 5, runs: 5, run_steps: 10, dead_letters: 5, deletions: 0 };
    await until(
      'what they have left is gone',
      20_000,
      async () => (await countRunRows(store))['deletions'] === 0,
    );
    t.match(await countRunRows(store), left);
    t.same(full.openapi.breaches, []);
  },
);
