import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../jobs/definitions-app.ts';

const TASK = `
version: 1
name: copy
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: rows, kind: extract, connector: source, method: read, args: {} }
  - { id: write, kind: load, input: rows, connector: target, object: t, mode: append }
`;
const YAML = `
version: 1
name: nightly
description: Every night
connectors: { file: { type: csv }, db: { type: sqlite, required: false } }
tasks:
  load: { task: copy, connectors: { source: file, target: db } }
  check: { task: copy, needs: [load], connectors: { source: file, target: db } }
`;

interface Template {
  id: number;
  version: number;
  warnings: object[];
  dag: { tasks: Record<string, unknown>; levels: string[][] };
}

const pool = await sharedWorkerPool();

t.test('a job template', async (t) => {
  await eachStore(t, 'is created with its DAG and connectors, and has versions', async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const editor = as('editor');
    await editor.post('/api/tasks', { yaml_content: TASK });
    const created = await editor.post<Template>('/api/job-templates', {
      name: 'Nightly',
      yaml_content: YAML,
    });
    t.match(created, { status: 201, headers: { etag: '"1"' } });
    t.match(created.body, {
      name: 'Nightly',
      description: 'Every night',
      yaml_content: YAML,
      status: 'active',
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
      connectors: { file: { type: 'csv', required: true }, db: { type: 'sqlite', required: false } },
    });
    t.same(created.body.dag.levels, [['load'], ['check']]);
    t.match(created.body.dag.tasks, { load: { task: 'copy' }, check: { needs: ['load'] } });
    const path = `/api/job-templates/${created.body.id}`;
    const read = (await as('viewer').get<Template>(path)).body;
    t.same({ ...read, warnings: created.body.warnings }, created.body);

    const input = { name: 'Nightly', yaml_content: YAML };
    t.match(await editor.put(path, input), { body: { version: 1 } }, 'identical: no version');
    const next = { ...input, description: null };
    t.match(await editor.put(path, next, { 'if-match': '"1"' }), {
      headers: { etag: '"2"' },
      body: { version: 2, description: null },
    });
    t.match(await editor.put(path, input, { 'if-match': '"1"' }), { status: 412 });
    t.match(await editor.post('/api/job-templates', input), {
      status: 409,
      body: { error: 'CONFLICT', message: 'There is a job template "Nightly" already' },
    });
    const versions = await editor.get<{ result: { version: number }[] }>(`${path}/versions`);
    t.same(
      versions.body.result.map((v) => v.version),
      [2, 1],
    );
    t.match(await as('viewer').get(`${path}/versions/1`), { body: { version: 1, yaml_content: YAML } });
    t.match(await as('viewer').get(`${path}/versions/2/diff`), { body: { version: 2, against: 1 } });
    t.match(await editor.get(`${path}/versions/7`), {
      status: 404,
      body: { message: `The job template "${created.body.id}" has no version "7"` },
    });
    t.match(await as('viewer').post(`${path}/versions/1/restore`), { status: 403 });
    const stale = await editor.post(`${path}/versions/1/restore`, undefined, { 'if-match': '"1"' });
    t.match(stale, { status: 412 });
    t.match(await editor.post(`${path}/versions/2/restore`), { status: 200, body: { version: 2 } });
    t.match(await editor.post(`${path}/versions/7/restore`), { status: 404 });
    t.match(await editor.post(`${path}/archive`), { body: { status: 'archived', version: 2 } });
    t.match(await editor.get('/api/job-templates?status=active'), { body: { result: [] } });
    t.match(await editor.get('/api/job-templates?status=archived&q=NIGHT'), {
      body: { result: [{ name: 'Nightly' }], next_cursor: null },
    });
    t.equal((await editor.delete(path, { 'if-match': '"1"' })).status, 412);
    t.equal((await editor.delete(path)).status, 204);
    t.equal((await editor.get(path)).status, 404);
  });

  await eachStore(t, 'may name tasks that come later; those that exist must fit', async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const editor = as('editor');
    const validate = () => editor.post('/api/job-templates/validate', { yaml_content: YAML });
    const lines = YAML.split('\n');
    const warnings = ['load', 'check'].map((key) => {
      const line = lines.findIndex((text) => text.includes(`${key}: { task: copy`)) + 1;
      const column = (lines[line - 1] ?? '').indexOf('copy') + 1;
      const message = 'There is no task "copy": create it first';
      return { path: `tasks.${key}.task`, message, line, column };
    });
    const { body: checked } = await validate();
    const dag = { levels: [['load'], ['check']], tasks: { check: { task: 'copy', needs: ['load'] } } };
    t.match(checked, { valid: true, problems: [], warnings, dag });
    const early = await editor.post<{ id: number }>('/api/job-templates', {
      name: 'early',
      yaml_content: YAML,
    });
    t.match(early, { status: 201, body: { warnings } }, early.text);
    const changed = { name: 'early', description: 'x', yaml_content: YAML };
    t.match(await editor.put(`/api/job-templates/${early.body.id}`, changed), {
      status: 200,
      body: { warnings },
    });
    await editor.post('/api/tasks', { yaml_content: TASK });
    t.match((await validate()).body, { valid: true, problems: [], warnings: [] });
    const misspelt = YAML.replaceAll('task: copy', 'task: cpoy');
    const { body: hinted } = await editor.post<{ warnings: readonly { message: string }[] }>(
      '/api/job-templates/validate',
      { yaml_content: misspelt },
    );
    t.equal(hinted.warnings[0]?.message, 'There is no task "cpoy"; did you mean "copy"?');

    const wrong = YAML.replace('file: { type: csv }', 'file: { type: json }').replace(
      'load: { task: copy, connectors: { source: file, target: db } }',
      'load: { task: copy, connectors: { source: file, else: db } }',
    );
    const refused = await editor.post<Refusal>('/api/job-templates', { name: 'late', yaml_content: wrong });
    t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.same(
      refused.body.details.map((problem) => problem.path),
      [
        'tasks.load.connectors',
        'tasks.load.connectors',
        'tasks.load.connectors.else',
        'tasks.check.connectors',
      ],
      'all at once',
    );
    t.match(refused.body.details, [
      {
        message: `The task "copy" needs the connector "source" of type "csv"; the template's "file" is of type "json"`,
      },
      { message: /"target" of type "sqlite", and the template has no connector "target"/ },
      { message: 'The task "copy" declares no connector "else"' },
      { message: /"source" of type "csv"/ },
    ]);
    t.match((await editor.post('/api/job-templates/validate', { yaml_content: wrong })).body, {
      valid: false,
      problems: refused.body.details,
    });
  });
});

await eachStore(t, 'a cycle is refused with its path, and YAML with its places', async (t, store) => {
  const { as } = await createDefinitionsApp(t, store, pool);
  const post = (yaml_content: string) =>
    as('editor').post<Refusal>('/api/job-templates', { name: 'x', yaml_content });
  const cycle = await post(
    'version: 1\nname: x\ntasks:\n  a: { task: t, needs: [c] }\n  b: { task: t, needs: [a] }\n  c: { task: t, needs: [b] }\n',
  );
  t.match(cycle, {
    status: 400,
    body: { error: 'VALIDATION_ERROR', message: /a -> \w -> \w -> a|a → \w → \w → a/ },
  });
  const wrong = await post(
    'version: 1\nname: x\ntasks:\n  a: { task: t, needs: [no] }\n  b: { tusk: t, connectors: { x: nope } }\n',
  );
  t.equal(wrong.status, 400);
  t.same(new Set(wrong.body.details.map((problem) => problem.line)), new Set([4, 5]));
  t.ok(wrong.body.details.length >= 3, 'all at once');
  t.match(await as('viewer').post('/api/job-templates', { name: 'x', yaml_content: YAML }), { status: 403 });
});
