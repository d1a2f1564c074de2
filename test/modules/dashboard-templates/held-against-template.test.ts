import t from 'tap';
import { openTestStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';

const pool = await sharedWorkerPool();

const CONNECTORS = { db: { type: 'dummy', config: { rows: [{ id: 1, tenant: 'a' }] } } };
const RIGHT = 'widgets: [{ id: rows, type: table, connector: db, method: list }]';
/** Its scope would limit nothing: all tenants would be shown. */
const OPEN = `scope: { mine: { bd: { tenant: a } } }\ndefault_scope: mine\n${RIGHT}`;
const REFUSAL = {
  path: 'scope.mine.bd',
  line: 1,
  column: 18,
  message: 'the job template has no connector "bd" to limit; did you mean "db"?',
};

t.test('a dashboard is held against its job template wherever it is saved or validated', async (t) => {
  const app = await createDefinitionsApp(t, await openTestStore(t, 'sqlite'), pool);
  const { templateId, dashboardIds } = await seedJob(app, { connectors: CONNECTORS, dashboards: [RIGHT] });
  const editor = app.as('editor');
  const refused = { status: 400, body: { error: 'VALIDATION_ERROR', details: [REFUSAL] } };
  const body = { name: 'Open', yaml_content: OPEN };
  t.match(await editor.post(`/api/job-templates/${templateId}/dashboard-templates`, body), refused);
  t.match(await editor.put('/api/dashboard-templates/1', body), refused);
  t.match(await editor.put(`/api/dashboards/${dashboardIds[0]}`, body), refused);
  for (const path of ['/api/dashboards/validate', '/api/dashboard-templates/validate']) {
    const asked = (id: number) => editor.post(`${path}?job_template_id=${id}`, { yaml_content: OPEN });
    t.match((await asked(templateId)).body, { valid: false, problems: [REFUSAL] }, path);
    t.match(await asked(99), { status: 404 }, path);
    const alone = await editor.post(path, { yaml_content: RIGHT });
    t.match(alone.body, { valid: true }, 'without a template its names may be right');
  }
});

t.test('a dashboard template that was stored before is made a dashboard as it was', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const before = await createDefinitionsApp(t, store, pool, { storedDashboards: true });
  const wrong =
    'widgets: [{ id: rows, type: table, connector: gone, method: list }, { id: act, type: action }]';
  const { templateId } = await seedJob(before, { connectors: CONNECTORS, dashboards: [wrong] });
  const app = await createDefinitionsApp(t, store, pool);
  const job = { name: 'another', connector_mapping: { db: 1 } };
  t.equal((await app.as('admin').post(`/api/job-templates/${templateId}/jobs`, job)).status, 201);
  t.equal((await app.as('editor').post('/api/dashboard-templates/1/push', {})).status, 200);
  t.equal(
    (await app.as('editor').put('/api/dashboard-templates/1', { name: 'B', yaml_content: wrong })).status,
    400,
  );
});

t.test('the nodes of a job template are held against the arguments of their tasks', async (t) => {
  const app = await createDefinitionsApp(t, await openTestStore(t, 'sqlite'), pool);
  const editor = app.as('editor');
  const task =
    'version: 1\nname: load\nargs: { day: { type: string, required: true } }\nsteps: [{ id: a, kind: log, message: "{{ args.day }}" }]';
  t.equal((await editor.post('/api/tasks', { yaml_content: task })).status, 201);
  const head = 'version: 1\nname: t\nargs: { day: { type: string } }\ntasks:\n';
  const put = (nodes: string) => editor.post('/api/job-templates', { name: 'T', yaml_content: head + nodes });
  t.match(await put('  one: { task: load, args: { dya: "{{ args.day }}" } }'), {
    status: 400,
    body: {
      details: [
        { path: 'tasks.one', line: 5, column: 3, message: /needs the argument "day"/ },
        { path: 'tasks.one.args.dya', line: 5, message: /did you mean "day"/ },
      ],
    },
  });
  const unread = `${head}  one: { task: later }`;
  t.match((await editor.post('/api/job-templates/validate', { yaml_content: unread })).body, {
    valid: true,
    warnings: [
      { message: /no task "later"/ },
      { path: 'args.day', line: 3, message: /reads the argument "day"/ },
    ],
  });
  t.equal((await put('  one: { task: load, args: { day: "{{ args.day }}" } }')).status, 201);
});
