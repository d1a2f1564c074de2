import t from 'tap';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { aiApp, fenced, type GeneratedBody, GOOD, KEY, type Refused } from './ai-app.ts';
import { startModelServer } from './model-server.ts';

const TEMPLATES = '/api/ai/generate-job-template';
const DASHBOARDS = '/api/ai/generate-dashboard-template';
const pool = await sharedWorkerPool();
const model = await startModelServer(t);

const template = (task: string) => `version: 1\nname: daily\ntasks:\n  load: { task: ${task} }\n`;
const dashboard = (key: string) => `title: Daily
pages:
  - id: all
    title: All
    widgets: [{ id: runs, type: task_progress, title: Runs, task_key: ${key} }]
`;

await eachStore(t, 'a model writes a job template of the tasks that exist', async (t, store) => {
  const { editor, withKey, configure, tasks, jobTemplates } = await aiApp(t, store, pool);
  await configure({ 'ai.api_key': KEY, 'ai.base_url': model.baseUrl('openai') });
  await tasks.create({ yaml_content: GOOD }, systemActor);
  await tasks.create({ yaml_content: GOOD.replace('name: hello', 'name: farewell') }, systemActor);
  model.reply(
    { kind: 'text', text: fenced(template('helo')) },
    { kind: 'text', text: fenced(template('hello')) },
  );
  const prompt = 'Run hello every day';
  const made = await editor().post<GeneratedBody>(TEMPLATES, { prompt });
  t.match(
    made,
    { status: 200, body: { yaml_content: template('hello'), valid: true, attempts: 2 } },
    made.text,
  );
  const [first, second] = model.requests();
  const told = first?.body.messages.at(-1)?.content ?? '';
  t.match(told, /Tasks that exist:.*"farewell"/s);
  t.match(told, /kind: log, message: hello/, 'the text of the task that the prompt names');
  t.equal(told.match(/kind: log/g)?.length, 1, 'and of no other');
  t.match(second?.body.messages.at(-1)?.content, /helo.*hello/s, 'a task that is not there is a mistake');
  const audits = store.read.selectFrom('audit_logs').selectAll();
  t.equal((await audits.where('action', '=', 'ai.generate_job_template').execute()).length, 1);
  t.same(await store.read.selectFrom('job_templates').selectAll().execute(), [], 'nothing is saved');

  const saved = await jobTemplates.create({ name: 'Saved', yaml_content: template('hello') }, systemActor);
  model.reply({ kind: 'text', text: template('hello') });
  await editor().post(TEMPLATES, { prompt, template_id: saved.id });
  t.match(model.requests()[0]?.body.messages.at(-1)?.content, /Change this job template.*"Saved"/s);
  t.match(await editor().post<Refused>(TEMPLATES, { prompt, template_id: 99 }), {
    status: 400,
    body: { details: [{ path: 'template_id', message: 'There is no job template "99"' }] },
  });
  t.equal((await editor().post(TEMPLATES, { prompt, task_id: 1 })).status, 400);
  t.match(await withKey('editor', 'ai:run').post<Refused>(TEMPLATES, { prompt }), {
    status: 403,
    body: { message: /"tasks:read"/ },
  });
  t.same(model.requests(), []);
});

await eachStore(t, 'a model writes a dashboard for its job template', async (t, store) => {
  const { editor, withKey, configure, jobTemplates, dashboardTemplates } = await aiApp(t, store, pool);
  await configure({ 'ai.api_key': KEY, 'ai.base_url': model.baseUrl('openai') });
  const { id } = await jobTemplates.create({ name: 'Daily', yaml_content: template('hello') }, systemActor);
  model.reply({ kind: 'text', text: fenced(dashboard('laod')) }, { kind: 'text', text: dashboard('load') });
  const wish = { prompt: 'Show the runs', job_template_id: id };
  const made = await editor().post<GeneratedBody>(DASHBOARDS, wish);
  t.match(made, { status: 200, body: { yaml_content: dashboard('load'), attempts: 2 } }, made.text);
  const [first, second] = model.requests();
  t.match(first?.body.messages.at(-1)?.content, /The job template that it belongs to:.*task: hello/s);
  t.match(first?.text, /sparkline_expr/, 'the schema of a dashboard');
  t.match(second?.body.messages.at(-1)?.content, /laod/, 'it is held against its job template');
  t.same(await store.read.selectFrom('dashboard_templates').selectAll().execute(), []);

  const saved = await dashboardTemplates.create(
    id,
    { name: 'Runs', yaml_content: dashboard('load') },
    systemActor,
  );
  model.reply({ kind: 'text', text: dashboard('load') });
  await editor().post(DASHBOARDS, { ...wish, dashboard_template_id: saved.id });
  t.match(model.requests()[0]?.body.messages.at(-1)?.content, /Change this dashboard template.*"Runs"/s);
  t.equal((await editor().post(DASHBOARDS, { prompt: 'x', job_template_id: 99 })).status, 404);
  t.equal((await editor().post(DASHBOARDS, { prompt: 'x' })).status, 400);
  const key = withKey('editor', 'ai:run', 'job-templates:read');
  t.match(await key.post<Refused>(DASHBOARDS, { ...wish, dashboard_template_id: saved.id }), {
    status: 403,
    body: { message: /"dashboard-templates:read"/ },
  });
  t.same(model.requests(), []);
});
