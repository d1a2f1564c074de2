import { strToU8, zipSync } from 'fflate';
import t from 'tap';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { apply, bundleOf, imported, plan, planned } from './bundle-imports.ts';
import { CHECK, COPY, createBundlesApp, exported, postedAs } from './bundles-app.ts';
import { stateOf } from './state-of.ts';

const BOMB = zipSync({ 'bundle.yaml': new Uint8Array(50_000_000) }, { level: 9 });
const pool = await sharedWorkerPool();

t.test('a bundle', async (t) => {
  await eachStore(t, 'is applied as it was planned, or not at all', async (t, store) => {
    const hook: { call: (() => Promise<unknown>) | null } = { call: null };
    const test = await createBundlesApp(t, store, pool, {
      wrap: (given) => ({
        ...given,
        write: async (work, name) => {
          const call = name === 'bundle-import' ? hook.call : null;
          hook.call = name === 'bundle-import' ? null : hook.call;
          await call?.();
          return given.write(work, name);
        },
      }),
    });
    const editor = test.as('editor');
    const bundle = bundleOf({
      tasks: [
        { name: 'check', yaml: CHECK },
        { name: 'copy', yaml: COPY },
      ],
    });
    const { plan_hash } = await planned(test, { bundle });
    t.match(await apply(test, { bundle }), { status: 400, body: { message: /"plan_hash" is required/ } });
    t.match(await apply(test, { bundle, plan_hash: '0'.repeat(64) }), { status: 409 });
    t.equal((await editor.post('/api/tasks', { name: 'copy', yaml_content: CHECK })).status, 201);
    const before = await stateOf(store);
    const changed = await apply(test, { bundle, plan_hash });
    t.match(changed, {
      status: 409,
      body: {
        error: 'CONFLICT',
        details: [
          { path: 'task "check"', message: 'Now: create' },
          { path: 'task "copy"', message: 'Now: conflict, at version 1 here' },
        ],
      },
    });
    t.same(await stateOf(store), before);

    const update = await planned(test, { bundle, conflict: 'update' });
    hook.call = () => editor.put('/api/tasks/1', { name: 'copy', description: 'mine', yaml_content: CHECK });
    const raced = await apply(test, { bundle, conflict: 'update', plan_hash: update.plan_hash });
    t.match(raced, { status: 409, body: { details: [{}, { message: 'Now: update, at version 2 here' }] } });
    t.match(
      await editor.get('/api/tasks'),
      { body: { result: [{ name: 'copy', version: 2 }] } },
      'nothing of it was done',
    );
    const done = await imported(test, { bundle, conflict: 'update' });
    t.match(done, { status: 200, body: { summary: { create: 1, update: 1 } } });
  });

  await eachStore(t, 'leaves nothing behind where it fails at the end', async (t, store) => {
    const test = await createBundlesApp(t, store, pool, {
      // Everything is written when the transaction fails, as on a full disk.
      wrap: (given) => ({
        ...given,
        write: (work, name) =>
          given.write(async (tx) => {
            const result = await work(tx);
            if (name === 'bundle-import') throw new Error('the disk is full');
            return result;
          }, name),
      }),
    });
    const bundle = bundleOf({
      tasks: [{ name: 'copy', yaml: COPY }],
      connectors: [{ name: 'f', type: 'csv', config: { path: '/x' } }],
    });
    const { plan_hash } = await planned(test, { bundle });
    const before = await stateOf(store);
    t.equal((await apply(test, { bundle, plan_hash })).status, 500);
    t.same(await stateOf(store), before);
  });

  await eachStore(t, 'is imported by who may do each of its parts', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    const tasks = bundleOf({ tasks: [{ name: 'copy', yaml: COPY }] });
    const stubs = bundleOf({ connectors: [{ name: 'f', type: 'csv', config: { path: '/x' } }] });
    t.match(await test.anonymous.post('/api/import?dry_run=true', { bundle: tasks }), { status: 401 });
    t.match(await test.as('operator').post('/api/import?dry_run=true', { bundle: tasks }), { status: 403 });
    t.match(await plan(test, { bundle: stubs }, 'editor'), { status: 200, body: { required_role: 'admin' } });
    const { plan_hash } = await planned(test, { bundle: stubs });
    t.match(await apply(test, { bundle: stubs, plan_hash }, 'editor'), {
      status: 403,
      body: { message: /role "admin"/ },
    });
    const narrow = test.withKey('admin', 'import:write', 'connectors:read');
    const narrowly = (bundle: string) => narrow.post('/api/import?dry_run=true', { bundle });
    t.match(await narrowly(tasks), { status: 403, body: { message: /scope "tasks:write"/ } });
    t.equal((await narrowly(stubs)).status, 200);
    t.match(await narrow.post('/api/import', { bundle: stubs, plan_hash }), {
      status: 403,
      body: { message: /scope "connectors:write"/ },
    });
    t.match(await test.withKey('admin', 'tasks:write').post('/api/import?dry_run=true', { bundle: tasks }), {
      status: 403,
    });
    t.equal((await apply(test, { bundle: stubs, plan_hash })).status, 200);
  });

  await eachStore(t, 'is applied once for one Idempotency-Key', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    const bundle = bundleOf({ tasks: [{ name: 'copy', yaml: COPY }] });
    const { plan_hash } = await planned(test, { bundle });
    const once = () =>
      test.as('editor').post('/api/import', { bundle, plan_hash }, { 'idempotency-key': 'k1' });
    const first = await once();
    const second = await once();
    t.equal(second.headers['idempotent-replayed'], 'true');
    t.same(second.body, first.body);
  });

  await eachStore(t, 'is applied once for one plan, with no Idempotency-Key too', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    const editor = test.as('editor');
    t.equal((await editor.post('/api/tasks', { name: 'copy', yaml_content: CHECK })).status, 201);
    const bundle = bundleOf({ tasks: [{ name: 'copy', yaml: COPY }] });
    for (const conflict of ['rename', 'update'] as const) {
      const { plan_hash } = await planned(test, { bundle, conflict });
      t.equal((await apply(test, { bundle, conflict, plan_hash })).status, 200);
      const after = await stateOf(store);
      t.match(await apply(test, { bundle, conflict, plan_hash }), { status: 409 }, `${conflict}, sent again`);
      t.same(await stateOf(store), after, conflict);
    }
    t.match(await editor.get('/api/tasks?sort=name'), {
      body: {
        result: [
          { name: 'copy', version: 2 },
          { name: 'copy-2', version: 1 },
        ],
      },
    });
  });

  await eachStore(t, 'that is hostile changes nothing', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    const before = await stateOf(store);
    const bomb = `headgate_bundle: 1\na: &a [x,x,x]\nb: &b [*a,*a,*a]\ntasks: *b\n`;
    t.match(await plan(test, { bundle: bomb }), { status: 400, body: { message: /aliases/ } });
    t.match(await plan(test, { bundle: 'headgate_bundle: 1\n__proto__: { role: admin }\n' }), {
      status: 400,
    });
    t.match(
      await plan(test, {
        bundle: bundleOf({ connectors: [{ name: 'constructor', type: 'constructor', config: {} }] }),
      }),
      {
        status: 200,
        body: { items: [{ action: 'missing_dependency' }] },
      },
    );
    t.match(await plan(test, { bundle: `headgate_bundle: 1\n# ${'x'.repeat(2_097_152)}` }), { status: 400 });
    t.match(await plan(test, { bundle: `headgate_bundle: 1\ntasks: ${'['.repeat(1e5)}` }), {
      status: 400,
      body: { message: /nested/ },
    });
    t.match(await plan(test, {}), { status: 400, body: { message: /either "bundle" or "bundle_zip"/ } });
    t.match(await plan(test, { bundle: 'a', bundle_zip: 'AAAA' }), { status: 400 });
    const zip = (bytes: Uint8Array) =>
      postedAs(test, 'admin', '/api/import?dry_run=true', Buffer.from(bytes), {
        'content-type': 'application/zip',
      });
    const manifest = strToU8('headgate_bundle: 1\ntasks: [{ name: a, yaml_file: ../../a.yaml }]\n');
    t.match((await zip(zipSync({ 'bundle.yaml': manifest, '../../a.yaml': strToU8(COPY) }))).json(), {
      error: 'VALIDATION_ERROR',
      message: /The zip holds "..\/..\/a.yaml"/,
    });
    t.match((await zip(BOMB)).json(), {
      message: /holds more than 2097152 bytes/,
    });
    const junk = await postedAs(test, 'admin', '/api/import?dry_run=true', Buffer.from('no zip'), {
      'content-type': 'application/zip',
    });
    t.equal(junk.statusCode, 400);
    const names = ['__proto__', 'constructor', '../../etc/passwd', '名前 🚀', 'a: b'];
    const done = await imported(test, {
      bundle: bundleOf({ tasks: names.map((name) => ({ name, yaml: COPY })) }),
    });
    t.match(done, { status: 200, body: { summary: { create: names.length } } });
    t.equal(({} as { role?: string }).role, undefined);
    t.equal(before['tasks']?.length, 0);
    const round = await exported(test, { tasks: '*' });
    t.match(await planned(test, { bundle: round }), { summary: { unchanged: names.length } });
  });
});

t.test('an import holds its definitions against each other, and against what is here', async (t) => {
  const test = await createBundlesApp(t, await openTestStore(t, 'sqlite'), pool);
  const load =
    'version: 1\nname: load\nargs: { day: { type: string } }\nsteps: [{ id: a, kind: log, message: hi }]\n';
  const template = (args: string, dashboard: string) => ({
    name: 'nightly',
    yaml: `version: 1\nname: nightly\ntasks: { one: { task: load, args: ${args} } }\n`,
    dashboard_templates: [{ name: 'Board', yaml: dashboard }],
  });
  const rows = 'widgets: [{ id: rows, type: table, connector: gone, method: list }]';
  const tasks = [{ name: 'load', yaml: load }];
  const wrong = await planned(test, {
    bundle: bundleOf({ tasks, job_templates: [template('{ dya: x }', rows)] }),
  });
  t.match(wrong.items, [
    { kind: 'task', action: 'create' },
    {
      kind: 'job_template',
      action: 'invalid',
      problems: [{ path: 'tasks.one.args.dya', line: 3, message: /did you mean "day"/ }],
    },
    { kind: 'dashboard_template' },
  ]);
  t.equal((await test.as('editor').post('/api/tasks', { name: 'load', yaml_content: load })).status, 201);
  const alone = await planned(test, { bundle: bundleOf({ job_templates: [template('{ day: x }', rows)] }) });
  t.match(alone.items, [
    { kind: 'job_template', action: 'create' },
    { kind: 'dashboard_template', action: 'invalid', problems: [{ message: /no connector "gone"/ }] },
  ]);
});
