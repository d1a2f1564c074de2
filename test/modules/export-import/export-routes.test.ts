import t from 'tap';
import { parseBundleZip } from '../../../src/language/bundle/bundle-zip.ts';
import { parseBundle } from '../../../src/language/bundle/parse-bundle.ts';
import { checkSecret, findSecret } from '../../support/history-secrets.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import type { Refusal } from '../jobs/definitions-app.ts';
import {
  CHECK,
  COPY,
  createBundlesApp,
  exported,
  makeDefinitions,
  PASSWORD,
  postedAs,
} from './bundles-app.ts';

const pool = await sharedWorkerPool();
const EVERYTHING = { tasks: '*', job_templates: '*', include_connectors: '*' };

t.test('an export', async (t) => {
  await eachStore(t, 'holds what a template needs, by name, and no secret', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    await makeDefinitions(test);
    const answer = await postedAs(test, 'viewer', '/api/export', {
      job_templates: ['Nightly load'],
      include_connectors: true,
    });
    t.equal(answer.statusCode, 200, answer.body);
    t.equal(answer.headers['content-type'], 'application/yaml; charset=utf-8');
    t.match(answer.headers['content-disposition'], /filename="headgate-bundle.yaml"/);
    const read = parseBundle(answer.body);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const { connectors, tasks, job_templates } = read.value;
    t.same(
      tasks.map(({ name, description }) => [name, description]),
      [
        ['check', 'Looks whether it is there'],
        ['copy', 'no: "copy" #1'],
      ],
    );
    t.match(job_templates, [{ name: 'Nightly load', dashboard_templates: [{ name: 'Board' }] }]);
    t.same(connectors, [
      { name: 'files', type: 'csv', description: null, config: { path: '/data' }, secrets: [] },
      {
        name: 'warehouse',
        type: 'postgres',
        description: null,
        config: { host: 'db.example.com', user: 'etl' },
        secrets: ['password'],
      },
    ]);
    t.notMatch(answer.body, /\bid:\s*\d|version: [2-9]|created|updated/, 'neither ids nor times');
    await checkSecret(PASSWORD, { store, answers: new Map([['export', answer.body]]) });
    t.same(findSecret(answer.body, PASSWORD), []);
    const audit = await store.read
      .selectFrom('audit_logs')
      .selectAll()
      .where('action', '=', 'bundle.export')
      .execute();
    t.match(audit, [
      { actor_name: 'viewer@example.com', diff_json: /"tasks":2,"job_templates":1,"dashboard_templates":1/ },
    ]);
  });

  await eachStore(t, 'has the same bytes whatever the order in which things were made', async (t, store) => {
    const one = await createBundlesApp(t, store, pool);
    await makeDefinitions(one);
    const text = await exported(one, EVERYTHING);
    t.equal(await exported(one, EVERYTHING), text);
    const tasks = { ...EVERYTHING, tasks: ['copy', 'check'] };
    t.equal(
      await exported(one, { ...tasks, job_templates: ['Nightly load'], include_connectors: [2, 1] }),
      text,
    );
    t.equal((await one.as('editor').put('/api/tasks/1', { yaml_content: COPY })).body['version'], 2);
    const changed = await exported(one, EVERYTHING);
    t.equal(changed, text.replace('no: \\"copy\\" #1', '').replace('description: ""', 'description: null'));

    const other = await createBundlesApp(t, await openTestStore(t, store.dialect.name), pool);
    await makeDefinitions(other, 'last');
    t.equal(await exported(other, EVERYTHING), text, 'made in another order');
  });

  await eachStore(t, 'comes as a zip where that is asked for', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    await makeDefinitions(test);
    const ask = (headers: Record<string, string>, payload: object) =>
      postedAs(test, 'viewer', '/api/export', payload, headers);
    const byHeader = await ask({ accept: 'application/zip' }, EVERYTHING);
    t.match(byHeader.headers, { 'content-type': 'application/zip', 'content-disposition': /bundle.zip"/ });
    const byBody = await ask({}, { ...EVERYTHING, format: 'zip' });
    t.equal(Buffer.compare(byHeader.rawPayload, byBody.rawPayload), 0, 'the same bytes');
    const unzipped = parseBundleZip(byHeader.rawPayload);
    const plain = parseBundle(
      (await ask({ accept: 'application/zip' }, { ...EVERYTHING, format: 'yaml' })).body,
    );
    t.ok(unzipped.ok);
    t.same(unzipped, plain);
  });

  await eachStore(t, 'leaves archived things out unless they are named', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    await makeDefinitions(test);
    const admin = test.as('admin');
    const { id } = (await admin.post<{ id: number }>('/api/tasks', { name: 'old', yaml_content: CHECK }))
      .body;
    t.equal((await admin.post(`/api/tasks/${id}/archive`)).status, 200);
    t.notMatch(await exported(test, { tasks: '*' }), /name: old/);
    t.match(await exported(test, { tasks: [id] }), /name: old/);
    t.equal((await admin.post('/api/dashboard-templates/1/archive')).status, 200);
    t.notMatch(await exported(test, { job_templates: '*' }), /Board/);
    t.equal(await exported(test, {}), 'headgate_bundle: 1\n');
  });

  await eachStore(t, 'names what does not exist, and who may not', async (t, store) => {
    const test = await createBundlesApp(t, store, pool);
    await makeDefinitions(test);
    const wrong = await test
      .as('viewer')
      .post<Refusal>('/api/export', { tasks: ['copy', 'nope', 77], job_templates: ['x'] });
    t.equal(wrong.status, 400);
    t.same(
      wrong.body.details.map(({ path, message }) => [path, message]),
      [
        ['job_templates[0]', 'There is no job template "x"'],
        ['tasks[1]', 'There is no task "nope"'],
        ['tasks[2]', 'There is no task "77"'],
      ],
    );
    t.match(await test.anonymous.post('/api/export', EVERYTHING), { status: 401 });
    const narrow = test.withKey('admin', 'export:read', 'tasks:read');
    t.match(await narrow.post('/api/export', EVERYTHING), {
      status: 403,
      body: { message: /scope "job-templates:read"/ },
    });
    t.match(await test.withKey('admin', 'tasks:read').post('/api/export', { tasks: '*' }), {
      status: 403,
      body: { message: /scope "export:read"/ },
    });
    t.match(await narrow.post('/api/export', { tasks: [], include_connectors: true }), {
      status: 403,
      body: { message: /scope "connectors:read"/ },
    });
    await test.as('admin').post('/api/job-templates/1/dashboard-templates', {
      name: 'Board',
      yaml_content: 'dashboard:\n  widgets: []\n',
    });
    t.match(await test.as('viewer').post('/api/export', { job_templates: '*' }), {
      status: 422,
      body: { message: /"Nightly load" has two dashboard templates "Board"/ },
    });
    t.match(await test.as('viewer').post('/api/export', { tasks: '*', secrets: true }), { status: 400 });
  });
});
