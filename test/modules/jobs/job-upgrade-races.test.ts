import t from 'tap';
import type { JobRunPlan } from '../../../src/modules/job-runs/job-run.ts';
import { jobRunRows } from '../../../src/modules/job-runs/job-run-store.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from './definitions-app.ts';
import { seedJob } from './seed-job.ts';
import { LOUDER, saveTemplate, type Upgrade } from './upgrade.ts';

const pool = await sharedWorkerPool();
const ROUNDS = 4;

/** Of round `n`: a template with its own node and its own entry of the configuration. */
const templateOf = (n: number) =>
  `version: 1\nname: t\nconcurrency: { limit: 100, key_expr: 'job_config.e${n}.v' }\n` +
  `tasks: { say: { task: hello }, n${n}: { task: hello } }\n` +
  `job_config: { e${n}: { type: form, fields: [{ key: v, type: number, default: ${n} }] } }\n`;

await eachStore(
  t,
  'upgrades, config saves, overrides and starts at once: each run is wholly of one version',
  async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId, templateId, taskId } = await seedJob(app);
    const editor = app.as('editor');
    const url = `/api/jobs/${jobId}`;
    await saveTemplate(app, templateId, templateOf(0));
    t.equal((await editor.post(`${url}/upgrade`)).status, 200);
    let started = 0;
    for (let n = 1; n <= ROUNDS; n++) {
      await editor.put(`/api/tasks/${taskId}`, { yaml_content: `${LOUDER}# ${n}\n` });
      await saveTemplate(app, templateId, templateOf(n));
      const answers = await Promise.all([
        ...[1, 2, 3].map(() => editor.post(`${url}/runs`)),
        editor.put(`${url}/config/e${n - 1}`, { value: { v: 50 } }),
        editor.post(`${url}/upgrade`),
        editor.put(`${url}/config/e${n}`, { value: { v: 60 } }),
        editor.put(`${url}/tasks/say/override`, { yaml_content: `${LOUDER}# own ${n}\n` }),
        editor.post(`${url}/upgrade`),
        ...[1, 2, 3].map(() => editor.post(`${url}/runs`, { config_override: { [`e${n}`]: { v: 70 } } })),
      ]);
      for (const { status, text } of answers) t.ok([200, 201, 400, 404, 409].includes(status), text);
      started += answers.filter(({ status }) => status === 201).length;
      t.match(await editor.post(`${url}/upgrade`), { status: 200 });
      t.match((await editor.get(`${url}/drift`)).body, { drifted: false });
      const config = await editor.get<{ values: object }>(`${url}/config`);
      t.same(Object.keys(config.body.values), [`e${n}`], 'no entry of another template was saved');
    }
    const runs = await jobRunRows(store.read).orderBy('id').execute();
    t.equal(runs.length, started, 'every start that was confirmed, and no other');
    t.ok(started >= ROUNDS, `${started} job runs`);
    const versions = new Map(
      (await store.read.selectFrom('task_versions').selectAll().execute()).map((row) => [
        row.version,
        row.yaml_content,
      ]),
    );
    for (const { parsed_json, config_json, concurrency_key } of runs) {
      const plan = JSON.parse(parsed_json) as JobRunPlan;
      const config = JSON.parse(config_json) as Record<string, { v: number }>;
      const [entry = ''] = Object.keys(plan.jobConfig);
      const n = entry.slice(1);
      t.same(Object.keys(config), [entry], 'the configuration is that of the template');
      t.same(Object.keys(plan.pins).sort(), [`n${n}`, 'say'], 'so are the pins');
      t.equal(plan.pins['say']?.task_version, plan.pins[`n${n}`]?.task_version);
      t.equal(plan.pins[`n${n}`]?.yaml_content, versions.get(plan.pins['say']?.task_version ?? 0));
      t.match(concurrency_key, new RegExp(`:${config[entry]?.v}$`), 'and the key that was evaluated');
    }
  },
);

await eachStore(
  t,
  'of two upgrades at once one is applied, and a reviewed plan only as it was',
  async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId, taskId } = await seedJob(app);
    const editor = app.as('editor');
    const url = `/api/jobs/${jobId}/upgrade`;
    await editor.put(`/api/tasks/${taskId}`, { yaml_content: LOUDER });
    const { plan_hash } = (await editor.post<Upgrade>(url, { dry_run: true })).body;
    const both = await Promise.all([1, 2].map(() => editor.post<Upgrade>(url, { plan_hash })));
    t.same(both.map(({ status }) => status).sort(), [200, 409]);
    await editor.put(`/api/tasks/${taskId}`, { yaml_content: `${LOUDER}# 3\n` });
    const plain = await Promise.all([1, 2].map(() => editor.post<Upgrade>(url)));
    t.same(plain.map(({ status, body }) => `${status} ${body.applied} ${body.job_version}`).sort(), [
      '200 false 3',
      '200 true 3',
    ]);
    await editor.put(`/api/tasks/${taskId}`, { yaml_content: `${LOUDER}# 4\n` });
    const reviewed = (await editor.post<Upgrade>(url, { dry_run: true })).body.plan_hash;
    await editor.put(`/api/tasks/${taskId}`, { yaml_content: `${LOUDER}# 5\n` });
    t.match(await editor.post(url, { plan_hash: reviewed }), { status: 409 }, 'the task moved on');
    const pins = await store.read.selectFrom('job_tasks').select('task_version').execute();
    t.same(pins, [{ task_version: 3 }]);
  },
);
