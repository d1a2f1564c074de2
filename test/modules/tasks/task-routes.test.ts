import t from 'tap';
import type { TaskRecord } from '../../../src/modules/tasks/task.ts';
import { everyPage } from '../../support/every-page.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../jobs/definitions-app.ts';

const yamlOf = (name: string, description = 'Copies') => `
version: 1
name: ${name}
description: ${description}
labels: { team: data }
connectors: { source: { type: dummy } }
steps:
  - { id: rows, kind: extract, connector: source, method: list }
`;

const pool = await sharedWorkerPool();

t.test('a task', async (t) => {
  await eachStore(t, 'is created, read, listed, replaced and deleted', async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const editor = as('editor');
    const created = await editor.post<TaskRecord>('/api/tasks', { yaml_content: yamlOf('copy') });
    t.match(created, { status: 201, headers: { etag: '"1"' } });
    t.same(created.body, {
      id: created.body.id,
      name: 'copy',
      description: 'Copies',
      yaml_content: yamlOf('copy'),
      version: 1,
      status: 'active',
      labels: { team: 'data' },
      connectors: { source: { type: 'dummy' } },
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
      updated_by: 'editor@example.com',
    });
    const path = `/api/tasks/${created.body.id}`;
    t.same((await as('viewer').get(path)).body, created.body);
    t.same((await as('viewer').get(`${path}/uses`)).body, { jobs: [], job_templates: [] });
    t.match(await as('viewer').get('/api/tasks/999/uses'), { status: 404 });

    await editor.post('/api/tasks', { yaml_content: yamlOf('Other_100%'), name: ' Other 100% ' });
    const names = async (query: string) =>
      (await as('viewer').get<{ result: TaskRecord[] }>(`/api/tasks${query}`)).body.result.map((x) => x.name);
    t.same(await names(''), ['Other 100%', 'copy'], 'newest first');
    t.same(await names('?q=other'), ['Other 100%'], 'in any case');
    t.same(await names('?q=00%25'), ['Other 100%']);
    t.same(await names('?q=c%25y'), [], 'a wildcard of the engine is a plain character');
    const page = await as('viewer').get<{ next_cursor: string }>('/api/tasks?limit=1');
    t.same(await names(`?limit=1&cursor=${page.body.next_cursor}`), ['copy']);

    const changed = { name: 'copy_all', description: null, yaml_content: yamlOf('copy') };
    t.match(await editor.put(path, changed), {
      status: 200,
      headers: { etag: '"2"' },
      body: { name: 'copy_all', description: null, version: 2 },
    });
    t.match(await editor.put(path, { ...changed, name: 'Other 100%' }), {
      status: 409,
      body: { error: 'CONFLICT', message: 'There is a task "Other 100%" already' },
    });
    t.match(await editor.post('/api/tasks', { yaml_content: yamlOf('copy_all') }), { status: 409 });
    t.equal((await editor.delete(path)).status, 204);
    for (const answer of [await editor.get(path), await editor.delete(path), await editor.put(path, changed)])
      t.match(answer, { status: 404, body: { error: 'NOT_FOUND' } });
  });

  await eachStore(t, 'has a version per change of its text, which can be restored', async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const editor = as('editor');
    const input = { name: 'copy', yaml_content: yamlOf('inner') };
    const { body } = await editor.post<TaskRecord>('/api/tasks', input);
    const path = `/api/tasks/${body.id}`;
    t.match(await editor.put(path, input), { status: 200, body: { version: 1 } }, 'identical: no version');
    const second = { name: 'copy', yaml_content: yamlOf('inner', 'Moves') };
    t.match(await editor.put(path, second, { 'if-match': '"1"' }), { body: { version: 2 } });
    t.match(await editor.put(path, input, { 'if-match': '"1"' }), {
      status: 412,
      body: { error: 'PRECONDITION_FAILED' },
    });
    t.match(await editor.delete(path, { 'if-match': '"1"' }), { status: 412 });
    t.match(await editor.post(`${path}/versions/1/restore`, undefined, { 'if-match': '"1"' }), {
      status: 412,
    });
    t.match(await editor.post(`${path}/versions/1/restore`), {
      status: 200,
      headers: { etag: '"3"' },
      body: { version: 3, name: 'copy', description: 'Moves', yaml_content: yamlOf('inner') },
    });
    t.match(
      await editor.post(`${path}/versions/3/restore`),
      { body: { version: 3 } },
      'the newest already is',
    );
    const versions = await editor.get<{ result: { version: number; yaml_content: string }[] }>(
      `${path}/versions`,
    );
    t.same(
      versions.body.result.map((v) => [v.version, v.yaml_content]),
      [
        [3, yamlOf('inner')],
        [2, yamlOf('inner', 'Moves')],
        [1, yamlOf('inner')],
      ],
    );
    const pages = await everyPage<{ version: number }>(editor, `${path}/versions`, 2);
    t.same(
      pages.map((page) => page.map(({ version }) => version)),
      [[3, 2], [1]],
    );
    t.match(await editor.get(`${path}/versions/2`), {
      body: { version: 2, created_by: 'editor@example.com', created_at: '2026-01-15T12:00:00.000Z' },
    });
    t.match(await editor.get(`${path}/versions/9`), {
      status: 404,
      body: { message: `The task "${body.id}" has no version "9"` },
    });
    t.match(await editor.post(`${path}/versions/9/restore`), { status: 404 });
    const changed = '\n-description: Copies\n+description: Moves\n';
    t.match(await as('viewer').get(`${path}/versions/2/diff`), {
      status: 200,
      body: { version: 2, against: 1, diff: /^--- version 1\n\+\+\+ version 2\n/ },
    });
    const diff = async (query: string) =>
      (await as('viewer').get<{ against: number | null; diff: string }>(`${path}/versions/${query}`)).body;
    t.ok((await diff('2/diff')).diff.includes(changed));
    t.match(await diff('3/diff?against=1'), { against: 1, diff: '' });
    t.match(await diff('1/diff'), { against: null, diff: /^--- \/dev\/null\n/ });
    for (const wrong of ['9/diff', '2/diff?against=9'])
      t.match(await editor.get(`${path}/versions/${wrong}`), { status: 404, body: { error: 'NOT_FOUND' } });
    t.match(await editor.get(`${path}/versions/2/diff?against=x`), { status: 400 });
  });

  await eachStore(t, 'is written by one of several at once; the others are told', async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const editor = as('editor');
    const racers = [0, 1, 2, 3, 4, 5];
    const created = await Promise.all(
      racers.map(() => editor.post<TaskRecord>('/api/tasks', { yaml_content: yamlOf('race') })),
    );
    t.same(created.map((answer) => answer.status).sort(), [201, 409, 409, 409, 409, 409]);
    const id = created.find((answer) => answer.status === 201)?.body.id;
    const put = (n: number) =>
      editor.put(`/api/tasks/${id}`, { yaml_content: yamlOf('race', `v${n}`) }, { 'if-match': '"1"' });
    t.same(
      (await Promise.all(racers.map(put))).map((answer) => answer.status).sort(),
      [200, 412, 412, 412, 412, 412],
    );
    t.match(await editor.get(`/api/tasks/${id}`), { body: { version: 2 } });
  });

  await eachStore(t, 'keeps its text when it is archived, and is not started then', async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const { body } = await as('editor').post<TaskRecord>('/api/tasks', { yaml_content: yamlOf('copy') });
    const connector = { name: 'c', type: 'dummy', config: {} };
    const { body: saved } = await as('admin').post<{ id: number }>('/api/connectors', connector);
    const path = `/api/tasks/${body.id}`;
    const start = () => as('operator').post(`${path}/runs`, { connectors: { source: saved.id } });
    t.match(await as('editor').post(`${path}/archive`), {
      status: 200,
      body: { status: 'archived', version: 1 },
    });
    t.match(await start(), { status: 409, body: { error: 'CONFLICT' } });
    t.match(await as('viewer').get('/api/tasks?status=active'), { body: { result: [] } });
    t.match(await as('editor').post(`${path}/activate`), { body: { status: 'active' } });
    t.match(await start(), {
      status: 201,
      body: { task_id: body.id, task_version: 1, status: 'queued', reason: 'manual' },
    });
  });
});

await eachStore(
  t,
  'a task that is not valid is refused with every problem at its place',
  async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const wrong =
      'version: 1\nname: w\nsteps:\n  - {id: a, kind: extract, connector: no, method: list}\n  - {id: a, kind: wat}\n';
    const refused = await as('editor').post<Refusal>('/api/tasks', { yaml_content: wrong });
    t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.ok(refused.body.details.length >= 2, 'several at once');
    for (const problem of refused.body.details)
      t.match(problem, { path: /^steps/, line: Number, column: Number, message: String });
    t.same(new Set(refused.body.details.map((problem) => problem.line)), new Set([4, 5]));
    const validated = await as('viewer').post('/api/tasks/validate', { yaml_content: wrong });
    t.same(validated.body, { valid: false, problems: refused.body.details, connectors: null });
    t.same((await as('viewer').post('/api/tasks/validate', { yaml_content: yamlOf('fine') })).body, {
      valid: true,
      problems: [],
      connectors: { source: { type: 'dummy' } },
    });
    for (const body of [
      { yaml_content: yamlOf('x'), nmae: 'x' },
      { yaml_content: yamlOf('x'), name: '  ' },
      { yaml_content: yamlOf('x'), name: 'a\u0000b' },
      { yaml_content: yamlOf('x'), description: 'a\u0000b' },
      { yaml_content: `${yamlOf('x')}# \u0000` },
      { yaml_content: '' },
      {},
    ])
      t.match(await as('editor').post('/api/tasks', body), {
        status: 400,
        body: { error: 'VALIDATION_ERROR' },
      });
  },
);

await eachStore(
  t,
  'a standalone run names everything that is wrong with its connectors',
  async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const yaml = yamlOf('copy').replace('connectors: {', 'connectors: { target: { type: sqlite },');
    const { body } = await as('editor').post<TaskRecord>('/api/tasks', { yaml_content: yaml });
    const connector = { name: 'c', type: 'dummy', config: {} };
    const { body: saved } = await as('admin').post<{ id: number }>('/api/connectors', connector);
    const refused = await as('operator').post<Refusal>(`/api/tasks/${body.id}/runs`, {
      connectors: { target: saved.id, other: 999 },
    });
    t.equal(refused.status, 400);
    t.same(
      refused.body.details.map((problem) => problem.path),
      ['connectors.target', 'connectors.source', 'connectors.other'],
    );
  },
);
