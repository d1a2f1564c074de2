import t, { type Test } from 'tap';
import { startHttpPeer } from '../../protocol/support/http-peer.ts';
import { eventually } from '../../protocol/support/recorded-session.ts';
import { REGISTER_REQUEST } from '../../protocol/support/samples.ts';

const KEY_ONLY = ['authorization'];
type Headers = Readonly<Record<string, string>>;

function only(own: Headers, names: readonly string[], more: Headers = {}): Headers {
  return { ...Object.fromEntries(Object.entries(own).filter(([name]) => names.includes(name))), ...more };
}

t.test(
  'nothing is reached without the executor key, and nothing but registering without a session',
  async (t) => {
    const { plane, own, send } = await startHttpPeer(t);
    plane.calls.length = 0;
    const lease = { run_id: 1, attempt: 1, epoch: 1, token: 'x' };
    const calls = [
      ['POST', '/api/executors/1/heartbeat', { leases: [] }],
      ['POST', '/api/executors/1/next?wait=0', { credits: 1 }],
      ['POST', '/api/executors/1/drain', undefined],
      ['DELETE', '/api/executors/1', undefined],
      ['POST', '/api/executor-callbacks/runs/1/start', { lease }],
      ['POST', '/api/executor-callbacks/runs/1/logs', { lease, first_seq: 1, lines: [] }],
      ['GET', '/api/executor-callbacks/runs/1/spec', undefined],
      ['GET', '/api/executor-callbacks/runs/1/checkpoint?name=c', undefined],
      ['POST', '/api/executor-callbacks/metrics/ingest', { lease, batch_seq: 1, metrics: [] }],
    ] as const;
    const strangers: readonly Headers[] = [
      {},
      { ...own, authorization: 'Bearer wrong' },
      { ...own, authorization: `Basic ${own['authorization']}` },
      only(own, KEY_ONLY),
      { ...own, 'x-session-token': 'another' },
      { ...own, 'x-session-token': '' },
      { ...own, 'x-executor-id': '2' },
      { ...own, 'x-executor-id': '01' },
      { ...own, 'x-executor-id': '-1' },
      { ...own, 'x-executor-id': '1e0' },
    ];
    for (const [method, path, body] of calls) {
      for (const headers of strangers) {
        const { status, body: answer } = await send(method, path, body, headers);
        t.match(
          [status, answer],
          [401, { error: 'AUTH_ERROR' }],
          `${method} ${path} ${JSON.stringify(headers)}`,
        );
      }
    }
    t.equal((await send('POST', '/api/executors/register', REGISTER_REQUEST, {})).status, 401);
    t.same(new Set(plane.calls), new Set(['authenticate']), 'only sessions were looked at');
  },
);

t.test('an executor speaks for itself alone', async (t) => {
  const { plane, send } = await startHttpPeer(t);
  const other = await plane.register({ ...REGISTER_REQUEST, instance_id: 'other' });
  for (const [method, path, body] of [
    ['POST', 'heartbeat', { leases: [] }],
    ['POST', 'next', { credits: 1 }],
    ['POST', 'drain', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    const at = `/api/executors/${other.executor_id}${path === '' ? '' : `/${path}`}`;
    const { status, body: answer } = await send(method, at, body);
    t.match([status, answer['error']], [403, 'FORBIDDEN'], at);
  }
  t.notOk(plane.drained.has(other.executor_id));
});

t.test(
  'a question for work waits, and ends with work, a cancel, its time, a newer one or the server',
  async (t) => {
    const { plane, app, send } = await startHttpPeer(t);
    const ask = (credits: number, wait: number) =>
      send('POST', `/api/executors/1/next?wait=${wait}`, { credits });
    t.same((await ask(1, 0)).body, { assignments: [], cancels: [] }, 'no wait');
    const began = performance.now();
    t.same((await ask(1, 0.2)).body, { assignments: [], cancels: [] }, 'its time');
    t.ok(performance.now() - began >= 190);

    const work = ask(2, 30);
    await eventually('the question', () => plane.listeners() > 0);
    const run = plane.enqueue();
    t.match((await work).body, { assignments: [{ lease: { run_id: 1 }, task_name: 'load' }] }, 'work');

    const cancel = ask(0, 30);
    await eventually('the question', () => plane.listeners() > 0);
    plane.enqueue();
    plane.cancel(run);
    t.match((await cancel).body, { assignments: [], cancels: [{ run_id: 1 }] }, 'a cancel, and no work');

    plane.drained.add(1);
    const older = ask(1, 30);
    await eventually('the question', () => plane.listeners() > 0);
    const newer = ask(1, 30);
    t.same((await older).body, { assignments: [], cancels: [] }, 'a newer one');
    const closed = app.close();
    t.same((await newer).body, { assignments: [], cancels: [] }, 'the server');
    await closed;
    t.equal(plane.listeners(), 0);
  },
);

t.test('work that no wake-up told of is found by the poll', async (t) => {
  const { plane, send } = await startHttpPeer(t);
  plane.onWork = () => () => undefined;
  const work = send('POST', '/api/executors/1/next?wait=10', { credits: 1 });
  await eventually('the first claim', () => plane.calls.includes('claim'));
  plane.enqueue();
  t.match((await work).body, { assignments: [{ task_name: 'load' }] });
});

t.test('a question whose asker has gone leaves nothing behind', async (t) => {
  const { plane, ask } = await startHttpPeer(t);
  const { leave } = await ask(1);
  await eventually('the question', () => plane.listeners() === 2);
  leave();
  await eventually('the end', () => plane.listeners() === 0);
  const run = plane.enqueue();
  t.equal(run.status, 'queued', 'nothing is assigned to nobody');
});

t.test('a failure to claim is answered, and the next question works', async (t) => {
  const { plane, send } = await startHttpPeer(t);
  plane.before = (operation) => {
    if (operation === 'claim') throw new Error('relation "runs" is gone');
  };
  const failed = await send('POST', '/api/executors/1/next', { credits: 1 });
  t.match([failed.status, failed.body['error']], [500, 'INTERNAL_ERROR']);
  t.notMatch(JSON.stringify(failed.body), /relation/);
  plane.before = () => undefined;
  plane.enqueue();
  t.equal((await send('POST', '/api/executors/1/next', { credits: 1 })).status, 200);
  t.equal(plane.listeners(), 0);
});

t.test('what is out of bounds is refused, with its path', async (t) => {
  const { send } = await startHttpPeer(t);
  const lease = { run_id: 1, attempt: 1, epoch: 1, token: 'x' };
  const wrong = async (path: string, body: object, at: string) => {
    const answer = await send('POST', path, body);
    t.match([answer.status, answer.body['error']], [400, 'VALIDATION_ERROR'], path);
    t.match(JSON.stringify(answer.body['details']), at);
  };
  await wrong('/api/executors/1/next?wait=61', { credits: 1 }, 'wait');
  await wrong('/api/executors/1/next', { credits: -1 }, 'credits');
  await wrong('/api/executors/1/next', { credits: 1.5 }, 'credits');
  await wrong('/api/executors/1/next', { credits: 1, more: 1 }, 'more');
  await wrong('/api/executors/1/heartbeat', { leases: [{ ...lease, epoch: 2 ** 53 }] }, 'leases.0.epoch');
  await wrong('/api/executors/1/heartbeat', { leases: [{ ...lease, extra: 1 }] }, 'extra');
  await wrong('/api/executors/1/heartbeat', { leases: Array(2_049).fill(lease) }, 'leases');
  await wrong('/api/executors/register', { ...REGISTER_REQUEST, slots: 0 }, 'slots');
  await wrong('/api/executors/register', { ...REGISTER_REQUEST, name: 'x'.repeat(201) }, 'name');
  await wrong('/api/executors/register', { ...REGISTER_REQUEST, hostname: 'x' }, 'hostname');
});

t.test('a busy executor is not held back by the limit of requests per address', async (t) => {
  const { send } = await startHttpPeer(t, { SVC_RATE_LIMIT_PER_MINUTE: '10' });
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    statuses.push((await send('POST', '/api/executors/1/heartbeat', { leases: [] })).status);
  }
  t.same(new Set(statuses), new Set([200]));
});

/** A body that is not what its header says, or cannot be JSON. */
const BROKEN: readonly (readonly [string, string | Buffer, Headers, number, string])[] = [
  ['nothing', '', {}, 400, 'VALIDATION_ERROR'],
  ['no JSON', '{', {}, 400, 'VALIDATION_ERROR'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400, 'VALIDATION_ERROR'],
  ['a list', '[]', {}, 400, 'VALIDATION_ERROR'],
  ['deep JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, {}, 400, 'VALIDATION_ERROR'],
  ['XML', '<a/>', { 'content-type': 'application/xml' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['text', '{}', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['another encoding', '{}', { 'content-encoding': 'compress' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['no gzip', 'not gzip', { 'content-encoding': 'gzip' }, 400, 'VALIDATION_ERROR'],
  ['5 MiB', ' '.repeat(5 * 1024 * 1024), {}, 413, 'PAYLOAD_TOO_LARGE'],
];

async function refusals(t: Test, path: string) {
  const { plane, own, send } = await startHttpPeer(t);
  plane.calls.length = 0;
  for (const [what, body, headers, status, code] of BROKEN) {
    const answer = await send('POST', path, body, { ...own, ...headers }).catch(() => null);
    // A server that refuses a large body may close the connection while it is still being sent.
    if (answer !== null) t.match([answer.status, answer.body['error']], [status, code], `${path}: ${what}`);
    else t.equal(status, 413);
  }
  return plane.calls;
}

t.test('a body that cannot be read is refused', async (t) => {
  for (const path of [
    '/api/executors/1/heartbeat',
    '/api/executor-callbacks/runs/1/dead-letters',
    '/api/executor-callbacks/metrics/ingest',
  ]) {
    t.same(
      new Set(await refusals(t, path)),
      new Set(['authenticate'].slice(path.includes('metrics') ? 1 : 0)),
    );
  }
  const calls = await refusals(t, '/api/executor-callbacks/runs/1/logs');
  t.same(new Set(calls), new Set(['authenticate', 'appendLogs']), 'the store decodes what is JSON perhaps');
});
