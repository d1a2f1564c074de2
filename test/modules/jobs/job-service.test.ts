// biome-ignore-all lint/suspicious/noTemplateCurlyInString: dashboards have variables of this form
import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from './definitions-app.ts';
import { seedJob } from './seed-job.ts';

const pool = await sharedWorkerPool();

const dummy = { type: 'dummy', config: {} };

await eachStore(
  t,
  'a template that changes while its dashboards are parsed is read anew',
  async (t, store) => {
    const changes: (() => Promise<unknown>)[] = [];
    const app = await createDefinitionsApp(t, store, pool, {
      afterDashboardsParsed: async () => void (await changes.shift()?.()),
    });
    const { templateId } = await seedJob(app, {
      dashboards: ['title: ${region}\nwidgets: []\n'],
      template: 'args: { region: { type: string, default: north } }\n',
    });
    const editor = app.as('editor');
    const template = (region: string) => ({
      name: 'Nightly',
      yaml_content: `version: 1\nname: t\ntasks: {say: {task: hello}}\nargs: { region: { type: string, default: ${region} } }\n`,
    });
    const create = () =>
      editor.post<{ id: number }>(`/api/job-templates/${templateId}/jobs`, {
        name: 'x',
        connector_mapping: {},
      });
    const titleOf = async (jobId: number) => {
      const list = await editor.get<{ result: { id: number }[] }>(`/api/jobs/${jobId}/dashboards`);
      const board = await editor.get<{ document: { title: string } }>(
        `/api/dashboards/${list.body.result[0]?.id}`,
      );
      return board.body.document.title;
    };

    changes.push(() => editor.put(`/api/job-templates/${templateId}`, template('south')));
    const made = await create();
    t.match(made, { status: 201, body: { template_version: 2 } });
    t.equal(await titleOf(made.body.id), 'south', 'one version of everything');

    const boards = await editor.get<{ result: { id: number }[] }>(
      `/api/job-templates/${templateId}/dashboard-templates`,
    );
    const board = { name: 'b', yaml_content: 'title: new ${region}\nwidgets: []\n' };
    changes.push(() => editor.put(`/api/dashboard-templates/${boards.body.result[0]?.id}`, board));
    t.equal(await titleOf((await create()).body.id), 'new south');

    const restless = ['a', 'b', 'c'].map(
      (r) => () => editor.put(`/api/job-templates/${templateId}`, template(r)),
    );
    changes.push(...restless);
    const count = (await editor.get<{ result: [] }>('/api/jobs')).body.result.length;
    t.match(await create(), { status: 409, body: { message: /being changed right now/ } });
    t.equal((await editor.get<{ result: [] }>('/api/jobs')).body.result.length, count, 'nothing half-made');
  },
);

await eachStore(t, 'a dashboard template whose variables do not fit the job is named', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool, { storedDashboards: true });
  const { templateId } = await seedJob(app);
  await app.as('editor').post(`/api/job-templates/${templateId}/dashboard-templates`, {
    name: 'Regions',
    yaml_content: 'title: ${region}\nwidgets: []\n',
  });
  t.match(
    await app
      .as('editor')
      .post(`/api/job-templates/${templateId}/jobs`, { name: 'x', connector_mapping: {} }),
    {
      status: 400,
      body: {
        message:
          'The dashboard template "Regions" cannot be used: There is no argument "region" for "${region}"',
        details: [{ path: 'title', line: 1 }],
      },
    },
  );
});

await eachStore(t, 'a job and the deletion of what it needs never cross', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { templateId, jobId, taskId, connectorIds } = await seedJob(app, { connectors: { a: dummy } });
  await app.as('editor').delete(`/api/jobs/${jobId}`);
  const body = { name: 'x', connector_mapping: connectorIds };
  const [created, task, connector, template] = await Promise.all([
    app.as('editor').post(`/api/job-templates/${templateId}/jobs`, body),
    app.as('editor').delete(`/api/tasks/${taskId}`),
    app.as('admin').delete(`/api/connectors/${connectorIds['a']}`),
    app.as('editor').delete(`/api/job-templates/${templateId}`),
  ]);
  const made = created.status === 201;
  const deleted = [task, connector, template].map((answer) => answer.status);
  t.same(deleted, made ? [409, 409, 409] : deleted, `${created.status} and ${deleted}`);
  if (!made) t.ok([400, 404].includes(created.status));
  t.ok(made || deleted.includes(204));
  for (const status of deleted) t.ok([204, 409].includes(status));
});
