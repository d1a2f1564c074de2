import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { METRICS_BACKENDS } from '../../../src/language/task/task-metrics.ts';
import { METRICS_CONFIGS } from '../../../src/metering/backend-config.ts';
import { createTaskMetrics } from '../../../src/modules/metrics/task-metrics.ts';
import { until } from '../../metering/support/statsd-server.ts';
import { TEST_NOW } from '../../support/clock.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { makeJob } from '../triggers/trigger-jobs.ts';
import { batchOf, createMetricsApp, resultOf } from './metrics-app.ts';

const task = (metrics: string) => `version: 1
name: orders
connectors: {}
${metrics}
steps: [{ id: say, kind: log, message: hello }]
`;

await eachStore(t, 'a task’s own section takes the place of the server’s backends', async (t, store) => {
  const folder = t.testdir();
  const { metrics, configs, backends } = await createMetricsApp(t, store, folder);
  await configs.ensureDefault({ path: './metrics.db', state: 'localdb' });
  const runOf = (id: number, section: string) => ({
    id,
    task_id: 7,
    task_name: 'orders',
    job_id: null,
    yaml_content: task(section),
  });
  const write = (run: ReturnType<typeof runOf>) =>
    metrics.storeBatch(run, batchOf(run.id, resultOf('success', 5, 1, TEST_NOW)));
  const stored = async (id: number) => (await (await metrics.stored())?.run(id, 10))?.points.length;

  const plain = runOf(1, '');
  await write(plain);
  t.equal(await stored(1), 3);
  t.match(await metrics.backendsFor(plain), [
    { backend: 'localdb', config: { path: './metrics.db' }, own: undefined },
  ]);

  const own = runOf(2, 'metrics: [{ backend: localdb, config: { path: ./own.db } }, { backend: noop }]');
  await write(own);
  t.equal(await stored(2), 0);
  const file = await backends.taskFile({ path: './own.db', retention_days: 90 });
  t.equal((await file?.stored?.run(2, 10))?.points.length, 3);
  t.match(await metrics.backendsFor(own), [
    { backend: 'localdb', config: { path: './own.db', retention_days: 90 }, own: { task_id: 7 } },
    { backend: 'noop', config: {}, own: { task_id: 7 } },
  ]);

  await write(runOf(3, 'metrics: [{ backend: localdb }]'));
  t.equal(await stored(3), 3, 'the path of a configured backend is that backend');
  await write(runOf(4, 'metrics: [{ backend: statsd }]'));
  t.equal(await stored(4), 0, 'the executor writes these itself');
  t.equal(await backends.taskFile({ path: '../x.db', retention_days: 1 }), null);
  t.notOk(existsSync(join(folder, '../x.db')));
});

t.test('statsd has the job and the template of a run, as tags or in the name', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { metrics, as } = await createMetricsApp(t, store, t.testdir());
  const job_id = await makeJob(store, { name: 'orders eu' });
  const socket = createSocket('udp4');
  const lines: string[] = [];
  socket.on('message', (message) => lines.push(...message.toString().split('\n').filter(Boolean)));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  const config = { port: socket.address().port, flush_ms: 10 };
  for (const tag_format of ['datadog', 'none'])
    await as('admin').post('/api/metrics/config', { backend: 'statsd', config: { ...config, tag_format } });
  await as('admin').post('/api/metrics/config', { backend: 'localdb' });
  const run = { id: 1, task_id: 7, task_name: 'orders', yaml_content: task('') };
  await metrics.storeBatch({ ...run, job_id }, batchOf(1, resultOf('success', 5, 3, TEST_NOW)));
  await until('both have it', async () => lines.length >= 6);
  const tagged =
    'headgate.task.duration_ms:5|ms|#job:orders eu,template:orders eu,status:success,task:orders';
  t.ok(lines.includes(tagged), lines.join('; '));
  const named = 'headgate.task.items_out.job.orders_eu.task.orders.template.orders_eu:3|c';
  t.ok(lines.includes(named), lines.join('; '));
  const kept = await (await metrics.stored())?.run(1, 1);
  t.same(kept?.points[0]?.tags, { status: 'success', task: 'orders' }, 'what is stored knows its run');
  const own = { ...run, job_id, yaml_content: task('metrics: [{ backend: statsd }]') };
  const tags = { job: 'orders eu', template: 'orders eu' };
  t.match(await metrics.backendsFor(own), [{ backend: 'statsd', own: { task_id: 7, tags } }]);
});

t.test('posted points are stored, and not passed on by http', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { metrics, as } = await createMetricsApp(t, store, t.testdir());
  await as('admin').post('/api/metrics/config', { backend: 'localdb' });
  await as('admin').post('/api/metrics/config', { backend: 'http', config: { url: 'http://127.0.0.1:9' } });
  const about = { run_id: 9, attempt: 1, batch_seq: 1, task_id: 7, task_name: 'orders' };
  const points = resultOf('success', 5, 1, TEST_NOW + 1_000).map((one, index) => ({
    ...about,
    index,
    ...one,
  }));
  await metrics.storePoints(points);
  await metrics.storePoints(points);
  const run = await (await metrics.stored())?.run(9, 10);
  t.equal(run?.points.length, 3);
  t.equal(run?.points[0]?.at, TEST_NOW, 'nothing is measured in the future');
});

t.test('the section is read once, and only where there can be one', async (t) => {
  let parsed = 0;
  let fails = true;
  const read = createTaskMetrics(async () => {
    parsed += 1;
    if (fails) throw new Error('the workers are away');
    return [
      { backend: 'noop', config: {} },
      { backend: 'statsd', config: { port: 'x' } },
    ];
  });
  t.equal(await read('name: orders'), null);
  t.equal(parsed, 0);
  await t.rejects(read('metrics: []'));
  fails = false;
  for (const _ of [1, 2, 3]) t.same(await read('metrics: []'), [{ backend: 'noop', config: {} }]);
  t.equal(parsed, 2, 'a failure is not kept, an answer is');
  await read('"\\x6detrics": []');
  t.equal(parsed, 3, 'the key may be written with escapes');
});

t.test('tasks and servers configure the same backends by the same keys', async (t) => {
  const keys = Object.entries(METRICS_CONFIGS).map(([name, schema]) => [name, Object.keys(schema.shape)]);
  const known = Object.entries(METRICS_BACKENDS).map(([name, config]) => [name, config.names.keys]);
  t.same(Object.fromEntries(known), Object.fromEntries(keys));
});
