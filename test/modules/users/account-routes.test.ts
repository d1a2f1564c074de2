import t from 'tap';
import type { Principal } from '../../../src/http/access.ts';
import { selectUser, updatePasswordHash } from '../../../src/modules/users/user-store.ts';
import { userOf } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';
import { createUsersApp } from './users-app.ts';

const before = 'the old passphrase';
const after = 'a new passphrase!';

t.test("a user's own account", async (t) => {
  await eachStore(
    t,
    'has a password that changes with the current one, and ends all sessions',
    async (t, store) => {
      const { person, session, sessionIds, passwords, clock } = await createUsersApp(t, store);
      const { user, client } = await person('ada', 'viewer');
      const hash = await passwords.hash(before);
      await store.write((tx) => updatePasswordHash(tx, user.id, hash, clock.now()));
      await session(user);
      const change = (body: object) => client.post('/api/auth/password', body);
      t.match(await change({ current: 'wrong', new: after }), {
        status: 400,
        body: { details: [{ path: 'current' }] },
      });
      t.match(await change({ current: before, new: before }), {
        status: 400,
        body: { details: [{ path: 'new' }] },
      });
      t.match(await change({ current: before, new: 'short' }), { status: 400 });
      t.match(await change({ current: before, new: 'ada@example.com' }), {
        status: 400,
        body: { details: [{ path: 'new', message: /too easy to guess/ }] },
      });
      t.equal((await sessionIds(user)).length, 1);
      const failures = [
        { account: user.email, subject: 'a network', at: clock.now() },
        { account: 'eve@example.com', subject: 'a network', at: clock.now() },
      ];
      await store.write((tx) => tx.insertInto('auth_failures').values(failures).execute());
      t.equal((await change({ current: before, new: after })).status, 204);
      const locks = await store.read.selectFrom('auth_failures').select('account').execute();
      t.same(locks, [{ account: 'eve@example.com' }], 'it unlocks the account, and no other');
      const stored = await selectUser(store.read, user.id);
      t.ok(await passwords.verify(stored?.password_hash ?? null, after));
      t.same(await sessionIds(user), []);

      for (let i = 0; i < 5; i += 1) await change({ current: `wrong ${i}`, new: before });
      t.match(
        await change({ current: after, new: before }),
        { status: 429, body: { error: 'RATE_LIMITED' } },
        'even the right one',
      );
      clock.advance(16 * 60_000);
      t.equal((await change({ current: after, new: before })).status, 204);
    },
  );

  await eachStore(t, 'lists its sessions and ends one, never that of somebody else', async (t, store) => {
    const { person, session, sessionIds } = await createUsersApp(t, store);
    const ada = await person('ada', 'viewer');
    const bob = await person('bob', 'superadmin');
    await session(ada.user);
    await session(ada.user);
    await session(bob.user);
    const [first = 0, second = 0] = await sessionIds(ada.user);
    const list = await ada.client.get<{ result: object[] }>('/api/auth/sessions');
    t.match(list.body.result, [
      { id: first, current: first === 1, created_at: '2026-01-15T12:00:00.000Z', user_agent: 'ua' },
      { id: second, current: false },
    ]);
    t.notMatch(list.text, /token/);
    t.equal((await bob.client.delete(`/api/auth/sessions/${first}`)).status, 404);
    t.equal((await ada.client.delete(`/api/auth/sessions/${first}`)).status, 204);
    t.same(await sessionIds(ada.user), [second]);
    t.equal((await sessionIds(bob.user)).length, 1);
  });

  await eachStore(t, 'ends all sessions but this one, and none of somebody else', async (t, store) => {
    const { as, person, session, sessionIds } = await createUsersApp(t, store);
    const { user: ada } = await person('ada', 'viewer');
    const { user: bob } = await person('bob', 'viewer');
    for (const user of [ada, ada, ada, bob]) await session(user);
    const [, kept = 0] = await sessionIds(ada);
    const here = as({ ...userOf('viewer', ada.id), sessionId: kept } as Principal);
    const end = async () => (await here.delete('/api/auth/sessions')).body;
    t.same(await end(), { ended: 2 });
    t.same(await sessionIds(ada), [kept]);
    t.equal((await sessionIds(bob)).length, 1);
    t.same(await end(), { ended: 0 });
    const entries = await store.read.selectFrom('audit_logs').select(['action', 'diff_json']).execute();
    t.same(entries, [{ action: 'session.delete_others', diff_json: '{"ended":2}' }]);
  });
});
