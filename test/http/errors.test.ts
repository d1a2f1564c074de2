import { connect } from 'node:net';
import t from 'tap';
import { ERROR_CODES } from '../../src/base/errors.ts';
import { HTTP_STATUS } from '../../src/http/error-map.ts';
import { createProbeApp, send } from './probe-app.ts';

t.test('every code has its status and one shape', async (t) => {
  const app = await createProbeApp(t);
  for (const code of ERROR_CODES) {
    const { status, body, headers } = await send(app, { method: 'GET', url: `/fail/${code}` });
    t.same(
      [status, body],
      [HTTP_STATUS[code], { error: code, message: 'as asked', request_id: headers['x-request-id'] }],
    );
    t.equal(headers['retry-after'], '2');
    t.equal(headers['content-type'], 'application/json; charset=utf-8');
  }
});

t.test('what is not meant for callers is not told', async (t) => {
  const app = await createProbeApp(t);
  const thrown = await send(app, { method: 'GET', url: '/throw' });
  t.match(thrown, { status: 500, body: { error: 'INTERNAL_ERROR' } });
  t.notMatch(thrown.text, /users|home|postgres|stack/);
  const broken = await send(app, { method: 'GET', url: '/broken' });
  t.match(broken, {
    status: 500,
    body: { error: 'INTERNAL_ERROR', message: 'The response could not be serialized' },
  });
  t.notMatch(broken.text, /secret text/);
  t.same((await send(app, { method: 'GET', url: '/leak' })).body, { id: 1 }, 'no undeclared field leaves');
});

t.test('ids are whole numbers that a double can hold', async (t) => {
  const app = await createProbeApp(t);
  t.match(await send(app, { method: 'GET', url: '/items/9007199254740991' }), {
    body: { echo: 9007199254740991 },
  });
  for (const id of [
    '0',
    '-1',
    '1.5',
    '9007199254740993',
    '9'.repeat(200),
    'abc',
    '%20',
    'null',
    'Infinity',
    '1e3',
    '0x10',
    '%2B1',
    '1%20',
  ]) {
    t.match(
      await send(app, { method: 'GET', url: `/items/${id}` }),
      { status: 400, body: { error: 'VALIDATION_ERROR' } },
      id,
    );
  }
  for (const path of ['/items/%ZZ', '/items/%', `/items/${'9'.repeat(300)}`]) {
    const refused = await send(app, { method: 'GET', url: path });
    t.match(
      refused,
      { status: 400, body: { error: 'VALIDATION_ERROR', request_id: String } },
      path.slice(0, 20),
    );
    t.equal(refused.headers['x-request-id'], refused.body['request_id']);
  }
});

t.test('a request id is the caller’s where it is plain and short, else a new one', async (t) => {
  const app = await createProbeApp(t);
  const idOf = async (id: string) =>
    (await send(app, { method: 'GET', url: '/throw', headers: { 'x-request-id': id } })).headers[
      'x-request-id'
    ];
  for (const id of ['req-1', 'a'.repeat(128), '0af7651916cd43dd8448eb211c80319c', 'a:b/c=d+e_f.g'])
    t.equal(await idOf(id), id);
  for (const id of ['', 'a'.repeat(129), 'a b', '<script>', 'a"b', 'é', '{"x":1}'])
    t.match(await idOf(id), /^[0-9a-f-]{36}$/, id);
});

t.test('what is no HTTP request is answered in the same shape', async (t) => {
  const app = await createProbeApp(t);
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as { port: number };
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
      socket.on('close', () => resolve(answer)).on('error', reject);
    });
  const shape = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as unknown;
  const large = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
  t.match(large, /^HTTP\/1\.1 431 /);
  const { request_id } = shape(large) as { request_id: string };
  t.match(shape(large), { error: 'PAYLOAD_TOO_LARGE', message: /headers/, request_id: /^[0-9a-f-]{36}$/ });
  t.match(large, new RegExp(`^X-Request-Id: ${request_id}\\r$`, 'm'));
  const garbage = await raw('NONSENSE\r\n\r\n');
  t.match(garbage, /^HTTP\/1\.1 400 /);
  t.match(shape(garbage), { error: 'VALIDATION_ERROR' });
  const smuggled = await raw(
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  );
  t.match(smuggled, /^HTTP\/1\.1 400 /);
});

t.test('an unknown path is a 404 in the same shape, with the same headers', async (t) => {
  const app = await createProbeApp(t);
  const { status, body, headers } = await send(app, { method: 'GET', url: '/nowhere?token=secret' });
  t.match(
    { status, body },
    { status: 404, body: { error: 'NOT_FOUND', message: 'There is no GET "/nowhere"' } },
  );
  t.match(headers, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /script-src 'self';/,
  });
  t.notMatch(headers['content-security-policy'], /unsafe/);
});

t.test('a method that a path does not have is a 405 that lists those that it has', async (t) => {
  const app = await createProbeApp(t);
  const refused = async (method: 'PUT' | 'POST' | 'GET', url: string, allow: string) => {
    const { status, body, headers } = await send(app, { method, url });
    t.match({ status, body }, { status: 405, body: { error: 'METHOD_NOT_ALLOWED' } }, `${method} ${url}`);
    t.equal(headers['allow'], allow);
  };
  await refused('PUT', '/echo', 'POST');
  await refused('GET', '/echo?x=1', 'POST');
  await refused('POST', '/items/7', 'GET, HEAD');
  await refused('POST', '/items/new', 'DELETE');
  t.match(await send(app, { method: 'DELETE', url: '/items/new' }), { status: 200 });
  t.match(await send(app, { method: 'POST', url: '/items/' }), { status: 404 });
  t.match(await send(app, { method: 'POST', url: '/items/7/8' }), { status: 404 });
});

t.test('an unauthenticated request is told how to authenticate', async (t) => {
  const app = await createProbeApp(t);
  t.equal(
    (await send(app, { method: 'GET', url: '/fail/AUTH_ERROR' })).headers['www-authenticate'],
    'Bearer realm="headgate"',
  );
  t.equal(
    (await send(app, { method: 'GET', url: '/fail/FORBIDDEN' })).headers['www-authenticate'],
    undefined,
  );
});
