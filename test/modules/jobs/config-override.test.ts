import t from 'tap';
import { runRows } from '../../../src/modules/runs/run-rows.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from './definitions-app.ts';
import { seedJob } from './seed-job.ts';

const pool = await sharedWorkerPool();
const CONFIG = `
job_config:
  f: { type: form, fields: [{ key: n, type: number, default: 1 }, { key: s, type: text, default: a }] }
  g: { type: form, fields: [{ key: on, type: boolean, default: false }] }
`;

await eachStore(t, 'a start may change the configuration for itself alone', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId } = await seedJob(app, { template: CONFIG });
  const operator = app.as('operator');
  const url = `/api/jobs/${jobId}/runs`;
  const start = await operator.post(url, { config_override: { f: { n: 5 } } });
  const snapshot = { f: { n: 5, s: 'a' }, g: { on: false } };
  t.match(start, { status: 201, body: { config_snapshot: snapshot } }, start.text);
  const run = await runRows(store.read).executeTakeFirst();
  t.same(JSON.parse(run?.config_json ?? ''), snapshot, 'its tasks read it');
  t.match(await operator.get(`/api/jobs/${jobId}/config`), {
    headers: { etag: '"1"' },
    body: { values: { f: { n: 1 } } },
  });
  t.match((await operator.post(url, {})).body, { config_snapshot: { f: { n: 1 } } });

  const wrong = await operator.post<Refusal>(url, {
    config_override: { f: { n: 'x', zzz: 1 }, g: 7, h: {}, constructor: {} },
  });
  t.equal(wrong.status, 400);
  t.same(wrong.body.details.map(({ path }) => path).sort(), ['constructor', 'f.n', 'f.zzz', 'g', 'h']);
  for (const config_override of [[], 'x', null, { ['k'.repeat(101)]: 1 }])
    t.match(await operator.post(url, { config_override }), { status: 400 });
  t.match(await app.as('viewer').post(url, { config_override: {} }), { status: 403 });
  const runs = await store.read.selectFrom('job_runs').select('id').execute();
  t.equal(runs.length, 2, 'nothing else was started');
});
