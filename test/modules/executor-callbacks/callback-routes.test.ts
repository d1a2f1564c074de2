import { gzipSync } from 'node:zlib';
import t from 'tap';
import { startHttpPeer } from '../../protocol/support/http-peer.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { EXECUTOR_KEY } from '../../support/full-app.ts';
import { completionOf, HttpExecutor, lineOf } from './http-executor.ts';

const executor = await HttpExecutor.start(t);

t.test('a run goes from the queue to its end, and its log is whole', async (t) => {
  const lease = await executor.claimed();
  const { run_id, attempt } = lease;
  const told = (outcome: string) => ({ status: 200, body: { run_id, attempt, outcome } });
  t.match(await executor.post(lease, 'start', { lease }), told('ACCEPTED'));
  t.match(await executor.post(lease, 'start', { lease }), told('ALREADY_DONE'));
  const headers = {
    'x-lease-attempt': String(attempt),
    'x-lease-epoch': String(lease.epoch),
    'x-lease-token': lease.token,
  };
  const spec = await executor.send('GET', `/api/executor-callbacks/runs/${run_id}/spec`, undefined, headers);
  t.match(spec.body, {
    outcome: 'ACCEPTED',
    value: { task_name: 'copy_people', connectors: { source: { type: 'csv' } } },
  });
  t.match((await executor.beat([lease])).body, { leases: [{ run_id, outcome: 'ACCEPTED' }], cancels: [] });
  const progress = {
    lease,
    step_id: 'read',
    rows_in: 3,
    rows_out: 2,
    rows_failed: 1,
    rows_per_second: 5,
    ratio: -1,
  };
  t.match(await executor.post(lease, 'progress', progress), told('ACCEPTED'));
  t.match((await executor.logs(lease, 1, [lineOf('one'), lineOf('two')])).body, {
    acked_seq: 2,
    resend_from: 0,
  });
  const letters = {
    lease,
    first_seq: 1,
    items: [{ step_id: 'read', item: { a: 1 }, code: 'C', message: 'm' }],
  };
  t.match((await executor.post(lease, 'dead-letters', letters)).body, { outcome: 'ACCEPTED', acked_seq: 1 });
  const state = { lease, name: 'cursor', value: { after: 1 }, expected_version: 0 };
  t.match((await executor.post(lease, 'checkpoint', state)).body, {
    outcome: 'ACCEPTED',
    value: { version: 1 },
  });
  const at = `/api/executor-callbacks/runs/${run_id}/checkpoint?name=cursor`;
  t.match((await executor.send('GET', at, undefined, headers)).body, { outcome: 'ACCEPTED' });
  const metric = { name: 'task.items', kind: 'counter', value: 3, tags: { step: 'read' }, at: Date.now() };
  const batch = { lease, batch_seq: 1, metrics: [metric] };
  const ingest = '/api/executor-callbacks/metrics/ingest';
  t.match((await executor.send('POST', ingest, batch)).body, { run_id, outcome: 'ACCEPTED', batch_seq: 1 });
  t.match(await executor.post(lease, 'complete', completionOf(lease, 2)), told('ACCEPTED'));
  t.match(await executor.post(lease, 'complete', completionOf(lease, 2)), told('ALREADY_DONE'));
  const { body: run } = await executor.root.get(`/api/runs/${run_id}`);
  t.match(run, { status: 'success', items: { in: 3, filtered: 0 } });
  const { body: log } = await executor.root.get(`/api/runs/${run_id}/logs`);
  t.match(log, { complete: true, last_seq: 2, result: [{ message: 'one' }, { message: 'two' }] });
});

t.test('logs: gaps, overlaps, duplicates and late lines are answered by name', async (t) => {
  const lease = await executor.started();
  const ack = async (first: number, ...messages: string[]) => {
    const { body } = await executor.logs(
      lease,
      first,
      messages.map((message) => lineOf(message)),
    );
    return [body['outcome'], body['acked_seq'], body['resend_from']];
  };
  t.same(await ack(1, 'a', 'b'), ['ACCEPTED', 2, 0]);
  t.same(await ack(4, 'd'), ['ACCEPTED', 2, 3], 'a gap');
  t.same(await ack(2, 'B', 'c'), ['ACCEPTED', 3, 0], 'an overlap');
  t.same(await ack(1, 'A', 'B', 'C'), ['ALREADY_DONE', 3, 0], 'a duplicate');
  await executor.post(lease, 'complete', completionOf(lease, 4));
  t.same(await ack(4, 'd'), ['ACCEPTED', 4, 0], 'after the end');
  t.same(
    (await executor.shown(lease)).map(({ message }) => message),
    ['a', 'b', 'c', 'd'],
    'nothing is replaced',
  );
});

t.test('an old, a made-up and an absent lease write nothing', async (t) => {
  const lease = await executor.started();
  for (const [what, other, outcome] of [
    ['an older epoch', { ...lease, epoch: lease.epoch - 1 }, 'STALE_LEASE'],
    ['a newer epoch', { ...lease, epoch: lease.epoch + 1 }, 'STALE_LEASE'],
    ['another token', { ...lease, token: 'x' }, 'STALE_LEASE'],
    ['another attempt', { ...lease, attempt: 2 }, 'STALE_LEASE'],
    ['no such run', { ...lease, run_id: 9_999_999 }, 'RUN_ABSENT'],
  ] as const) {
    const figures = { step_id: '', rows_in: 0, rows_out: 0, rows_failed: 0, rows_per_second: 0, ratio: -1 };
    const answers = [
      executor.post(other, 'start', { lease: other }),
      executor.post(other, 'progress', { lease: other, ...figures }),
      executor.logs(other, 1, [lineOf('never')]),
      executor.post(other, 'dead-letters', { lease: other, first_seq: 1, items: [] }),
      executor.post(other, 'checkpoint', { lease: other, name: 'c', value: 1, expected_version: 0 }),
      executor.post(other, 'complete', completionOf(other)),
      executor.send('POST', '/api/executor-callbacks/metrics/ingest', {
        lease: other,
        batch_seq: 1,
        metrics: [],
      }),
    ];
    for (const answer of await Promise.all(answers))
      t.match(answer, { status: 200, body: { outcome } }, what);
  }
  t.same(await executor.shown(lease), []);
});

t.test('the path and the lease name the same run', async (t) => {
  const [lease, other] = [await executor.started(), await executor.started()];
  const at = { ...lease, run_id: other.run_id };
  for (const [call, body] of [
    ['start', { lease }],
    ['logs', { lease, first_seq: 1, lines: [lineOf('never')] }],
    ['logs', { first_seq: 1, lines: [lineOf('{"lease":')], lease }],
    ['dead-letters', { lease, first_seq: 1, items: [] }],
    ['checkpoint', { lease, name: 'c', value: 1, expected_version: 0 }],
    ['complete', completionOf(lease)],
  ] as const) {
    const { status, body: answer } = await executor.post(at, call, body);
    t.match(
      [status, answer],
      [400, { error: 'VALIDATION_ERROR', details: [{ path: 'lease.run_id' }] }],
      call,
    );
  }
  t.same(await executor.shown(lease), []);
  for (const path of ['0', 'x', '1.0', '9'.repeat(20)]) {
    const answer = await executor.send('POST', `/api/executor-callbacks/runs/${path}/start`, { lease });
    t.equal(answer.status, 400, path);
  }
});

t.test('the lease of a read comes in headers, all three', async (t) => {
  const lease = await executor.started();
  const whole = { 'x-lease-attempt': '1', 'x-lease-epoch': '1', 'x-lease-token': lease.token };
  const path = `/api/executor-callbacks/runs/${lease.run_id}/spec`;
  for (const name of Object.keys(whole)) {
    const headers = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));
    const { status, body } = await executor.send('GET', path, undefined, headers);
    t.match([status, body], [400, { error: 'VALIDATION_ERROR', message: new RegExp(name) }]);
  }
  for (const epoch of ['-1', '1.5', 'x', '']) {
    const headers = { ...whole, 'x-lease-epoch': epoch };
    t.equal((await executor.send('GET', path, undefined, headers)).status, 400);
  }
});

t.test('a log batch that is none is refused, and the next one is taken', async (t) => {
  const lease = await executor.started();
  const batch = (change: object) => ({ lease, first_seq: 1, lines: [lineOf('x')], ...change });
  const deep = `{"lease":${JSON.stringify(lease)},"first_seq":1,"lines":[{"at":1,"level":"info","message":"x","fields":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}`;
  const invalid = Buffer.concat([
    Buffer.from(
      `{"lease":${JSON.stringify(lease)},"first_seq":1,"lines":[{"at":1,"level":"info","message":"`,
    ),
    Buffer.from([0xff]),
    Buffer.from('"}]}'),
  ]);
  for (const [what, body] of [
    ['an unknown key', batch({ more: 1 })],
    ['an unknown key of a line', batch({ lines: [{ ...lineOf('x'), more: 1 }] })],
    ['an unknown key of the lease', batch({ lease: { ...lease, more: 1 } })],
    ['no line', batch({ lines: [] })],
    ['sequence 0', batch({ first_seq: 0 })],
    ['a fraction', batch({ first_seq: 1.5 })],
    ['a level', batch({ lines: [{ ...lineOf('x'), level: 'fatal' }] })],
    ['a time', batch({ lines: [{ ...lineOf('x'), at: 'yesterday' }] })],
    ['fields', batch({ lines: [{ ...lineOf('x'), fields: [] }] })],
    ['no lease', { first_seq: 1, lines: [lineOf('x')] }],
    ['a list', []],
    ['no JSON', '{'],
    ['invalid UTF-8', invalid],
    ['deep fields', deep],
  ] as const) {
    const { status, body: answer } = await executor.post(lease, 'logs', body);
    t.match([status, answer['error']], [400, 'VALIDATION_ERROR'], `${what}: ${answer['message']}`);
  }
  t.equal((await executor.logs(lease, 1, [lineOf('x')])).body['acked_seq'], 1);
});

t.test('a log line of any content is kept as far as it can be', async (t) => {
  const lease = await executor.started();
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key ${n}`, n]));
  const lines = [lineOf('a\0b', { nul: '\0' }), lineOf('x'.repeat(1_000_000)), lineOf('wide', fields)];
  const { status, body } = await executor.logs(lease, 1, lines);
  t.match([status, body], [200, { outcome: 'ACCEPTED', acked_seq: 3 }]);
  const shown = await executor.shown(lease);
  t.match(shown[0], { message: 'a\u2400b', fields: { nul: '\0' } }, 'as both stores can hold it');
  t.ok(JSON.stringify(shown[1]).length < 40_000, 'cut');
  t.ok(JSON.stringify(shown[2]).length < 40_000, 'cut');
  t.match(JSON.stringify(shown[1]), /cut/, 'and says so');
});

t.test('compressed bodies are taken, and a bomb is refused', async (t) => {
  const lease = await executor.started();
  const gzip = { 'content-encoding': 'gzip' };
  const path = `/api/executor-callbacks/runs/${lease.run_id}/logs`;
  const body = gzipSync(JSON.stringify({ lease, first_seq: 1, lines: Array(500).fill(lineOf('again')) }));
  t.match((await executor.send('POST', path, body, gzip)).body, { acked_seq: 500 });
  const ingest = '/api/executor-callbacks/metrics/ingest';
  const metrics = gzipSync(JSON.stringify({ lease, batch_seq: 1, metrics: [] }));
  t.match((await executor.send('POST', ingest, metrics, gzip)).body, { outcome: 'ACCEPTED' });
  const bomb = gzipSync(Buffer.alloc(fewOrAll(64, 512) * 1024 * 1024, ' '), { level: 1 });
  for (const at of [path, ingest]) {
    const { status, body: answer } = await executor.send('POST', at, bomb, gzip);
    t.match([status, answer['error']], [413, 'PAYLOAD_TOO_LARGE']);
  }
});

t.test('points of the metrics backend "http" need the executor key alone', async (t) => {
  const key = executor.full.withToken(EXECUTOR_KEY);
  const ingest = '/api/executor-callbacks/metrics/ingest';
  const point = {
    run_id: 1,
    attempt: 1,
    batch_seq: 1,
    index: 0,
    task_id: 1,
    task_name: 'copy_people',
    name: 'task.items',
    kind: 'counter',
    value: 2,
    tags: { step: 'read' },
    at: Date.now(),
  };
  t.match(await key.post(ingest, { points: [point] }), { status: 200, body: { stored: 1 } });
  t.match(await key.post(ingest, { points: [] }), { status: 200, body: { stored: 0 } });
  for (const [change, at] of [
    [{ run_id: 0 }, 'points.0.run_id'],
    [{ kind: 'histogram' }, 'points.0.kind'],
    [{ value: null }, 'points.0.value'],
    [{ name: 'x'.repeat(201) }, 'points.0.name'],
    [{ task_name: 'x'.repeat(201) }, 'points.0.task_name'],
    [{ tags: { step: 'x'.repeat(201) } }, 'points.0.tags.step'],
    [{ tags: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [i, ''])) }, 'points.0.tags'],
    [{ host: 'x' }, 'host'],
  ] as const) {
    const answer = await key.post(ingest, { points: [{ ...point, ...change }] });
    t.match([answer.status, answer.body['error']], [400, 'VALIDATION_ERROR']);
    t.match(JSON.stringify(answer.body['details']), at);
  }
  t.equal((await key.post(ingest, { points: Array(10_001).fill(point) })).status, 400);
  t.equal((await key.post(ingest, { lease: {}, batch_seq: 1, metrics: [] })).status, 400);
  const batch = { lease: { run_id: 1, attempt: 1, epoch: 1, token: 'x' }, batch_seq: 1, metrics: [] };
  t.equal((await key.post(ingest, batch)).status, 401, 'a batch needs a session');
  t.equal((await executor.full.visitor().post(ingest, { points: [] })).status, 401);
});

t.test('points reach the backends as they were posted', async (t) => {
  const { points, send, own } = await startHttpPeer(t);
  const place = { run_id: 7, attempt: 2, batch_seq: 3, index: 4, task_id: null, task_name: 'ü' };
  const point = { ...place, name: 'm', kind: 'gauge', value: -0.5, tags: { a: '' }, at: 1 };
  const { authorization = '' } = own;
  const posted = { points: [point, { ...point, index: 5 }] };
  const answer = await send('POST', '/api/executor-callbacks/metrics/ingest', posted, { authorization });
  t.match([answer.status, answer.body], [200, { stored: 2 }]);
  t.same(points, posted.points);
});

t.test('keys of users and of executors open nothing of each other', async (t) => {
  const { body } = await executor.root.post<{ token: string }>('/api/api-keys', { name: 'k', scopes: ['*'] });
  const user = executor.full.withToken(body.token);
  t.equal((await user.post('/api/executors/register', {})).status, 401);
  t.equal((await user.post('/api/executor-callbacks/metrics/ingest', { points: [] })).status, 401);
  const key = executor.full.withToken(EXECUTOR_KEY);
  for (const path of ['/api/runs', '/api/connectors', '/api/server/executors', '/api/users/me'])
    t.equal((await key.get(path)).status, 401, path);
});

t.test('all of these answers are what the OpenAPI document says', async (t) => {
  t.same([...new Set(executor.full.openapi.breaches)], []);
});
