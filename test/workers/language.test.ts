import t from 'tap';
import { startRealPool } from './fixtures/real-pool.ts';

const TASK = `
version: 1
name: copy
connectors: { from: { type: csv }, to: { type: sqlite } }
args: { file: { type: string, required: true } }
steps:
  - { id: rows, kind: extract, connector: from, method: read, args: { file: "{{ args.file }}" } }
  - { id: write, kind: load, input: rows, connector: to, object: people, mode: append }
`;

const TEMPLATE = `
version: 1
name: nightly
connectors: { store: { type: sqlite, required: true } }
job_config:
  source:
    type: form
    fields:
      - { key: folder, label: Folder, type: text, required: true, default: in }
      - { key: size, label: Size, type: number }
tasks:
  load: { task: copy, connectors: { to: store }, args: { file: "{{ job_config.source.folder }}/a.csv" } }
  tidy: { task: tidy, needs: [load], when: "job_config.source.size > 1" }
`;

t.test('language tasks run in the worker host', async (t) => {
  const pool = startRealPool();
  t.teardown(() => pool.stop());

  await t.test('a task is summed up', async (t) => {
    const answer = await pool.run({ kind: 'parse_task', input: { yaml: TASK } });
    t.match(answer, {
      ok: true,
      info: { name: 'copy', connectors: { from: { type: 'csv' }, to: { type: 'sqlite' } } },
    });
  });
  await t.test('problems come with their place', async (t) => {
    const yaml = 'version: 1\nname: x\nstpes: []\n';
    const answer = await pool.run({ kind: 'parse_task', input: { yaml } });
    if (answer.ok) return t.fail('it was taken');
    t.ok(answer.problems.some((problem) => problem.path === 'stpes' && problem.line === 3));
  });
  await t.test('a template is summed up', async (t) => {
    const answer = await pool.run({ kind: 'parse_template', input: { yaml: TEMPLATE } });
    if (!answer.ok) return t.fail(JSON.stringify(answer.problems));
    const { info } = answer;
    t.same(info.levels, [['load'], ['tidy']]);
    t.match(info.tasks, [
      { key: 'load', when: null, connectors: { to: 'store' } },
      { key: 'tidy', needs: ['load'], when: 'job_config.source.size > 1' },
    ]);
    t.same(info.jobConfigDefaults, { source: { folder: 'in' } });
    t.match(info.jobConfig, { source: { type: 'form', fields: [{ key: 'folder' }, { key: 'size' }] } });
    t.match(info.dag, { tasks: { load: { task: 'copy' } } });
  });
  await t.test('limits of tasks and templates are summed up', async (t) => {
    const task = `${TASK}concurrency: 2\ndeadline: 1h\n`;
    t.match(await pool.run({ kind: 'parse_task', input: { yaml: task } }), {
      info: { limits: { concurrency: 2, deadlineMs: 3_600_000 } },
    });
    const plain = await pool.run({ kind: 'parse_task', input: { yaml: TASK } });
    t.same(plain.ok && plain.info.limits, {});
    const yaml = `${TEMPLATE}concurrency: { limit: 1, key_expr: job_config.source.folder }\ndeadline: 1h\n`;
    t.match(await pool.run({ kind: 'parse_template', input: { yaml } }), {
      info: {
        concurrency: { limit: 1, onConflict: 'queue', keyExpr: 'job_config.source.folder' },
        deadlineMs: 3_600_000,
      },
    });
  });
  await t.test('the key of a start is evaluated: equal values give equal text', async (t) => {
    const keyOf = (expression: string, scope: Record<string, unknown>) =>
      pool.run({
        kind: 'job_key',
        input: { templateYaml: `${TEMPLATE}concurrency: { limit: 1, key_expr: '${expression}' }\n`, scope },
      });
    const scope = { args: { a: 1, b: { y: 2, x: [1] } }, job_config: { source: { folder: 'in' } } };
    t.same(await keyOf('job_config.source.folder', scope), { ok: true, key: '"in"' });
    t.same(await keyOf('args.b', scope), { ok: true, key: '{"x":[1],"y":2}' });
    t.same(await keyOf('args.none', scope), { ok: true, key: 'null' });
    const long = await keyOf('args.a', { ...scope, args: { a: 'x'.repeat(10_000) } });
    t.match(long, { ok: true, key: /^[0-9a-f]{64}$/ }, 'a long one is told apart by its hash');
    t.match(await keyOf('$sum(job_config.source.folder)', scope), {
      ok: false,
      message: /^"concurrency.key_expr" failed: /,
    });
  });
  await t.test("a job's configuration is checked, whole or by entry", async (t) => {
    const whole = { templateYaml: TEMPLATE, values: { source: { folder: 'x', size: 'big' } } };
    const { problems } = await pool.run({ kind: 'validate_job_config', input: whole });
    t.match(problems, [{ path: 'source.size' }]);
    const entry = { templateYaml: TEMPLATE, key: 'source', values: { folder: 'x', size: 2 } };
    t.same(await pool.run({ kind: 'validate_job_config', input: entry }), {
      problems: [],
      values: { folder: 'x', size: 2 },
      hidden: [],
    });
  });
  await t.test('a node of the graph is rendered', async (t) => {
    const scope = { args: {}, job_config: { source: { folder: 'inbox', size: 1 } } };
    const load = { templateYaml: TEMPLATE, key: 'load', scope };
    t.same(await pool.run({ kind: 'render_node', input: load }), {
      when: true,
      args: { file: 'inbox/a.csv' },
    });
    const tidy = { templateYaml: TEMPLATE, key: 'tidy', scope };
    t.same(await pool.run({ kind: 'render_node', input: tidy }), { when: false, args: {} });
    const none = { templateYaml: TEMPLATE, key: 'none', scope };
    await t.rejects(pool.run({ kind: 'render_node', input: none }), { code: 'NOT_FOUND' });
  });
  await t.test('a dashboard comes with its public view', async (t) => {
    const yaml = `
title: "Job of \${NAME}"
pages:
  - { id: a, title: A, widgets: [{ id: n, type: stat, connector: db, method: query, args: { sql: "SELECT 1" } }] }
  - { id: b, title: B, public: false, widgets: [] }
`;
    const answer = await pool.run({ kind: 'parse_dashboard', input: { yaml, vars: { NAME: 'Ada' } } });
    if (!answer.ok) return t.fail(JSON.stringify(answer.problems));
    t.match(answer.dashboard, { title: 'Job of Ada', pages: [{ id: 'a' }, { id: 'b' }] });
    t.notMatch(JSON.stringify(answer.publicDashboard), /SELECT|"b"/);
  });
  await t.test('a template of a dashboard keeps its variables', async (t) => {
    const yaml = `title: "\${NAME}"\nwidgets: []\n`;
    const answer = await pool.run({ kind: 'parse_dashboard', input: { yaml, vars: null } });
    t.match(answer, { ok: true, dashboard: { title: `\${NAME}` } });
  });
});
