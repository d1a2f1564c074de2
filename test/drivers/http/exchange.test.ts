import { gzipSync } from 'node:zlib';
import t from 'tap';
import { httpDriver } from '../../../src/drivers/http/driver.ts';
import { answer, rowsOf, signal, startApi } from './http-api.ts';

t.test('failed requests are tried again, after the wait that the API asks for', async (t) => {
  const api = await startApi(t, (_query, _request, index, response) => {
    if (index === 0) return answer(response, 503);
    if (index === 1) return answer(response, 429, '', { 'retry-after': '0' });
    return [{ id: 1 }];
  });
  const connection = await api.connect();
  t.equal((await rowsOf(connection, { path: '/list' })).length, 1);
  t.equal(api.receiver.received.length, 3);
});

t.test('attempts end, and a wait that is too long is for the run to make', async (t) => {
  const api = await startApi(t, (query, _request, _index, response) =>
    answer(response, 503, 'busy', query.has('long') ? { 'retry-after': '3600' } : {}),
  );
  const connection = await api.connect({ retry: { base_ms: 1, max_attempts: 3 } });
  await t.rejects(rowsOf(connection, { path: '/list' }), {
    fault: 'UNAVAILABLE',
    message: 'The API answered 503: busy',
  });
  t.equal(api.receiver.received.length, 3);
  await t.rejects(rowsOf(connection, { path: '/list?long=1' }), {
    name: 'ConnectorError',
    message: /503/,
    retryAfterMs: 3_600_000,
  });
  t.equal(api.receiver.received.length, 4);
});

t.test('a request that writes is tried again only with an idempotency key, always the same', async (t) => {
  const api = await startApi(t, (_query, _request, index, response) =>
    index % 2 === 0 ? answer(response, 502) : { done: true },
  );
  const connection = await api.connect({ idempotency_header: 'X-Request-Id' });
  const request = { method: 'POST', path: '/orders', body: { amount: 1 } };
  await t.rejects(connection.call('request', request, signal), {
    name: 'ConnectorError',
    fault: 'UNAVAILABLE',
    isFinal: true,
    message: /502\. The API may have done it, so the request is not sent again; add POST to "retry\.methods"/,
  });
  t.equal(api.receiver.received.length, 1);
  await t.resolves(connection.call('request', { ...request, method: 'PUT' }, signal));
  const keyed = { ...request, idempotency_key: 'order-1' };
  t.strictSame(await connection.call('request', keyed, signal), { status: 200, body: { done: true } });
  t.strictSame(await connection.call('request', keyed, signal), { status: 200, body: { done: true } });
  const keys = api.receiver.received.slice(2).map(({ headers }) => headers['x-request-id']);
  t.strictSame(keys, Array(4).fill('order-1'));
  t.equal(api.receiver.received.at(-1)?.body, '{"amount":1}');
});

t.test('statuses say what is wrong', async (t) => {
  const api = await startApi(t, (_query, { path }, _index, response) =>
    answer(response, Number(path.slice(-3)), '<html><style>x{}</style><h1>No &amp; no</h1></html>', {
      'content-type': 'text/html',
    }),
  );
  const connection = await api.connect({ retry: { max_attempts: 1 } });
  const faults: Record<string, string> = {
    400: 'CONFIG',
    401: 'AUTH',
    403: 'AUTH',
    404: 'CONFIG',
    500: 'UNAVAILABLE',
  };
  const hints: Record<string, string> = {
    401: ' (check the credentials of this connector)',
    403: ' (check what the credentials of this connector may do)',
  };
  for (const [status, fault] of Object.entries(faults))
    await t.rejects(connection.call('get', { path: `/${status}` }, signal), {
      name: 'ConnectorError',
      fault,
      message: `The API answered ${status}${hints[status] ?? ''}: No &amp; no`,
    });
});

t.test('rules of the configuration come before what statuses mean', async (t) => {
  const api = await startApi(t, (_query, { path }, index, response) => {
    if (path.endsWith('/none')) return answer(response, 404, '{}');
    if (path.endsWith('/odd')) return answer(response, 400, '[{"id":1}]');
    if (path.endsWith('/soon')) return index % 2 === 0 ? { error: 'try later' } : [{ id: 2 }];
    return { error: 'no such thing' };
  });
  const connection = await api.connect({
    errors: [
      { when: { status: [404] }, action: 'empty' },
      { when: { status: [400] }, action: 'ignore' },
      { when: { body_contains: 'try later' }, action: 'retry' },
      { when: { status: [200], body_contains: '"error"' }, action: 'fail', message: 'The search failed' },
    ],
  });
  t.strictSame(await rowsOf(connection, { path: '/none' }), []);
  t.strictSame(await rowsOf(connection, { path: '/odd' }), [{ id: 1 }]);
  t.strictSame(await rowsOf(connection, { path: '/soon' }), [{ id: 2 }]);
  await t.rejects(rowsOf(connection, { path: '/bad' }), { fault: 'CONFIG', message: 'The search failed' });
});

t.test('a rule may be an expression over status, headers and body', async (t) => {
  const api = await startApi(t, (_query, { path }, index, response) => {
    if (path.endsWith('/page')) return answer(response, 200, 'sorry', { 'x-state': 'off' });
    if (path.endsWith('/soon'))
      return index === 0 ? { ok: false, code: 7 } : { ok: true, items: [{ id: 1 }] };
    return { ok: false, code: 9, why: 'no such list' };
  });
  const connection = await api.connect({
    errors: [
      { when: { expr: 'body.ok = false and body.code = 7' }, action: 'retry' },
      { when: { status: [200], expr: 'body.ok = false' }, action: 'fail', message: 'The list failed' },
      { when: { expr: "headers.`x-state` = 'off' and body = 'sorry'" }, action: 'empty' },
    ],
  });
  t.strictSame(await rowsOf(connection, { path: '/soon', records: 'items' }), [{ id: 1 }]);
  t.strictSame(await rowsOf(connection, { path: '/page' }), []);
  await t.rejects(rowsOf(connection, { path: '/list' }), { fault: 'CONFIG', message: 'The list failed' });
  await t.rejects(api.connect({ errors: [{ when: { expr: 'body.(' }, action: 'fail' }] }), {
    fault: 'CONFIG',
    message: /"errors\.0\.when\.expr" cannot be read at character \d+/,
  });
  await t.rejects(api.connect({ errors: [{ when: {}, action: 'fail' }] }), {
    message: /"body_contains" or "expr"/,
  });
  const odd = await api.connect({ errors: [{ when: { expr: '$number(body.why)' }, action: 'fail' }] });
  await t.rejects(rowsOf(odd, { path: '/list' }), { fault: 'CONFIG', message: /cannot be worked out/ });
});

t.test('which methods may be repeated, and which header says when, is the configuration’s', async (t) => {
  const api = await startApi(t, (_query, _request, index, response) =>
    index % 2 === 0 ? answer(response, 503, '', { 'x-wait': '0' }) : {},
  );
  const retry = { base_ms: 60_000, max_ms: 60_000, methods: ['POST'], retry_after_header: 'X-Wait' };
  const connection = await api.connect({ retry });
  await t.resolves(connection.call('request', { method: 'POST', path: '/a' }, signal));
  await t.rejects(connection.call('request', { method: 'PUT', path: '/a' }, signal), { message: /503/ });
});

t.test('only so many requests are under way at the same time', async (t) => {
  let running = 0;
  let most = 0;
  const api = await startApi(t, (_query, _request, _index, response) => {
    most = Math.max(most, ++running);
    setTimeout(() => {
      running--;
      answer(response, 200, '[]');
    }, 20);
    return undefined;
  });
  const connection = await api.connect({ rate_limit: { concurrency: 2 } });
  const left = new AbortController();
  const asks = Array.from({ length: 6 }, () => rowsOf(connection, { path: '/list' }));
  const given = t.rejects(rowsOf(connection, { path: '/list' }, { signal: left.signal }), {
    message: 'mine',
  });
  left.abort(new Error('mine'));
  await Promise.all([...asks, given]);
  t.equal(most, 2);
  t.equal(api.receiver.received.length, 6);
});

t.test(
  'redirects of a read are followed on allowed hosts, and nobody else gets the credentials',
  async (t) => {
    const other = await startApi(t, () => [{ id: 'other' }]);
    const api = await startApi(t, (_query, { path }, _index, response) => {
      if (path === '/v1/here') return answer(response, 302, '', { location: '/v1/list' });
      if (path === '/v1/there') return answer(response, 307, '', { location: `${other.base}/list` });
      if (path === '/v1/circle') return answer(response, 302, '', { location: '/v1/circle' });
      return [{ id: 'own' }];
    });
    const auth = { auth: { type: 'bearer' }, token: 'secret', headers: { 'X-Team': 'a' } };
    const strict = await api.connect(auth);
    t.strictSame(await rowsOf(strict, { path: '/here' }), [{ id: 'own' }]);
    t.equal(api.receiver.received.at(-1)?.headers.authorization, 'Bearer secret');
    await t.rejects(rowsOf(strict, { path: '/there' }), { fault: 'CONFIG', message: /allow_hosts/ });
    await t.rejects(rowsOf(strict, { path: '/circle' }), { fault: 'CONFIG', message: /in a loop/ });
    await t.rejects(rowsOf(strict, { path: `${other.base}/list` }), {
      fault: 'CONFIG',
      message: /allow_hosts/,
    });
    t.equal(other.receiver.received.length, 0);
    const open = await api.connect({ ...auth, allow_hosts: [new URL(other.base).host] });
    t.strictSame(await rowsOf(open, { path: '/there' }), [{ id: 'other' }]);
    const { headers } = other.receiver.received[0] ?? {};
    t.equal(headers?.authorization, undefined);
    t.equal(headers?.['x-team'], undefined);
  },
);

t.test('a path stays below the base, and an answer below its bound', async (t) => {
  const api = await startApi(t, (_query, _request, _index, response) =>
    answer(response, 200, gzipSync(Buffer.alloc(2_000_000, ' ')) as unknown as string, {
      'content-encoding': 'gzip',
    }),
  );
  const connection = await api.connect({ max_response_bytes: 100_000 });
  for (const path of ['/../admin', '/a/%2e%2E/b', 'x/..', '/a\\..\\b', '/a#b'])
    await t.rejects(rowsOf(connection, { path }), { fault: 'CONFIG', message: /must not contain/ }, path);
  t.equal(api.receiver.received.length, 0);
  await t.rejects(rowsOf(connection, { path: '/bomb' }), { fault: 'CONFIG', message: /max_response_bytes/ });
});

t.test('who does not answer, hangs up or may not be called is told apart', async (t) => {
  const api = await startApi(t, (_query, { path }, _index, response) => {
    if (path.endsWith('/cut')) response.writeHead(200, { 'content-length': '100' }).write('{');
    if (path.endsWith('/cut')) setTimeout(() => response.destroy(), 20);
    return undefined;
  });
  const connection = await api.connect({ timeout_ms: 100, retry: { max_attempts: 1 } });
  await t.rejects(rowsOf(connection, { path: '/silent' }), {
    fault: 'UNAVAILABLE',
    message: /within 100 ms/,
  });
  await t.rejects(rowsOf(connection, { path: '/cut' }), { name: 'ConnectorError', fault: 'UNAVAILABLE' });
  const aborted = AbortSignal.abort(new Error('mine'));
  await t.rejects(rowsOf(connection, { path: '/silent' }, { signal: aborted }), { message: 'mine' });
  const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 };
  const refused = httpDriver.connect({ base_url: 'http://169.254.169.254/' }, context);
  await t.rejects(refused, { fault: 'CONFIG', message: /SVC_OUTBOUND_ALLOW/ });
});

t.test('requests keep to the limit of the API', async (t) => {
  const api = await startApi(t, () => []);
  const connection = await api.connect({ rate_limit: { requests: 2, per_ms: 150 } });
  const began = performance.now();
  for (let index = 0; index < 5; index++) await rowsOf(connection, { path: '/list' });
  t.ok(performance.now() - began >= 290, 'five requests take two whole windows');
});

t.test('a test says whether the API answers', async (t) => {
  const api = await startApi(t, (_query, { path, headers }, _index, response) => {
    if (path === '/v1/me') return answer(response, headers['x-api-key'] === 'right' ? 200 : 401, '{}');
    return answer(response, 404);
  });
  const key = (api_key: string, more: object = {}) =>
    api.connect({ auth: { type: 'api_key' }, api_key, ...more });
  t.match(await (await key('right')).test(signal), /answers, though not at "base_url"/);
  t.match(await (await key('right', { test_path: '/me' })).test(signal), /answers \(200\)/);
  await t.rejects((await key('wrong', { test_path: '/me' })).test(signal), {
    name: 'ConnectorError',
    fault: 'AUTH',
  });
});
