import { gzipSync } from 'node:zlib';
import t from 'tap';
import { JSON_DEPTH_MAX, JSON_VALUES_MAX } from '../../../src/http/request/json-body.ts';
import { createProbeApp, post, send } from '../probe-app.ts';

const BODY_LIMIT = 4 * 1_048_576;

t.test('a body that cannot be read is refused, and says why', async (t) => {
  const app = await createProbeApp(t);
  t.match(await post(app, '{"name":'), {
    status: 400,
    body: { error: 'VALIDATION_ERROR', message: /not valid JSON/ },
  });
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ]) {
    t.match(
      await post(app, 'name=x', { 'content-type': type }),
      { status: 415, body: { error: 'UNSUPPORTED_MEDIA_TYPE' } },
      type,
    );
  }
  t.match(await post(app, JSON.stringify({ name: 'x'.repeat(BODY_LIMIT) })), {
    status: 413,
    body: { error: 'PAYLOAD_TOO_LARGE' },
  });
  const bomb = gzipSync(JSON.stringify({ name: 'x'.repeat(8 * BODY_LIMIT) }));
  t.match(
    await post(app, bomb, { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
    { status: 413 },
    'compressed too',
  );
  t.match(await post(app, 'not gzip', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), {
    status: 400,
  });
  t.match(await post(app, '{}', { 'content-type': 'application/json', 'content-encoding': 'nonsense' }), {
    status: 415,
  });
  for (const payload of ['', 'null', '[]', '7', '"x"', 'true'])
    t.match(await post(app, payload), { status: 400, body: { error: 'VALIDATION_ERROR' } }, payload);
});

t.test('a key that could reach a prototype is refused by its name and path', async (t) => {
  const app = await createProbeApp(t);
  const refused = async (text: string) => {
    const { status, body } = await post(app, text);
    t.match({ status, body }, { status: 400, body: { error: 'VALIDATION_ERROR' } }, text);
    t.notMatch(body['message'], /not valid JSON/);
    return body['details'];
  };
  const proto = 'The key "__proto__" is not allowed; choose another';
  t.same(await refused('{"__proto__":{"role":"admin"}}'), [{ path: '__proto__', message: proto }]);
  t.same(await refused('{"name":"x","inner":[{"\\u005f_proto__":1}]}'), [
    { path: 'inner.0.__proto__', message: proto },
  ]);
  t.same(await refused('{"inner":{"constructor":{"prototype":{"role":"admin"}}}}'), [
    {
      path: 'inner.constructor.prototype',
      message: 'The key "constructor.prototype" is not allowed; choose another',
    },
  ]);
  t.equal(({} as { role?: string }).role, undefined);
  t.match(await post(app, '{"__proto__":'), { status: 400, body: { message: /not valid JSON/ } });
});

t.test('all problems are told at once, each with its path; unknown keys by their names', async (t) => {
  const app = await createProbeApp(t);
  const { body } = await post(app, JSON.stringify({ nmae: 'x', inner: { count: 'one', size: 2 } }));
  t.match(body, { error: 'VALIDATION_ERROR', message: /^[^;]+; [^;]+; [^;]+ \(and 1 more in details\)$/ });
  const details = body['details'] as { path: string; message: string }[];
  t.same(details.map(({ path }) => path).sort(), ['body', 'inner', 'inner.count', 'name']);
  t.same(
    details
      .filter(({ message }) => message.startsWith('Unknown key'))
      .map(({ message }) => message)
      .sort(),
    ['Unknown key "nmae"', 'Unknown key "size"'],
  );
});

t.test('prototype keys are refused in any depth', async (t) => {
  const app = await createProbeApp(t);
  for (const data of [
    '{"__proto__":{"admin":true}}',
    '[{"a":{"constructor":{"prototype":{"admin":true}}}}]',
    '{"\\u005f_proto__":1}',
  ]) {
    t.match(
      await post(app, `{"name":"x","data":${data}}`),
      { status: 400, body: { error: 'VALIDATION_ERROR' } },
      data,
    );
  }
  t.equal(({} as { admin?: boolean }).admin, undefined);
  t.match(await post(app, '{"name":"x","data":{"constructor":"a word","prototype":1}}'), { status: 200 });
});

t.test('a NUL character is refused wherever it stands, with its place', async (t) => {
  const app = await createProbeApp(t);
  t.match(await post(app, '{"name":"a\\u0000b"}'), {
    status: 400,
    body: { error: 'VALIDATION_ERROR', details: [{ path: 'name', message: /NUL/ }] },
  });
  t.match(await post(app, '{"name":"x","data":[{"a":["\\u0000"]}]}'), {
    status: 400,
    body: { details: [{ path: 'data.0.a.0' }] },
  });
  t.match(await post(app, '{"name":"x","data":{"k\\u0000":1}}'), {
    status: 400,
    body: { details: [{ path: 'data.k\\u0000' }] },
  });
  t.match(await send(app, { method: 'GET', url: '/items/1?q=%00' }), { status: 400 });
  t.match(await send(app, { method: 'GET', url: '/items/%00' }), { status: 400 });
  t.match(
    await post(app, '{"name":"\\\\u0000"}'),
    { status: 200, body: { echo: { name: '\\u0000' } } },
    'the six characters are none',
  );
});

t.test('JSON is as deep as the limit says and no deeper', async (t) => {
  const app = await createProbeApp(t);
  const nested = (levels: number) => `{"name":"x","data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  t.match(await post(app, nested(JSON_DEPTH_MAX - 1)), { status: 200 });
  t.match(await post(app, nested(JSON_DEPTH_MAX)), {
    status: 400,
    body: { message: /nested deeper than 64/ },
  });
  t.match(await post(app, nested(1_000_000)), { status: 400 });
});

t.test('a body of more values than any request has is refused, however flat', async (t) => {
  const app = await createProbeApp(t);
  const body = (count: number) => JSON.stringify({ name: 'x', list: Array(count).fill(0) });
  t.match(await post(app, body(JSON_VALUES_MAX)), {
    status: 400,
    body: { error: 'VALIDATION_ERROR', message: /more than 100000 values/ },
  });
  t.notMatch((await post(app, body(JSON_VALUES_MAX - 10))).body, { message: /values/ });
});
