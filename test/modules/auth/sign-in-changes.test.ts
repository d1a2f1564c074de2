import t from 'tap';
import { createPasswords, type Passwords } from '../../../src/modules/auth/password.ts';
import { eachStore } from '../../support/stores.ts';
import { codeOf, PASSWORD, QUICK_PASSWORDS, signIn } from '../../support/visitor.ts';
import { type AuthApp, createAuthApp, eachAuthApp } from './auth-app.ts';

const WRONG = { code: '000000' };

/** The real passwords, and something that happens after one is checked and before the sign-in goes on. */
function passwordsWith(meanwhile: { change: () => Promise<unknown> }): Passwords {
  const passwords = createPasswords(QUICK_PASSWORDS);
  return {
    ...passwords,
    async verify(stored, password) {
      const right = await passwords.verify(stored, password);
      await meanwhile.change();
      return right;
    },
  };
}

async function signInAnew(app: AuthApp, email: string, secret: string): Promise<void> {
  app.clock.advance(30_000);
  await signIn(app.visitor('10.1.1.1'), email, PASSWORD, secret, app.clock);
}

/** Failed passwords of `count` strangers, from networks of their own. */
async function failElsewhere(app: AuthApp, email: string, count: number): Promise<void> {
  const failure = { subject: `login:${email}`, account: email, at: app.clock.now() };
  const failures = Array.from({ length: count }, () => failure);
  await app.store.write((tx) => tx.insertInto('auth_failures').values(failures).execute());
}

await eachStore(t, 'a user who changes while the password is checked does not get in', async (t, store) => {
  const meanwhile = { change: async (): Promise<unknown> => undefined };
  const app = await createAuthApp(t, store, { passwords: passwordsWith(meanwhile) });
  const { email } = await app.superadmin();
  const users = () => store.write((tx) => tx.selectFrom('users').selectAll().executeTakeFirstOrThrow());
  const before = await users();
  const change = (values: object) => () => store.write((tx) => tx.updateTable('users').set(values).execute());
  const login = () => app.visitor('10.1.1.1').post('/api/auth/login', { email, password: PASSWORD });
  const another = await createPasswords().hash('quite another passphrase');
  for (const values of [{ password_hash: another }, { status: 'disabled' }]) {
    meanwhile.change = change(values);
    t.match(await login(), { status: 401, body: { error: 'AUTH_ERROR' } }, JSON.stringify(values));
    t.same(await store.read.selectFrom('sessions').select('id').where('kind', '=', 'pending').execute(), []);
    const { password_hash, status } = before;
    await change({ password_hash, status })();
  }
  meanwhile.change = async () => undefined;
  t.equal((await login()).status, 200);
});

t.test('a sign-in', async (t) => {
  await eachAuthApp(t, 'that succeeds forgets the wrong passwords and codes before it', async (t, app) => {
    const { email, enrolment } = await app.superadmin();
    const failThree = async () => {
      const visitor = app.visitor('10.1.1.1');
      for (let n = 0; n < 3; n += 1)
        t.equal((await visitor.post('/api/auth/login', { email, password: `wrong ${n}` })).status, 401);
      t.equal((await visitor.post('/api/auth/login', { email, password: PASSWORD })).status, 200);
      for (let n = 0; n < 3; n += 1)
        t.equal((await visitor.post('/api/auth/verify-totp', WRONG)).status, 401);
    };
    for (let round = 0; round < 2; round += 1) {
      await failThree();
      await signInAnew(app, email, enrolment.secret);
    }
    t.same(await app.store.read.selectFrom('auth_failures').selectAll().execute(), []);
  });

  await eachAuthApp(
    t,
    'at a new device forgets those of strangers, at a known one it does not',
    async (t, app) => {
      const { email, enrolment, visitor } = await app.superadmin();
      await failElsewhere(app, email, 99);
      await signInAnew(app, email, enrolment.secret);
      await failElsewhere(app, email, 99);
      await signInAnew(app, email, enrolment.secret);
      await failElsewhere(app, email, 99);
      await signIn(visitor, email, PASSWORD, enrolment.secret, app.clock);
      await failElsewhere(app, email, 1);
      const stranger = await app.visitor('10.1.1.2').post('/api/auth/login', { email, password: PASSWORD });
      t.equal(stranger.status, 429, 'or a user who signs in often would give strangers more tries');
    },
  );

  await eachAuthApp(
    t,
    'to a disabled account counts as failed, with the right password too',
    async (t, app) => {
      const { email } = await app.superadmin();
      await app.store.write((tx) => tx.updateTable('users').set({ status: 'disabled' }).execute());
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1)
        statuses.push(
          (await app.visitor('10.1.1.1').post('/api/auth/login', { email, password: PASSWORD })).status,
        );
      t.same(statuses, [401, 401, 401, 401, 401, 429]);
    },
  );

  await eachAuthApp(t, 'ends with the user who is disabled between its two steps', async (t, app) => {
    const { email, enrolment } = await app.superadmin();
    const visitor = app.visitor('10.1.1.1');
    t.equal((await visitor.post('/api/auth/login', { email, password: PASSWORD })).status, 200);
    app.clock.advance(30_000);
    await app.store.write((tx) => tx.updateTable('users').set({ status: 'disabled' }).execute());
    const code = codeOf(enrolment.secret, app.clock);
    t.match(await visitor.post('/api/auth/verify-totp', { code }), {
      status: 401,
      body: { message: /expired/ },
    });
  });
});
