import t from 'tap';
import type { UserRecord } from '../../../src/modules/users/user.ts';
import { selectUser } from '../../../src/modules/users/user-store.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { createUsersApp } from './users-app.ts';

const password = 'a-first-passphrase';
const ada = { email: 'Ada@Example.com', name: 'Ada', role: 'editor', password };

t.test('users', async (t) => {
  await eachStore(t, 'are created, read, listed, changed and deleted by an admin', async (t, store) => {
    const { person, passwords } = await createUsersApp(t, store);
    const { client } = await person('root', 'admin');
    const created = await client.post<UserRecord>('/api/users', ada);
    t.match(created, { status: 201, headers: { etag: '"1"' } });
    t.match(created.body, {
      email: 'ada@example.com',
      name: 'Ada',
      role: 'editor',
      status: 'active',
      totp_enabled: false,
    });
    t.notMatch(created.text, /hash|secret|version|argon/);
    const stored = await selectUser(store.read, created.body.id);
    t.ok(await passwords.verify(stored?.password_hash ?? null, password));

    const path = `/api/users/${created.body.id}`;
    t.same((await client.get(path)).body, created.body);
    const emails = async (query: string) =>
      (await client.get<{ result: UserRecord[] }>(`/api/users${query}`)).body.result.map(
        (user) => user.email,
      );
    t.same(await emails(''), ['ada@example.com', 'root@example.com']);
    t.same(await emails('?q=ADA'), ['ada@example.com']);
    t.same(await emails('?role=admin'), ['root@example.com']);
    t.same(await emails('?status=disabled'), []);

    const renamed = await client.put(path, { name: 'Ada L.' }, { 'if-match': '"1"' });
    t.match(renamed, { status: 200, headers: { etag: '"2"' }, body: { name: 'Ada L.', role: 'editor' } });
    t.match(
      await client.put(path, { name: 'Ada L.' }),
      { headers: { etag: '"2"' } },
      'no change, no version',
    );
    t.equal((await client.put(path, { name: 'x' }, { 'if-match': '"1"' })).status, 412);
    t.equal((await client.delete(path, { 'if-match': '"1"' })).status, 412);
    t.equal((await client.delete(path)).status, 204);
    t.equal((await client.get(path)).status, 404);
    t.equal((await client.delete(path)).status, 404);
    const audit = await store.read
      .selectFrom('audit_logs')
      .select(['action', 'diff_json'])
      .orderBy('id')
      .execute();
    t.same(
      audit.map((entry) => entry.action),
      ['user.create', 'user.update', 'user.delete'],
    );
    t.notMatch(JSON.stringify(audit), password);
  });

  await eachStore(t, 'have an email of their own, whatever its case', async (t, store) => {
    const { person } = await createUsersApp(t, store);
    const { client, path } = await person('root', 'superadmin');
    const spellings = ['bob@x.org', 'BOB@x.org', 'Bob@X.org'];
    const answers = await Promise.all(spellings.map((email) => client.post('/api/users', { ...ada, email })));
    t.same(answers.map((answer) => answer.status).sort(), [201, 409, 409]);
    const two = await person('two', 'viewer');
    const moves = await Promise.all([path, two.path].map((p) => client.put(p, { email: 'same@x.org' })));
    t.same(moves.map((answer) => answer.status).sort(), [200, 409]);
    t.match(await client.put(path, { email: 'bOb@x.org' }), { status: 409, body: { error: 'CONFLICT' } });
    t.match(await client.put(path, { email: 'ROOT@new.org' }), {
      status: 200,
      body: { email: 'root@new.org' },
    });
  });

  await eachStore(t, 'always include an active superadmin', async (t, store) => {
    const { person } = await createUsersApp(t, store);
    const one = await person('one', 'superadmin');
    const changes = [{ role: 'admin' }, { status: 'disabled' }];
    for (const change of changes) {
      const refused = await one.client.put(one.path, change);
      t.match(refused, {
        status: 409,
        body: { error: 'CONFLICT', message: /"one@example.com" is the last/ },
      });
    }
    t.equal((await one.client.delete(one.path)).status, 409);
    t.equal((await one.client.put(one.path, { name: 'Still here' })).status, 200);
    const two = await person('two', 'superadmin');
    t.equal((await one.client.put(two.path, { status: 'disabled' })).status, 200);
    t.equal((await one.client.delete(one.path)).status, 409, 'a disabled one does not count');
    t.equal((await one.client.put(two.path, { status: 'active' })).status, 200);

    const reset = { role: 'superadmin', status: 'active' };
    for (let round = 0; round < 5; round += 1) {
      const [mine, yours] = await Promise.all([
        one.client.put(two.path, { role: 'viewer' }),
        two.client.put(one.path, { status: 'disabled' }),
      ]);
      t.same([mine.status, yours.status].sort(), [200, 409], 'of two changes at once one is refused');
      await store.write((tx) => tx.updateTable('users').set(reset).execute());
    }
  });

  await eachStore(t, 'lose their sessions with their role, status or password', async (t, store) => {
    const { person, session, sessionIds, passwords } = await createUsersApp(t, store);
    const { client } = await person('root', 'superadmin');
    const bystander = await person('bystander', 'viewer');
    await session(bystander.user);
    const eve = await person('eve', 'editor');
    const ends = async (what: string, change: () => Promise<{ status: number }>) => {
      await session(eve.user);
      await session(eve.user);
      t.equal((await change()).status, 200, what);
      t.same(await sessionIds(eve.user), [], `${what} ends all sessions`);
    };
    await ends('another role', () => client.put(eve.path, { role: 'viewer' }));
    await ends('disabling', () => client.put(eve.path, { status: 'disabled' }));
    await ends('an admin who ends them', () => client.post(`${eve.path}/end-sessions`));
    await ends('a reset of TOTP', () => client.post(`${eve.path}/reset-totp`));
    let given = '';
    await ends('a reset of the password', async () => {
      const answer = await client.post<{ password: string }>(`${eve.path}/reset-password`);
      given = answer.body.password;
      return answer;
    });
    t.match(given, /^[\w-]{24}$/);
    const stored = await selectUser(store.read, eve.user.id);
    t.ok(await passwords.verify(stored?.password_hash ?? null, given));
    t.notMatch(JSON.stringify(await store.read.selectFrom('audit_logs').selectAll().execute()), given);

    await session(eve.user);
    t.match((await client.get(`${eve.path}/sessions`)).body, {
      result: [{ address: '::1', user_agent: 'ua', current: false }],
      next_cursor: null,
    });
    t.equal((await client.get('/api/users/999999/sessions')).status, 404);
    await client.put(eve.path, { name: 'Eve' });
    t.equal((await sessionIds(eve.user)).length, 1, 'another name does not');
    t.equal((await sessionIds(bystander.user)).length, 1, 'nor anything of somebody else');
    t.equal((await client.delete(eve.path)).status, 204);
    t.same(await sessionIds(eve.user), []);
  });

  await eachStore(t, 'forget their authenticator with a reset', async (t, store) => {
    const { person } = await createUsersApp(t, store);
    const { client } = await person('root', 'admin');
    const { user, path } = await person('bob', 'viewer');
    const enrolled = {
      totp_secret_encrypted: 'x',
      totp_confirmed: 1,
      totp_last_step: 5,
      recovery_hashes_json: '["a"]',
    };
    await store.write((tx) => tx.updateTable('users').set(enrolled).where('id', '=', user.id).execute());
    t.match(await client.get(path), { body: { totp_enabled: true } });
    t.match(await client.post(`${path}/reset-totp`), { status: 200, body: { totp_enabled: false } });
    t.match(await selectUser(store.read, user.id), {
      totp_secret_encrypted: null,
      recovery_hashes_json: '[]',
    });
  });
});

t.test('admins manage users below themselves, superadmins everybody', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { person, withKey, anonymous, app } = await createUsersApp(t, store);
  const root = await person('root', 'superadmin');
  const admin = await person('admin', 'admin');
  const peer = await person('peer', 'admin');
  const editor = await person('editor', 'editor');
  const viewer = await person('viewer', 'viewer');
  for (const target of [root, admin, peer]) {
    const tries = [
      await admin.client.put(target.path, { name: 'x' }),
      await admin.client.delete(target.path),
      await admin.client.post(`${target.path}/reset-totp`),
      await admin.client.post(`${target.path}/reset-password`),
      await admin.client.post(`${target.path}/end-sessions`),
    ];
    for (const answer of tries)
      t.match(answer, { status: 403, body: { error: 'FORBIDDEN', message: /"superadmin"/ } });
  }
  for (const role of ['admin', 'superadmin']) {
    t.equal(
      (await admin.client.put(viewer.path, { role })).status,
      403,
      `nobody is lifted to ${role} by an admin`,
    );
    t.equal((await admin.client.post('/api/users', { ...ada, role })).status, 403);
  }
  t.equal((await admin.client.put(viewer.path, { role: 'editor' })).status, 200);
  t.equal((await root.client.put(peer.path, { role: 'superadmin' })).status, 200);
  for (const path of ['/api/users', viewer.path, `${viewer.path}/sessions`]) {
    t.equal((await editor.client.get(path)).status, 403);
    t.equal((await anonymous.get(path)).status, 401);
    t.equal((await withKey('admin', 'tasks:read').get(path)).status, 403);
    t.equal((await withKey('admin', 'users:read').get(path)).status, 200);
  }
  t.match(await admin.client.post('/api/users', { ...ada, password: 'short' }), {
    status: 400,
    body: { error: 'VALIDATION_ERROR' },
  });
  t.match(await admin.client.put(viewer.path, { rool: 'x' }), { status: 400, body: { message: /"rool"/ } });
  t.ok(app.swagger());
});

t.test('people see and rename themselves, and nothing more', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { person, withKey } = await createUsersApp(t, store);
  const { client } = await person('viewer', 'viewer');
  t.match(await client.get('/api/users/me'), { status: 200, body: { email: 'viewer@example.com' } });
  t.match(await client.put('/api/users/me', { name: 'V.' }), { status: 200, body: { name: 'V.' } });
  t.equal((await client.put('/api/users/me', { name: 'V.', role: 'admin' })).status, 400);
  t.equal((await withKey('admin', '*').get('/api/users/me')).status, 403, 'an API key is nobody');
});
