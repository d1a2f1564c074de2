import t from 'tap';
import { replaceToken, selectApiKey } from '../../../../src/modules/auth/api-keys/api-key.ts';
import type { Visitor } from '../../../support/visitor.ts';
import { eachAuthApp } from '../auth-app.ts';

interface Key {
  id: number;
  token: string;
}

const make = async (who: Visitor, body: object = {}): Promise<Key> =>
  (await who.post<Key>('/api/api-keys', { name: 'a key', ...body })).body;

t.test('an API key', async (t) => {
  await eachAuthApp(
    t,
    'has scopes that exist; a slip of the pen is told with the nearest one',
    async (t, app) => {
      const { visitor } = await app.superadmin();
      const refusal = async (scope: string) => {
        const { status, body } = await visitor.post<{ details: { path: string; message: string }[] }>(
          '/api/api-keys',
          {
            name: 'x',
            scopes: ['tasks:write', scope],
          },
        );
        t.equal(status, 400, scope);
        return body.details.map(({ path, message }) => `${path}: ${message}`);
      };
      t.same(await refusal('task:read'), [
        'scopes.1: "scopes.1": "task:read" is not a scope; did you mean "tasks:read"?',
      ]);
      t.same(await refusal('task:*'), [
        'scopes.1: "scopes.1": "task:*" is not a scope; did you mean "tasks:*"?',
      ]);
      t.same(await refusal('job-template:write'), [
        'scopes.1: "scopes.1": "job-template:write" is not a scope; did you mean "job-templates:write"?',
      ]);
      t.match(await refusal('nonsense:read'), [/is not a scope: use one of ai:read, .*webhooks:write$/]);
      t.match(
        await refusal('branding:read'),
        [/"branding:read" is not a scope/],
        'branding is read by anybody',
      );
      for (const scope of ['*', 'tasks:*', 'tasks:read', 'runs:run', 'export:read', 'audit:write'])
        t.equal((await visitor.post('/api/api-keys', { name: 'x', scopes: [scope] })).status, 201, scope);
    },
  );

  await eachAuthApp(t, 'tells whose it is, and what it may do', async (t, app) => {
    const { visitor, email } = await app.superadmin();
    const key = await make(visitor, { scopes: ['tasks:read'] });
    const holder = app.withToken(key.token);
    t.match(await holder.get('/api/auth/me'), {
      status: 200,
      body: { email, role: 'superadmin', api_key: { id: key.id, name: 'a key', scopes: ['tasks:read'] } },
    });
    t.notMatch((await holder.get('/api/auth/me')).text, new RegExp(key.token));
    t.notOk('api_key' in (await visitor.get('/api/auth/me')).body);
    for (const path of ['/api/users/me', '/api/users']) t.equal((await holder.get(path)).status, 403, path);
    await visitor.delete(`/api/api-keys/${key.id}`);
    t.equal((await holder.get('/api/auth/me')).status, 401);
  });

  await eachAuthApp(
    t,
    'keeps its id when it is rotated; the token before is valid for the overlap',
    async (t, app) => {
      const { visitor } = await app.superadmin();
      const works = async ({ token }: Key) => (await app.withToken(token).get('/api/users')).status === 200;
      const first = await make(visitor, { scopes: ['users:read'] });
      const path = `/api/api-keys/${first.id}`;
      const rotate = (body?: object) => visitor.post<Key>(`${path}/rotate`, body);
      const second = (await rotate({ overlap_seconds: 60 })).body;
      t.match(second, {
        id: first.id,
        name: 'a key',
        scopes: ['users:read'],
        prefix: second.token.slice(0, 12),
      });
      t.same([await works(first), await works(second)], [true, true]);
      const end = new Date(app.clock.now() + 60_000).toISOString();
      t.match(await visitor.get(path), { status: 200, body: { expires_at: null, previous_expires_at: end } });
      t.equal((await visitor.get<{ result: object[] }>('/api/api-keys')).body.result.length, 1);
      app.clock.advance(60_000);
      t.same([await works(first), await works(second)], [false, true]);

      const third = (await rotate()).body;
      t.same([await works(second), await works(third)], [false, true], 'no overlap unless it is asked for');
      t.match(await visitor.get(path), { body: { previous_expires_at: null } });
      const fourth = (await rotate({ overlap_seconds: 604_800 })).body;
      const fifth = (await rotate({ overlap_seconds: 60 })).body;
      t.same(
        [await works(third), await works(fourth), await works(fifth)],
        [false, true, true],
        'one token before is valid, not two',
      );
      t.equal((await visitor.delete(path)).status, 204);
      t.same([await works(fourth), await works(fifth)], [false, false], 'a revoked key has no token at all');

      const another = await make(visitor, { expires_at: new Date(app.clock.now() + 30_000).toISOString() });
      const stale = await selectApiKey(app.store.read, another.id);
      if (stale === null) throw new Error('no key');
      t.equal(
        (await visitor.post(`/api/api-keys/${another.id}/rotate`, { overlap_seconds: 60 })).status,
        200,
      );
      const late = { prefix: 'svc_late', tokenHash: 'late', previousExpiresAt: null };
      const lost = await app.store.write((tx) => replaceToken(tx, stale, late));
      t.equal(lost, null, 'of two rotations at once one: the token of the other would be dead');
      t.ok(await works(another));
      app.clock.advance(30_000);
      t.notOk(await works(another), 'nor does an overlap outlive the key');
      const tooLong = await visitor.post(`/api/api-keys/${another.id}/rotate`, { overlap_seconds: 604_801 });
      t.equal(tooLong.status, 400);
    },
  );

  await eachAuthApp(t, 'rotates no key that has more scopes or lives longer, but itself', async (t, app) => {
    const { visitor } = await app.superadmin();
    const expires_at = new Date(app.clock.now() + 3_600_000).toISOString();
    const wide = await make(visitor);
    const narrow = await make(visitor, { scopes: ['api-keys:write'] });
    const short = await make(visitor, { scopes: ['*'], expires_at });
    const rotate = (by: Key, id: number) => app.withToken(by.token).post<Key>(`/api/api-keys/${id}/rotate`);
    t.match(await rotate(narrow, wide.id), {
      status: 403,
      body: { message: /scope "\*", which it does not have/ },
    });
    t.match(await rotate(short, wide.id), { status: 403, body: { message: /expire no later/ } });
    t.equal((await rotate(wide, narrow.id)).status, 200);
    const renewed = await rotate(short, short.id);
    t.match(renewed, { status: 200, body: { id: short.id, expires_at } });
    t.equal((await rotate(short, short.id)).status, 401, 'with its token of before it can do nothing');
    t.equal((await rotate(renewed.body, short.id)).status, 200);
  });
});
