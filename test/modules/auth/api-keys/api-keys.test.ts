import t from 'tap';
import { createTestClock } from '../../../support/clock.ts';
import { openTestStore } from '../../../support/stores.ts';
import { PASSWORD, signIn, type Visitor } from '../../../support/visitor.ts';
import { type AuthApp, createAuthApp, eachAuthApp } from '../auth-app.ts';

interface Key {
  id: number;
  token: string;
  prefix: string;
  expires_at: string | null;
  scopes: string[];
}

const make = async (who: Visitor, body: object = {}): Promise<Key> =>
  (await who.post<Key>('/api/api-keys', { name: 'a key', ...body })).body;

/** Another user of this role, signed in. */
async function person(app: AuthApp, admin: Visitor, role: string): Promise<{ visitor: Visitor; id: number }> {
  const email = `${role}@example.com`;
  const made = await admin.post<{ id: number }>('/api/users', {
    email,
    name: role,
    role,
    password: PASSWORD,
  });
  const visitor = app.visitor();
  const login = await visitor.post<{ totp_enrolment: { secret: string } }>('/api/auth/login', {
    email,
    password: PASSWORD,
  });
  await signIn(visitor, email, PASSWORD, login.body.totp_enrolment.secret, app.clock);
  return { visitor, id: made.body.id };
}

t.test('an API key', async (t) => {
  await eachAuthApp(
    t,
    'can have each scope of the list, which names what is needed anywhere',
    async (t, app) => {
      const { visitor } = await app.superadmin();
      const { result } = (await visitor.get<{ result: string[] }>('/api/api-keys/scopes')).body;
      t.ok(result.includes('jobs:run') && result.includes('server:write'), `${result.length} scopes`);
      for (const scope of result) t.match((await make(visitor, { scopes: [scope] })).token, /^svc_/, scope);
      const key = app.withToken((await make(visitor, { scopes: ['jobs:read'] })).token);
      t.equal((await key.get('/api/api-keys/scopes')).status, 403, 'for those who may see keys');
    },
  );
  await eachAuthApp(t, 'is shown once, stored as a hash, listed by its prefix', async (t, app) => {
    const { visitor } = await app.superadmin();
    const key = await make(visitor);
    t.match(key, {
      token: /^svc_[0-9a-f]{48}$/,
      prefix: key.token.slice(0, 12),
      expires_at: null,
      scopes: ['*'],
    });
    t.equal((await app.withToken(key.token).get('/api/users')).status, 200);
    const list = await visitor.get('/api/api-keys');
    t.match(list.body, {
      result: [{ id: key.id, prefix: key.prefix, last_used_at: String }],
      next_cursor: null,
    });
    t.notMatch(list.text, /"token"|hash/);
    const tables = ['api_keys', 'audit_logs', 'idempotency_keys'] as const;
    const rows = await Promise.all(
      tables.map((table) => app.store.read.selectFrom(table).selectAll().execute()),
    );
    t.notMatch(JSON.stringify(rows), new RegExp(key.token));
    for (const token of [`${key.token}0`, key.token.slice(0, -1), key.token.toUpperCase(), 'svc_', 'x']) {
      t.equal((await app.withToken(token).get('/api/users')).status, 401, token);
    }
  });

  await eachAuthApp(
    t,
    'is made once for an Idempotency-Key, which never gives the token again',
    async (t, app) => {
      const { visitor } = await app.superadmin();
      const headers = { 'idempotency-key': 'once' };
      const first = await visitor.post<Key>('/api/api-keys', { name: 'a' }, headers);
      t.equal(first.status, 201);
      t.match(await visitor.post('/api/api-keys', { name: 'a' }, headers), {
        status: 409,
        body: { error: 'CONFLICT', message: /was carried out; its response contained a secret/ },
      });
      const rows = JSON.stringify(await app.store.read.selectFrom('idempotency_keys').selectAll().execute());
      t.notMatch(rows, new RegExp(first.body.token));
      t.equal((await app.store.read.selectFrom('api_keys').select('id').execute()).length, 1);
    },
  );

  await eachAuthApp(t, 'dies at its end, when it is revoked, and with its user', async (t, app) => {
    const { visitor } = await app.superadmin();
    const alive = async (key: Key) => (await app.withToken(key.token).get('/api/api-keys')).status === 200;
    const expires_at = new Date(app.clock.now() + 60_000).toISOString();
    const short = await make(visitor, { expires_at });
    t.equal(short.expires_at, expires_at);
    t.ok(await alive(short));
    app.clock.advance(59_999);
    t.ok(await alive(short));
    app.clock.advance(1);
    t.notOk(await alive(short));
    t.match(await visitor.post('/api/api-keys', { name: 'x', expires_at }), {
      status: 400,
      body: { details: [{ path: 'expires_at' }] },
    });

    const revoked = await make(visitor);
    t.ok(await alive(revoked));
    t.equal((await visitor.delete(`/api/api-keys/${revoked.id}`)).status, 204);
    t.notOk(await alive(revoked));
    t.equal((await visitor.get(`/api/api-keys/${revoked.id}`)).status, 404);
    t.equal((await visitor.delete(`/api/api-keys/${revoked.id}`)).status, 404);

    const ada = await person(app, visitor, 'editor');
    const hers = await make(ada.visitor);
    t.ok(await alive(hers));
    await visitor.put(`/api/users/${ada.id}`, { status: 'disabled' });
    t.notOk(await alive(hers), 'a disabled user has no key');
    await visitor.put(`/api/users/${ada.id}`, { status: 'active' });
    t.ok(await alive(hers));
    await visitor.delete(`/api/users/${ada.id}`);
    t.notOk(await alive(hers));
  });

  await eachAuthApp(t, 'never has more rights than its user has now', async (t, app) => {
    const { visitor } = await app.superadmin();
    const ada = await person(app, visitor, 'admin');
    const key = await make(ada.visitor, { scopes: ['*'] });
    const users = async () => (await app.withToken(key.token).get('/api/users')).status;
    t.equal(await users(), 200);
    await visitor.put(`/api/users/${ada.id}`, { role: 'viewer' });
    t.equal(await users(), 403);
  });

  await eachAuthApp(t, 'does what its scopes name, and gives no more on', async (t, app) => {
    const { visitor } = await app.superadmin();
    const expires_at = new Date(app.clock.now() + 3_600_000).toISOString();
    const narrow = await make(visitor, { scopes: ['api-keys:write', 'users:read'], expires_at });
    const holder = app.withToken(narrow.token);
    t.equal((await holder.get('/api/users')).status, 200);
    t.match(await holder.post('/api/users', {}), { status: 403, body: { message: /scope "users:write"/ } });
    t.match(await holder.get('/api/audit-logs'), { status: 403, body: { message: /scope "audit:read"/ } });
    t.match(await holder.get('/api/users/me'), { status: 403, body: { message: /[Ss]ign in as a user/ } });
    for (const scopes of [['*'], ['users:write'], ['users:*'], ['users:read', 'tasks:read']]) {
      const refused = await holder.post('/api/api-keys', { name: 'x', scopes, expires_at });
      t.match(
        refused,
        { status: 403, body: { message: /scope "[a-z:*]+", which it does not have itself/ } },
        scopes.join(),
      );
    }
    const later = new Date(app.clock.now() + 3_600_001).toISOString();
    for (const end of [null, later]) {
      const refused = await holder.post('/api/api-keys', {
        name: 'x',
        scopes: ['users:read'],
        expires_at: end,
      });
      t.match(refused, { status: 403, body: { message: /expire no later/ } });
    }
    t.equal(
      (await holder.post('/api/api-keys', { name: 'x', scopes: ['users:read'], expires_at })).status,
      201,
    );
    const wide = await make(visitor);
    t.equal(
      (await holder.post(`/api/api-keys/${wide.id}/rotate`)).status,
      403,
      'nor by rotating a wider one',
    );
    for (const scopes of [['users'], ['users:delete'], ['*:read'], [':read'], [''], []]) {
      t.equal(
        (await visitor.post('/api/api-keys', { name: 'x', scopes })).status,
        400,
        JSON.stringify(scopes),
      );
    }
  });

  await eachAuthApp(t, 'of somebody else is seen and revoked by admins, never taken over', async (t, app) => {
    const { visitor: root } = await app.superadmin();
    const admin = await person(app, root, 'admin');
    const viewer = await person(app, root, 'viewer');
    const editor = await person(app, root, 'editor');
    const key = await make(editor.visitor);
    const path = `/api/api-keys/${key.id}`;
    t.match(await admin.visitor.post(`${path}/rotate`), {
      status: 403,
      body: { message: /belongs to another user/ },
    });
    t.equal((await viewer.visitor.get(path)).status, 404);
    t.equal((await viewer.visitor.delete(path)).status, 404);
    t.same((await viewer.visitor.get('/api/api-keys')).body, { result: [], next_cursor: null });
    t.equal((await admin.visitor.get(path)).status, 200);
    t.equal((await admin.visitor.delete(path)).status, 204);
    t.equal((await app.withToken(key.token).get('/api/auth/me')).status, 401);
    const audit = await root.get<{ result: object[] }>('/api/audit-logs?resource_type=api_key');
    t.match(audit.body.result, [
      { action: 'api_key.delete', actor_name: 'admin@example.com', diff: { name: 'a key' } },
      { action: 'api_key.create', actor_name: 'editor@example.com' },
    ]);
  });

  await eachAuthApp(t, 'is listed page by page', async (t, app) => {
    const { visitor } = await app.superadmin();
    for (const name of ['a', 'b', 'c']) await make(visitor, { name });
    type List = { result: { name: string }[]; next_cursor: string | null };
    const first = (await visitor.get<List>('/api/api-keys?limit=2')).body;
    const second = (await visitor.get<List>(`/api/api-keys?limit=2&cursor=${first.next_cursor}`)).body;
    t.same(
      [...first.result, ...second.result].map((key) => key.name),
      ['c', 'b', 'a'],
    );
    t.equal(second.next_cursor, null);
  });
});

t.test('on another control plane whose clock is an hour late a revoked key is dead too', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const now = Date.now();
  const ahead = await createAuthApp(t, store, { clock: createTestClock(now) });
  const { visitor } = await ahead.superadmin();
  const late = await createAuthApp(t, store, { clock: createTestClock(now - 3_600_000) });
  const key = await make(visitor);
  t.equal((await late.withToken(key.token).get('/api/users')).status, 200);
  await visitor.delete(`/api/api-keys/${key.id}`);
  t.equal((await late.withToken(key.token).get('/api/users')).status, 401);
});

t.test('cookies are Secure where the server is reached by others', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const app = await createAuthApp(t, store, { secureCookies: true });
  const { visitor } = await app.superadmin();
  t.equal(visitor.setCookies.length, 3);
  for (const cookie of visitor.setCookies) t.match(cookie, /; HttpOnly; Secure; SameSite=Lax$/);
  await visitor.post('/api/auth/logout');
  t.match(visitor.setCookies, [/; HttpOnly; Secure; SameSite=Lax$/]);
});
