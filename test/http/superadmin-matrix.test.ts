import t from 'tap';
import { startFullApp } from '../support/full-app.ts';
import { createPerson } from '../support/people.ts';
import type { Visitor } from '../support/visitor.ts';

const full = await startFullApp(t);
const { visitor: root } = await full.superadmin();
const target = await createPerson(full, root, 'superadmin', 'target');
const admin = await createPerson(full, root, 'admin', 'admin');
const small = await createPerson(full, root, 'viewer', 'small');
const key = (await target.visitor.post<{ id: number }>('/api/api-keys', { name: 'theirs' })).body;

/** What a write of a superadmin's user or key takes; a new route belongs here, or is asked with an empty body. */
const BODIES: Readonly<Record<string, readonly object[]>> = {
  'PUT /api/users/:id': [
    { name: 'renamed' },
    { email: 'taken@example.com' },
    { role: 'viewer' },
    { role: 'superadmin' },
    { status: 'disabled' },
    {},
  ],
  'POST /api/api-keys/:id/rotate': [{}, { overlap_seconds: 60 }],
};

const rows = async () => {
  const { read } = full.plane.store;
  const user = await read.selectFrom('users').selectAll().where('id', '=', target.id).execute();
  const keys = await read
    .selectFrom('api_keys')
    .select(['id', 'token_hash', 'previous_token_hash', 'scopes_json', 'expires_at'])
    .where('user_id', '=', target.id)
    .orderBy('id')
    .execute();
  const sessions = await read.selectFrom('sessions').select('id').where('user_id', '=', target.id).execute();
  return { user, keys, sessions };
};

t.test('an admin changes no superadmin and no key of one, by session or by key, in any form', async (t) => {
  const before = await rows();
  const asked: string[] = [];
  const wrong: string[] = [];
  const expectRefusal = async (who: Visitor, method: string, path: string, body: object | undefined) => {
    const { status, text } = await who.send(method as 'POST', path, body);
    asked.push(`${method} ${path}`);
    if (status !== 403) wrong.push(`${method} ${path} ${JSON.stringify(body)}: ${status} ${text}`);
  };
  for (const { method, url } of full.routes) {
    const [, collection, rest = ''] = /^\/api\/(users|api-keys)\/:id(.*)$/.exec(url) ?? [];
    if (collection === undefined || method === 'GET') continue;
    const id = collection === 'users' ? target.id : key.id;
    const bodies = BODIES[`${method} ${url}`] ?? [method === 'DELETE' ? undefined : {}];
    for (const who of [admin.visitor, admin.program])
      for (const body of bodies) await expectRefusal(who, method, `/api/${collection}/${id}${rest}`, body);
  }
  for (const who of [admin.visitor, admin.program]) {
    const made = {
      email: 'new@example.com',
      name: 'N',
      role: 'superadmin',
      password: 'correct horse battery staple',
    };
    await expectRefusal(who, 'POST', '/api/users', made);
    for (const role of ['superadmin', 'admin'])
      await expectRefusal(who, 'PUT', `/api/users/${small.id}`, { role });
  }
  t.same(wrong, []);
  t.ok(new Set(asked).size >= 8, `${[...new Set(asked)]}`);
  t.same(await rows(), before, 'nothing of it is changed');
});

t.test('a superadmin may, and so may the owner of a key', async (t) => {
  t.equal((await target.visitor.post(`/api/api-keys/${key.id}/rotate`)).status, 200);
  t.equal((await root.delete(`/api/api-keys/${key.id}`)).status, 204);
  const own = (await target.visitor.post<{ id: number }>('/api/api-keys', { name: 'own' })).body;
  t.equal((await target.visitor.delete(`/api/api-keys/${own.id}`)).status, 204);
  t.equal((await root.post(`/api/users/${target.id}/unlock`)).status, 200);
  t.equal((await root.post(`/api/users/${target.id}/reset-totp`)).status, 200);
});
