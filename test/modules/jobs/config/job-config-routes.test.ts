import t from 'tap';
import { jobRunRows } from '../../../../src/modules/job-runs/job-run-store.ts';
import { runRows } from '../../../../src/modules/runs/run-rows.ts';
import { eachStore } from '../../../support/stores.ts';
import { sharedWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../definitions-app.ts';
import { seedJob } from '../seed-job.ts';

const pool = await sharedWorkerPool();

const TEMPLATE = `
job_config:
  source:
    type: form
    title: Source
    fields:
      - { key: kind, label: Kind, type: select, options: [{ label: One, value: one }, { label: Two, value: two }], default: one }
      - { key: email, label: E-mail, type: text, format: email }
  target:
    type: form
    title: Target
    fields:
      - { key: table, label: Table, type: text, required: true, hide_if_expr: "job_config.source.kind = 'two'" }
      - { key: size, label: Size, type: number, default: 5 }
  fields:
    type: field_mapping
    title: Fields
    default: [{ source_field: a, target_field: b, transform: null }]
`;

const DEFAULTS = {
  source: { kind: 'one' },
  target: { size: 5 },
  fields: [{ source_field: 'a', target_field: 'b', transform: null }],
};

t.test('the configuration of a job', async (t) => {
  await eachStore(
    t,
    'begins with the defaults, is saved entry by entry, and has a history',
    async (t, store) => {
      const app = await createDefinitionsApp(t, store, pool);
      const { jobId } = await seedJob(app, { template: TEMPLATE });
      const path = `/api/jobs/${jobId}/config`;
      const operator = app.as('operator');
      const first = await app.as('viewer').get(path);
      t.match(first, { status: 200, headers: { etag: '"1"' } });
      t.match(first.body, {
        values: DEFAULTS,
        version: 1,
        schema: {
          source: { type: 'form', fields: [{ key: 'kind' }, {}] },
          fields: { type: 'field_mapping' },
        },
      });

      const value = { table: 'orders' };
      const saved = await operator.put(`${path}/target`, { value }, { 'if-match': '"1"' });
      t.match(saved, { status: 200, headers: { etag: '"2"' } });
      t.same(saved.body['values'], { ...DEFAULTS, target: value });
      t.match(
        await operator.put(`${path}/target`, { value }),
        { body: { version: 2 } },
        'identical: no version',
      );
      t.match(await operator.put(`${path}/target`, { value: { table: 'x' } }, { 'if-match': '"1"' }), {
        status: 412,
      });
      t.match(await operator.put(`${path}/fields`, { value: [{ source_field: 'x', target_field: 'y' }] }), {
        body: { values: { fields: [{ source_field: 'x', target_field: 'y', transform: null }] }, version: 3 },
      });
      const history = await app
        .as('viewer')
        .get<{ result: { version: number; values: object }[] }>(`${path}/history`);
      t.match(history.body.result, [
        { version: 3 },
        { version: 2, values: { target: value }, created_by: 'operator@example.com' },
        { version: 1, values: DEFAULTS, created_at: '2026-01-15T12:00:00.000Z' },
      ]);
      t.match(
        await app.as('viewer').get(`/api/jobs/${jobId}`),
        { headers: { etag: '"1"' } },
        'the job stays',
      );
    },
  );

  await eachStore(t, 'is refused with every problem at once, and stays as it was', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedJob(app, { template: TEMPLATE });
    const path = `/api/jobs/${jobId}/config`;
    const put = (key: string, value: unknown) => app.as('operator').put<Refusal>(`${path}/${key}`, { value });
    const refused = await put('source', { kind: 'three', email: 'nobody', other: 1 });
    t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.same(
      refused.body.details.map((problem) => problem.path),
      ['source.kind', 'source.email', 'source.other'],
    );
    t.match(await put('target', {}), { status: 400, body: { details: [{ path: 'target.table' }] } });
    t.match(await put('source', 'text'), { status: 400 });
    t.match(await put('nothing', {}), { status: 404, body: { error: 'NOT_FOUND' } });
    t.match(await put('not.a.key', {}), { status: 400 });
    t.same((await app.as('viewer').get(path)).body['values'], DEFAULTS);

    t.equal((await put('source', { kind: 'two' })).status, 200);
    t.match(await put('target', {}), { status: 200 }, 'a rule may read the other entries');
  });

  await eachStore(t, 'is replaced as a whole by an admin alone', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedJob(app, { template: TEMPLATE });
    const path = `/api/jobs/${jobId}/config`;
    const values = { ...DEFAULTS, target: { table: 'orders' } };
    t.match(await app.as('editor').put(path, values), { status: 403, body: { error: 'FORBIDDEN' } });
    const refused = await app.as('admin').put<Refusal>(path, { ...values, target: {}, more: 1 });
    t.equal(refused.status, 400);
    t.same(refused.body.details.map((problem) => problem.path).sort(), ['more', 'target.table']);
    t.match(await app.as('admin').put(path, values, { 'if-match': '"1"' }), {
      status: 200,
      body: { values, version: 2 },
    });
    t.equal((await app.as('admin').put(path, values, { 'if-match': '"1"' })).status, 412);
  });

  await eachStore(t, 'is kept by each run as it was when the run began', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedJob(app, { template: TEMPLATE });
    const operator = app.as('operator');
    const save = (table: string) => operator.put(`/api/jobs/${jobId}/config/target`, { value: { table } });
    await save('first');
    await operator.post(`/api/jobs/${jobId}/runs`);
    await save('second');
    await operator.post(`/api/jobs/${jobId}/runs`);
    const tableOf = ({ config_json }: { config_json: string }) =>
      (JSON.parse(config_json) as typeof DEFAULTS & { target: { table: string } }).target.table;
    for (const rows of [
      await jobRunRows(store.read).orderBy('id').execute(),
      await runRows(store.read).orderBy('id').execute(),
    ])
      t.same(rows.map(tableOf), ['first', 'second']);
  });

  await eachStore(t, 'loses no entry when several are saved at once', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedJob(app, { template: TEMPLATE });
    const path = `/api/jobs/${jobId}/config`;
    const answers = await Promise.all([
      app.as('operator').put(`${path}/source`, { value: { kind: 'one', email: 'a@example.com' } }),
      app.as('operator').put(`${path}/target`, { value: { table: 'orders' } }),
      app.as('operator').put(`${path}/fields`, { value: [] }),
    ]);
    t.same(
      answers.map((answer) => answer.status),
      [200, 200, 200],
    );
    t.match((await app.as('viewer').get(path)).body, {
      version: 4,
      values: { source: { kind: 'one', email: 'a@example.com' }, target: { table: 'orders' }, fields: [] },
    });
  });
});
