import t from 'tap';
import { upsertJobState } from '../../../src/modules/jobs/job-state-store.ts';
import type { TestApp } from '../../support/app.ts';
import { everyPage } from '../../support/every-page.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from './definitions-app.ts';
import { seedJob } from './seed-job.ts';

const pool = await sharedWorkerPool();
const OVERRIDE = `version: 1
name: hello
connectors: {db: {type: dummy}}
steps:
  - {id: read, kind: extract, connector: db, method: list, cursor: {field: id, type: integer}}
  - {id: other, kind: extract, connector: db, method: list, cursor: {field: id, type: integer}, needs: [read]}
  - {id: say, kind: log, message: hello}
`;

/** A job whose task `say` has the steps `read` and `other` with a cursor, and one without. */
async function seedCursors(app: TestApp) {
  const seed = await seedJob(app, { connectors: { db: { type: 'dummy', config: {} } } });
  const path = `/api/jobs/${seed.jobId}/tasks/say/override`;
  const put = await app.as('editor').put(path, { yaml_content: OVERRIDE });
  if (put.status !== 200) throw new Error(put.text);
  return seed;
}

const NOW = Date.parse('2026-01-15T12:00:00Z');

await eachStore(t, 'cursors of a job are read, set and forgotten', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId } = await seedCursors(app);
  const path = `/api/jobs/${jobId}/state`;
  const operator = app.as('operator');
  t.match(await app.as('viewer').get(path), { status: 200, body: { result: [] } });

  const where = { jobId, taskKey: 'say', name: 'read' };
  await store.write((tx) => upsertJobState(tx, where, 41, 0, NOW));
  await store.write((tx) => upsertJobState(tx, { ...where, name: 'read.pending' }, { cursor: 50 }, 0, NOW));
  const saved = {
    task_key: 'say',
    step_id: 'read',
    value: 41,
    version: 1,
    updated_at: '2026-01-15T12:00:00.000Z',
  };
  t.same(
    (await operator.get(path)).body,
    { result: [saved], next_cursor: null },
    'what is pending is no cursor',
  );
  t.same((await operator.get(`${path}/say`)).body, { result: [saved], next_cursor: null });

  const set = await operator.put(`${path}/say`, { step_id: 'read', value: '2026-01-01' });
  t.match(set, { status: 200, body: { result: [{ step_id: 'read', value: '2026-01-01', version: 2 }] } });
  t.equal((await store.read.selectFrom('job_states').selectAll().execute()).length, 1, 'nothing is pending');
  await operator.put(`${path}/say`, { step_id: 'other', value: 7 });
  await store.write((tx) => upsertJobState(tx, { ...where, taskKey: 'gone' }, 1, 0, NOW));
  const stepsOf = (pages: (readonly { task_key: string; step_id: string }[])[]) =>
    pages.map((page) => page.map(({ task_key, step_id }) => `${task_key} ${step_id}`));
  t.same(stepsOf(await everyPage(operator, path, 2)), [['gone read', 'say other'], ['say read']]);
  t.same(stepsOf(await everyPage(operator, `${path}/say`, 1)), [['say other'], ['say read']]);
  await operator.delete(`${path}/gone`);
  t.equal((await operator.delete(`${path}/say?step_id=other`)).status, 204);
  t.match(await operator.get(path), { body: { result: [{ step_id: 'read' }] } });
  t.equal((await operator.delete(path)).status, 204);
  t.same((await operator.get(path)).body, { result: [], next_cursor: null });
  const audit = await store.read
    .selectFrom('audit_logs')
    .select(['action', 'diff_json'])
    .where('action', '=', 'job.state')
    .orderBy('id')
    .execute();
  t.equal(audit.length, 5);
  t.match(JSON.parse(audit[0]?.diff_json ?? ''), { task_key: 'say', step_id: 'read', value: '2026-01-01' });
});

await eachStore(
  t,
  'keys of what is stored that JSON writes with escapes come back as they are',
  async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedCursors(app);
    const where = { jobId, taskKey: 'say', name: 'read' };
    // V8 takes an escaped key for that of an object of the same shape before it; the client of the tests would, too.
    const values = [
      { h: [], '\\': 0 },
      { h: 1, '"': 2 },
    ];
    for (const [at, value] of values.entries()) {
      await store.write((tx) => upsertJobState(tx, where, value, at, NOW));
      const { text } = await app.as('viewer').get(`/api/jobs/${jobId}/state`);
      t.match(text, JSON.stringify(value));
      await store.write((tx) =>
        tx
          .updateTable('jobs')
          .set({ config_json: JSON.stringify(value) })
          .where('id', '=', jobId)
          .execute(),
      );
      t.match((await app.as('viewer').get(`/api/jobs/${jobId}/config`)).text, JSON.stringify(value));
    }
  },
);

await eachStore(t, 'of two that move a cursor from the same place one does', async (t, store) => {
  const { jobId } = await seedJob(await createDefinitionsApp(t, store, pool));
  const move = (value: number, expected: number) =>
    store.write((tx) => upsertJobState(tx, { jobId, taskKey: 'say', name: 'read' }, value, expected, NOW));
  t.same(await move(10, 0), { version: 1, stored: true });
  t.same(await move(20, 1), { version: 2, stored: true });
  t.same(await move(15, 1), { version: 2, stored: false });
  t.same(await move(5, 0), { version: 2, stored: false });
  t.same(await move(30, 2), { version: 3, stored: true });
});

await eachStore(
  t,
  'what is reset is the cursor of that step of that task, and nothing else',
  async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedJob(app);
    for (const taskKey of ['say', 'other'])
      for (const name of ['read', 'read.pending', 'more'])
        await store.write((tx) => upsertJobState(tx, { jobId, taskKey, name }, 1, 0, NOW));
    const left = async () => {
      const rows = await store.read.selectFrom('job_states').select(['task_key', 'name']).execute();
      return rows.map(({ task_key, name }) => `${task_key} ${name}`).sort();
    };
    const others = ['other more', 'other read', 'other read.pending'];
    const path = `/api/jobs/${jobId}/state/say`;
    t.equal((await app.as('operator').delete(`${path}?step_id=read`)).status, 204);
    t.same(await left(), [...others, 'say more']);
    t.equal((await app.as('operator').delete(path)).status, 204);
    t.same(await left(), others);
  },
);

await eachStore(t, 'a cursor is not touched under a run, nor by who may not', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId } = await seedCursors(app);
  const path = `/api/jobs/${jobId}/state`;
  const operator = app.as('operator');
  const body = { step_id: 'read', value: 5 };
  for (const wrong of [
    {},
    { step_id: 'read' },
    { ...body, value: null },
    { ...body, value: {} },
    { ...body, more: 1 },
  ])
    t.match(await operator.put(`${path}/say`, wrong), { status: 400, body: { error: 'VALIDATION_ERROR' } });
  t.match(await operator.put(`${path}/none`, body), { status: 404 });
  for (const step_id of ['say', 'none', 'read.pending'])
    t.match(await operator.put(`${path}/say`, { ...body, step_id }), {
      status: 400,
      body: { details: [{ path: 'step_id', message: /no step ".*" that keeps a cursor.*"read", "other"/ }] },
    });
  t.match(await operator.get(path), { body: { result: [] } });
  t.match(await operator.get(`${path}/none`), { status: 404 });
  t.match(await operator.get('/api/jobs/999/state'), { status: 404 });
  t.match(await operator.delete('/api/jobs/999/state'), { status: 404 });
  t.match(await app.as('viewer').put(`${path}/say`, body), { status: 403 });
  t.match(await app.as('viewer').delete(path), { status: 403 });
  t.equal((await operator.put(`${path}/say`, body)).status, 200);
  t.equal((await operator.post(`/api/jobs/${jobId}/runs`, {})).status, 201);
  for (const answer of [
    await operator.put(`${path}/say`, { ...body, value: 9 }),
    await operator.delete(path),
    await operator.delete(`${path}/say`),
  ])
    t.match(answer, { status: 409, body: { error: 'CONFLICT', message: /of the task "say" is active/ } });
  t.match(await operator.get(path), { body: { result: [{ value: 5 }] } });
});
