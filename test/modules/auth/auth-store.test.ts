import t from 'tap';
import {
  deleteExpiredSessions,
  deleteOldFailures,
  insertFailures,
  insertSession,
  unlockAccount,
} from '../../../src/modules/auth/auth-store.ts';
import { insertUser } from '../../../src/modules/users/user-store.ts';
import { eachStore } from '../../support/stores.ts';

t.test('housekeeping', async (t) => {
  await eachStore(t, 'deletes the sessions that have expired, and no other', async (t, store) => {
    const input = { email: 'a@example.com', name: 'A', role: 'viewer', passwordHash: 'x' };
    await store.write(async (tx) => {
      const { id: userId } = await insertUser(tx, input, 1);
      for (const expiresAt of [99, 100, 101])
        await insertSession(tx, {
          tokenHash: `hash ${expiresAt}`,
          userId,
          kind: 'full',
          now: 1,
          expiresAt,
          address: '::1',
          userAgent: 'ua',
        });
      await deleteExpiredSessions(tx, 100);
    });
    const left = await store.read.selectFrom('sessions').select('expires_at').orderBy('expires_at').execute();
    t.same(left, [{ expires_at: 100 }, { expires_at: 101 }]);
  });

  await eachStore(t, 'deletes old failures; unlocking those of one account', async (t, store) => {
    const left = async () =>
      (await store.read.selectFrom('auth_failures').select(['subject', 'at']).orderBy('id').execute()).map(
        ({ subject, at }) => `${subject} ${at}`,
      );
    const failed = (account: string | null, subject: string) => ({ account, subjects: [{ name: subject }] });
    await store.write(async (tx) => {
      await insertFailures(tx, failed('a@example.com', 'net'), 9);
      await insertFailures(tx, failed('a@example.com', 'net'), 10);
      await insertFailures(tx, failed('b@example.com', 'net'), 10);
      await insertFailures(tx, failed(null, 'share'), 10);
      await deleteOldFailures(tx, 10);
    });
    t.same(await left(), ['net 10', 'net 10', 'share 10']);
    await store.write((tx) => unlockAccount(tx, 'a@example.com'));
    t.same(await left(), ['net 10', 'share 10']);
  });
});
