import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { roleAtLeast, SCOPES } from '../../src/http/access.ts';
import { oneIn } from '../support/fault-list.ts';
import { EXECUTOR_KEY, type FullApp, startFullApp } from '../support/full-app.ts';
import { seeded } from '../support/seed.ts';
import { PASSWORD, signIn, type Visitor } from '../support/visitor.ts';
import type { RouteEntry } from '../support/watched-http.ts';

const LIST = join(import.meta.dirname, '../fixtures/unauthenticated-routes.txt');
const PUBLIC = new Set(['none', 'pending', 'share']);
const GARBAGE_KEY = `svc_${'0'.repeat(48)}`;
const ROUTES_MIN = 100;

const full = await startFullApp(t);
const { visitor: root } = await full.superadmin();
const guarded = full.routes.filter((route) => !PUBLIC.has(route.access.kind));

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const ask = (who: Visitor, { method, url }: RouteEntry, headers?: Record<string, string>) =>
  who.send(method as Method, pathOf(url), method === 'GET' ? undefined : {}, headers);

function pathOf(url: string): string {
  return url.replace(/:token/g, 'x'.repeat(43)).replace(/:\w+|\*$/g, '1');
}

async function keyOf(app: FullApp, owner: Visitor, scopes: string[]): Promise<Visitor> {
  const made = await owner.post<{ token: string }>('/api/api-keys', { name: 'k', scopes });
  return app.withToken(made.body.token);
}

async function viewer(): Promise<Visitor> {
  const email = 'viewer@example.com';
  await root.post('/api/users', { email, name: 'V', role: 'viewer', password: PASSWORD });
  const visitor = full.visitor();
  const login = await visitor.post<{ totp_enrolment: { secret: string } }>('/api/auth/login', {
    email,
    password: PASSWORD,
  });
  await signIn(visitor, email, PASSWORD, login.body.totp_enrolment.secret, full.clock);
  return visitor;
}

t.test('the routes that need no credentials are those of the checked-in list', async (t) => {
  t.ok(full.routes.length > ROUTES_MIN, `${full.routes.length} routes`);
  const found = full.routes
    .filter((route) => PUBLIC.has(route.access.kind))
    .map((route) => `${route.access.kind.padEnd(7)} ${route.method} ${route.url}`)
    .sort();
  t.same(found, readFileSync(LIST, 'utf8').trim().split('\n'));
});

t.test('without a valid credential of the right kind every other route answers 401', async (t) => {
  const executor = full.withToken(EXECUTOR_KEY);
  const rootKey = await keyOf(full, root, ['*']);
  const nobody = full.visitor('198.51.100.7');
  const headers = {
    'no credential': {},
    'an unknown key': { authorization: `Bearer ${GARBAGE_KEY}` },
    'another scheme': { authorization: `Basic ${Buffer.from(`root:${PASSWORD}`).toString('base64')}` },
    'no token': { authorization: 'Bearer' },
    'a long token': { authorization: `Bearer ${'x'.repeat(2_000)}` },
    'no scheme': { authorization: EXECUTOR_KEY },
    'made-up cookies': { cookie: `svc_session=${'A'.repeat(43)}; svc_pending_session=${'A'.repeat(43)}` },
  };
  const wrong: string[] = [];
  for (const route of guarded) {
    const expect = async (what: string, answer: ReturnType<typeof ask>) => {
      const { status, body } = await answer;
      if (status !== 401 || body['error'] !== 'AUTH_ERROR')
        wrong.push(`${nameOf(route)}: ${what}: ${status}`);
    };
    for (const [what, sent] of Object.entries(headers)) await expect(what, ask(nobody, route, sent));
    const wrongKind = route.access.kind === 'executor' ? rootKey : executor;
    await expect('a key of another kind', ask(wrongKind, route));
  }
  t.same(wrong, []);
});

t.test('a role or a scope that is not enough answers 403 and names what is missing', async (t) => {
  const small = await viewer();
  const smallKey = await keyOf(full, small, ['*']);
  const narrow = await keyOf(full, root, ['ai:read']);
  // No key is made with a scope that no route needs.
  const { store } = full.plane;
  await store.write((tx) =>
    tx
      .updateTable('api_keys')
      .set({ scopes_json: '["nothing:read"]' })
      .where('scopes_json', '=', '["ai:read"]')
      .execute(),
  );
  const wrong: string[] = [];
  for (const route of guarded) {
    const { access } = route;
    const expect = async (missing: string, answer: ReturnType<typeof ask>) => {
      const { status, body } = await answer;
      const right =
        status === 403 && body['error'] === 'FORBIDDEN' && String(body['message']).includes(missing);
      if (!right) wrong.push(`${nameOf(route)}: ${missing}: ${status} ${body['message']}`);
    };
    if (access.kind === 'account') await expect('Sign in as a user', ask(smallKey, route));
    if (access.kind !== 'member' && access.kind !== 'local') continue;
    await expect(`scope "${access.scope}"`, ask(narrow, route));
    if (roleAtLeast('viewer', access.role)) continue;
    for (const who of [small, smallKey]) await expect(`role "${access.role}"`, ask(who, route));
  }
  t.same(wrong, []);
});

t.test('the scopes of API keys are those that routes need', async (t) => {
  const needed = guarded.flatMap(({ access }) => ('scope' in access ? [access.scope] : []));
  t.same([...SCOPES].sort(), [...new Set(needed)].sort());
});

t.test('no other spelling of a path, and no other name of a method, gets round the guard', async (t) => {
  const nobody = full.visitor('198.51.100.7');
  const wrong: string[] = [];
  for (const { method, url } of seeded(t).someOf(guarded, oneIn(4, 1))) {
    const path = pathOf(url);
    for (const spelling of spellingsOf(path)) {
      const { status } = await nobody.send(method as Method, spelling, method === 'GET' ? undefined : {});
      if (status < 400 || status >= 500) wrong.push(`${method} ${spelling}: ${status}`);
    }
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const { status } = await nobody.send('POST', `${path}?_method=${method}`, {}, { [name]: method });
      if (![401, 404, 405].includes(status)) wrong.push(`${method} ${path} by ${name}: ${status}`);
    }
  }
  t.same(wrong, []);
});

t.test('a write from another origin is refused on every route of a session or a share link', async (t) => {
  const writes = full.routes.filter(
    ({ method, access }) => method !== 'GET' && access.kind !== 'executor' && access.kind !== 'none',
  );
  const wrong: string[] = [];
  for (const route of writes) {
    const { status, body } = await ask(root, route, { origin: 'https://evil.test' });
    if (status !== 403 || !/same origin/.test(String(body['message'])))
      wrong.push(`${nameOf(route)}: ${status}`);
  }
  t.same(wrong, []);
});

t.test('all of these answers are what the OpenAPI document says', async (t) => {
  t.same([...new Set(full.openapi.breaches)], []);
});

function nameOf({ method, url }: RouteEntry): string {
  return `${method} ${url}`;
}

function spellingsOf(path: string): string[] {
  const [, first = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(path) ?? [];
  return [
    `/${path}`,
    `/${first}/${rest}`,
    `/./${first}${rest}`,
    `/${first}/.${rest}`,
    `/x/..${path}`,
    `/${first};x${rest}`,
    `${path};x`,
    `${path}/`,
    `${path}/.`,
    `${path}%00`,
    `${path}%`,
    `/${first}${rest.replaceAll('/', '%2F')}`,
    `/${first}${rest.replaceAll('/', '%5C')}`,
    `/${first}${rest.replace('/', '%252F')}`,
    path.toUpperCase(),
    `${path}?x=/api/health`,
  ];
}
