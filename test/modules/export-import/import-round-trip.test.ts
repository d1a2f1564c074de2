import t from 'tap';
import { checkSecret } from '../../support/history-secrets.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { actions, apply, imported, plan, planned } from './bundle-imports.ts';
import { COPY, createBundlesApp, exported, makeDefinitions, PASSWORD, postedAs } from './bundles-app.ts';
import { stateOf } from './state-of.ts';

const pool = await sharedWorkerPool();
const DEFINITIONS = { tasks: '*', job_templates: '*' };
const EVERYTHING = { tasks: '*', job_templates: '*', include_connectors: '*' };

t.test('a bundle', async (t) => {
  await eachStore(t, 'makes of an empty server one that exports the same bytes', async (t, store) => {
    const source = await createBundlesApp(t, await openTestStore(t, store.dialect.name), pool);
    await makeDefinitions(source);
    const bundle = await exported(source, EVERYTHING);
    const target = await createBundlesApp(t, store, pool);
    const before = await stateOf(store);
    const dry = await planned(target, { bundle });
    t.same(await stateOf(store), before, 'a dry run changes nothing');
    t.match(dry, {
      dry_run: true,
      applicable: true,
      required_role: 'admin',
      summary: { create: 6, update: 0 },
    });
    t.same(actions(dry), [
      'create connector files',
      'create connector warehouse',
      'create task check',
      'create task copy',
      'create job_template Nightly load',
      'create dashboard_template Board',
    ]);
    t.match(dry.items[1]?.warnings, [{ message: /without its secrets \(password\)/ }]);
    t.match(
      dry.items[2]?.diff,
      /^--- \/dev\/null\n\+\+\+ task check of the bundle\n@@ [^\n]+\n\+version: 1\n/,
    );

    const done = await apply(target, { bundle, plan_hash: dry.plan_hash });
    t.match(done, { status: 200, body: { dry_run: false, plan_hash: dry.plan_hash } });
    t.same(
      done.body.items.map(({ version }) => version),
      [1, 1, 1, 1, 1, 1],
    );
    const stub = await target.as('viewer').get('/api/connectors?q=warehouse');
    t.match(stub.body, { result: [{ name: 'warehouse', config: { host: 'db.example.com', user: 'etl' } }] });
    await checkSecret(PASSWORD, {
      store,
      answers: new Map([
        ['plan', JSON.stringify(dry)],
        ['done', done.text],
      ]),
    });

    const audit = await store.read
      .selectFrom('audit_logs')
      .select(['action', 'diff_json', 'resource_id'])
      .execute();
    const origin = `"bundle":"${dry.plan_hash}"`;
    for (const action of [
      'connector.create',
      'task.create',
      'job_template.create',
      'dashboard_template.create',
    ])
      t.ok(
        audit.some((row) => row.action === action && row.diff_json?.includes(origin)),
        action,
      );
    t.match(
      audit.find((row) => row.action === 'bundle.import'),
      { resource_id: dry.plan_hash, diff_json: /"create":6/ },
    );

    t.equal(await exported(target, EVERYTHING), bundle, 'the same bytes, before its secrets are set');

    const second = await imported(target, { bundle });
    t.match(second, { status: 200, body: { summary: { unchanged: 6, create: 0 }, required_role: 'editor' } });
    t.match(second.body.items[1]?.warnings, [{ message: 'Its secrets still have to be set: password' }]);
    const open = { host: 'db.example.com', user: 'etl' };
    const save = async (config: object, name = 'warehouse') => {
      const body = { name, type: 'postgres', config };
      t.equal((await target.as('admin').put('/api/connectors/2', body)).status, 200);
    };
    await save(open, 'renamed');
    await save(open);
    t.equal(await exported(target, EVERYTHING), bundle, 'the same bytes, after a change that set none');
    await save({ ...open, password: 'another' });
    t.equal(await exported(target, EVERYTHING), bundle, 'the same bytes, with its secrets');
    await save(open);
    t.notMatch(await exported(target, EVERYTHING), 'password', 'what was set and removed is not open');
    t.same(await exported(target, DEFINITIONS), await exported(source, DEFINITIONS));
    const versions = await store.read.selectFrom('task_versions').select('version').execute();
    t.same(versions, [{ version: 1 }, { version: 1 }], 'the same bundle again made no version');
  });

  await eachStore(t, 'is taken as YAML, as a zip, and as JSON with either', async (t, store) => {
    const source = await createBundlesApp(t, await openTestStore(t, store.dialect.name), pool);
    await makeDefinitions(source);
    const bundle = await exported(source, EVERYTHING);
    const zip = (await postedAs(source, 'viewer', '/api/export', { ...EVERYTHING, format: 'zip' }))
      .rawPayload;
    const target = await createBundlesApp(t, store, pool);
    const { plan_hash } = await planned(target, { bundle });
    const send = (body: string | Buffer, type: string, query: string) =>
      postedAs(target, 'admin', `/api/import?${query}`, body, { 'content-type': type });
    t.match((await send(bundle, 'application/yaml', 'dry_run=true')).json(), { plan_hash });
    t.match((await send(zip, 'application/zip', 'dry_run=true')).json(), { plan_hash });
    t.match(await plan(target, { bundle_zip: zip.toString('base64') }), { body: { plan_hash } });
    const other = await send(zip, 'application/zip', `conflict=skip&plan_hash=${plan_hash}`);
    t.equal(other.statusCode, 409, 'other options are another plan');
    const done = await send(zip, 'application/zip', `plan_hash=${plan_hash}`);
    t.match(done.json(), { summary: { create: 6 } });
    t.match(await target.as('editor').get('/api/tasks'), {
      body: { result: [{ name: 'copy' }, { name: 'check' }] },
    });
  });
});

t.test('a second server takes over what a first one exported, zip or not', async (t) => {
  await eachStore(t, 'and plans only what differs', async (t, store) => {
    const source = await createBundlesApp(t, store, pool);
    await makeDefinitions(source);
    const target = await createBundlesApp(t, await openTestStore(t, store.dialect.name), pool);
    const everything = await exported(source, EVERYTHING);
    t.equal((await imported(target, { bundle: everything })).status, 200);
    await source.as('editor').put('/api/tasks/1', { yaml_content: COPY.replace('append', 'replace') });
    const next = await planned(target, {
      bundle: await exported(source, { tasks: '*', job_templates: '*' }),
      conflict: 'update',
    });
    t.match(next, { summary: { update: 1, unchanged: 3 } });
  });
});
