// Long list: it tries every combination of many; quick: test/http/errors.test.ts, test/http/request/request-problems.test.ts.
import t from 'tap';
import type { HttpAnswer } from '../support/app.ts';
import { fewOrAll } from '../support/fault-list.ts';
import { startFullApp } from '../support/full-app.ts';
import { seeded } from '../support/seed.ts';
import { STORE_KINDS } from '../support/stores.ts';

t.setTimeout(300_000);

const IDS = [
  '0',
  '-1',
  '1.5',
  '1e3',
  'abc',
  '9007199254740991',
  '9007199254740993',
  '9'.repeat(40),
  '%00',
  '%F0%9F%98%80',
];
const QUERIES = [
  'limit=0',
  'limit=1e2',
  'limit=201',
  'cursor=%00',
  'cursor=AAAA',
  'q=%25_%5C',
  'unknown=1',
  'limit=1&limit=2',
  'status=%00',
  '__proto__=1',
];
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const BODIES = [
  '{}',
  '[]',
  'null',
  '"x"',
  '{"a":"\\u0000"}',
  '{"name":"a\\u0000b"}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  DEEP,
  '{"id":1e400}',
  '{',
  '',
];
const WRITES_KEPT = new Set(['/api/auth/logout', '/api/api-keys/:id', '/api/auth/sessions/:id']);

for (const kind of STORE_KINDS) {
  t.test(`no input makes any route fail (${kind})`, async (t) => {
    const full = await startFullApp(t, kind);
    const { visitor: root } = await full.superadmin();
    const made = await root.post<{ token: string }>('/api/api-keys', { name: 'k' });
    const key = full.withToken(made.body.token);
    const failures: string[] = [];
    // All of them over one store, and a third of them, another one at each run, over the other.
    const stride = kind === 'sqlite' ? 1 : fewOrAll(3, 1);
    const first = seeded(t).upTo(stride);
    const some = (inputs: readonly string[]) => inputs.filter((_, index) => (index + first) % stride === 0);
    const look = (at: string, { status, text, body }: HttpAnswer<Record<string, unknown> | null>) => {
      // Readiness is a 503 of its own shape: the standing clock keeps the scheduler from beating.
      const shaped = status < 400 || typeof body?.['error'] === 'string' || at.includes('/health/ready');
      if (status === 500 || !shaped) failures.push(`${at}: ${status} ${text.slice(0, 200)}`);
    };
    for (const { method, url } of full.routes.filter(
      (route) => route.method === 'GET' && !route.url.endsWith('/stream'),
    )) {
      const paths = url.includes(':') ? some(IDS).map((id) => url.replace(/:\w+/g, id)) : [url];
      for (const path of paths) look(`${method} ${path}`, await key.get(path));
      for (const query of some(QUERIES))
        look(`${method} ${url}?${query}`, await key.get(`${url.replace(/:\w+/g, '1')}?${query}`));
    }
    for (const { method, url } of full.routes.filter(
      (route) => route.method !== 'GET' && !WRITES_KEPT.has(route.url),
    )) {
      for (const body of some(BODIES)) {
        const path = url.replace(/:\w+/g, '9007199254740991');
        look(`${method} ${url} ${body.slice(0, 40)}`, await key.send(method as 'POST', path, body));
      }
    }
    t.same(failures, []);
    t.same([...new Set(full.openapi.breaches)], [], 'every answer is what the OpenAPI document says');
  });
}
