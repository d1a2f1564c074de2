import t from 'tap';
import { eachStore } from '../../../support/stores.ts';
import { sharedWorkerPool } from '../../../support/worker-pool.ts';
import { actions, apply, bundleOf, imported, plan, planned } from '../bundle-imports.ts';
import { BOARD, CHECK, COPY, createBundlesApp, makeDefinitions, NIGHTLY } from '../bundles-app.ts';
import { stateOf } from '../state-of.ts';

const pool = await sharedWorkerPool();

t.test('a bundle', async (t) => {
  await eachStore(t, 'meets what is here already by each policy', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    await makeDefinitions(test);
    const changed = COPY.replace('mode: append', 'mode: replace');
    const bundle = bundleOf({
      tasks: [
        { name: 'check', yaml: CHECK },
        { name: 'copy', description: null, yaml: changed },
      ],
      job_templates: [
        {
          name: 'Nightly load',
          yaml: NIGHTLY.replace('Every night', 'Each night'),
          dashboard_templates: [{ name: 'Board', yaml: BOARD.replace('Hi', 'Hello') }],
        },
      ],
    });
    const of = (conflict: string) => planned(test, { bundle, conflict });
    t.same(actions(await of('fail')), [
      'unchanged task check',
      'conflict task copy',
      'conflict job_template Nightly load',
      'conflict dashboard_template Board',
    ]);
    t.match(await of('fail'), { applicable: false, summary: { conflict: 3, unchanged: 1 } });
    const before = await stateOf(store);
    const refused = await apply(test, { bundle, plan_hash: (await of('fail')).plan_hash });
    t.match(refused, {
      status: 422,
      body: {
        error: 'UNPROCESSABLE',
        message: /^Nothing was imported\. task "copy" name: There is a task "copy" already/,
      },
    });
    t.equal(refused.body.details.length, 3);
    const skip = await of('skip');
    t.match(skip, { applicable: true, summary: { skip: 3, unchanged: 1 } });
    t.equal((await apply(test, { bundle, conflict: 'skip', plan_hash: skip.plan_hash })).status, 200);
    t.same(
      { ...(await stateOf(store)), audit_logs: [] },
      { ...before, audit_logs: [] },
      'nothing but the audit row',
    );

    const rename = await of('rename');
    t.match(rename.items, [
      { action: 'unchanged' },
      {
        action: 'conflict',
        problems: [{ message: /The job template "Nightly load" of the bundle names it/ }],
      },
      { action: 'create', rename_to: 'Nightly load-2' },
      { action: 'create', rename_to: null, name: 'Board' },
    ]);
    const task = await imported(test, { bundle, conflict: 'rename', select: { tasks: ['copy'] } });
    t.match(task, { status: 200, body: { items: [{ name: 'copy', rename_to: 'copy-2', version: 1 }] } });
    const next = await planned(test, { bundle, conflict: 'rename', select: { tasks: ['copy'] } });
    t.match(next.items, [{ rename_to: 'copy-3' }]);
    const template = await imported(test, {
      bundle,
      conflict: 'rename',
      select: { job_templates: ['Nightly load'] },
    });
    t.match(template.body.items, [{ rename_to: 'Nightly load-2' }, { action: 'create', name: 'Board' }]);

    const update = await of('update');
    t.match(update.items, [
      { action: 'unchanged', diff: '', changes: [] },
      {
        action: 'update',
        version: 1,
        changes: ['yaml_content', 'description'],
        diff: /-.*mode: append.*\n\+.*mode: replace/,
      },
      { action: 'update', changes: ['yaml_content'] },
      { action: 'update', diff: /-.*Hi.*\n\+.*Hello/ },
    ]);
    const pinned = await store.read.selectFrom('job_tasks').selectAll().execute();
    const jobs = await store.read.selectFrom('jobs').selectAll().execute();
    const boards = await store.read.selectFrom('dashboards').selectAll().execute();
    const done = await apply(test, { bundle, conflict: 'update', plan_hash: update.plan_hash });
    t.same(
      done.body.items.map(({ version }) => version),
      [1, 2, 2, 2],
    );
    t.same(await store.read.selectFrom('job_tasks').selectAll().execute(), pinned, 'jobs keep what they pin');
    t.same(await store.read.selectFrom('jobs').selectAll().execute(), jobs);
    t.same(await store.read.selectFrom('dashboards').selectAll().execute(), boards);
  });

  await eachStore(t, 'says what it lacks, and what is wrong in it', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    const lacking = bundleOf({
      tasks: [
        { name: 'bad', yaml: 'version: 1\nname: bad\nsteps:\n  - { id: a, kind: nope }\n' },
        { name: 'copy', yaml: COPY },
      ],
      job_templates: [
        { name: 'n', yaml: NIGHTLY, dashboard_templates: [{ name: 'b', yaml: 'dashboard: 3\n' }] },
      ],
      connectors: [
        { name: 'a', type: 'tape', config: {} },
        { name: 'b', type: 'csv', config: { path: '/x', nope: 1 } },
        { name: 'c', type: 'postgres', config: { host: 'h', password: 'clear' }, secrets: ['password'] },
        { name: 'd', type: 'postgres', config: {}, secrets: ['url'] },
        { name: 'e', type: 'csv', config: { path: `\${env:HOME}` } },
      ],
    });
    const { items, applicable } = await planned(test, { bundle: lacking });
    t.equal(applicable, false);
    t.match(items, [
      { action: 'missing_dependency', problems: [{ message: 'This server has no connector type "tape"' }] },
      { action: 'invalid', problems: [{ path: 'config.nope' }] },
      {
        action: 'invalid',
        problems: [{ path: 'config.password', message: /is a secret and must be left out/ }],
      },
      { action: 'create' },
      {
        action: 'invalid',
        problems: [{ message: /refers to \$\{env:HOME\}, which this server does not allow/ }],
      },
      { action: 'invalid', problems: [{ line: 4 }] },
      { action: 'create' },
      {
        action: 'missing_dependency',
        problems: [{ path: 'tasks.check.task', message: 'There is no task "check"' }],
      },
      { action: 'invalid', problems: [{}] },
    ]);
    const refused = await apply(test, {
      bundle: lacking,
      plan_hash: (await planned(test, { bundle: lacking })).plan_hash,
    });
    t.match(refused, { status: 422 });
    t.notMatch(refused.text, /clear/);

    const unfit = bundleOf({
      tasks: [
        { name: 'copy', yaml: COPY },
        { name: 'check', yaml: CHECK },
      ],
      job_templates: [{ name: 'n', yaml: NIGHTLY.replace('db: { type: postgres }', 'db: { type: sqlite }') }],
    });
    const without = bundleOf({
      tasks: [
        { name: 'copy', yaml: COPY },
        { name: 'check', yaml: CHECK },
      ],
      job_templates: [{ name: 'n', yaml: NIGHTLY }],
    });
    t.match((await planned(test, { bundle: unfit })).items[2], {
      action: 'invalid',
      problems: [{ message: /needs the connector "target"/ }],
    });
    t.match((await planned(test, { bundle: without })).items[2], {
      action: 'create',
      warnings: [{ path: 'connectors.file' }, { path: 'connectors.db' }],
    });
    t.match((await planned(test, { bundle: without, connector_missing: 'fail' })).items[2], {
      action: 'missing_dependency',
    });
    const stub = bundleOf({ connectors: [{ name: 'f', type: 'csv', config: { path: '/x' } }] });
    t.match((await planned(test, { bundle: stub, connector_missing: 'fail' })).items, [
      { action: 'missing_dependency' },
    ]);
    t.match(await plan(test, { bundle: stub, select: { tasks: ['zz'] } }), {
      status: 400,
      body: { details: [{ path: 'select.tasks' }] },
    });
  });

  await eachStore(t, 'changes no connector that is here', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    await makeDefinitions(test);
    const rows = () => store.read.selectFrom('connectors').selectAll().execute();
    const before = await rows();
    const moved = bundleOf({
      connectors: [
        { name: 'warehouse', type: 'postgres', config: { host: 'evil.example.com' }, secrets: ['password'] },
      ],
    });
    for (const conflict of ['fail', 'update', 'skip', 'rename']) {
      const done = await imported(test, { bundle: moved, conflict });
      t.match(done, {
        status: 200,
        body: { items: [{ action: 'skip', warnings: [{ message: /kept unchanged/ }] }] },
      });
    }
    t.same(await rows(), before);
    t.match((await planned(test, { bundle: moved })).items, [
      { diff: /- {2}host: db\.example\.com\n(?:-.*\n)?\+ {2}host: evil/ },
    ]);
    const other = bundleOf({ connectors: [{ name: 'warehouse', type: 'csv', config: { path: '/x' } }] });
    t.match((await planned(test, { bundle: other, conflict: 'update' })).items, [{ action: 'conflict' }]);
    t.match((await planned(test, { bundle: other, conflict: 'rename' })).items, [
      { action: 'create', rename_to: 'warehouse-2' },
    ]);
  });
});
