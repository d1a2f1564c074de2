import t from 'tap';
import { codeOf, PASSWORD, type SignedIn, signIn, type Visitor } from '../../support/visitor.ts';
import { type AuthApp, eachAuthApp } from './auth-app.ts';

const ACCOUNT_FAILURES_MAX = 100;

/** Strangers who guess at an account from as many networks as it takes until it is locked for whoever is not known. */
async function lockAccount(app: AuthApp, email: string): Promise<void> {
  const at = app.clock.now();
  await app.store.write(async (tx) => {
    const account = email;
    const strangers = Array.from({ length: ACCOUNT_FAILURES_MAX - 1 }, () => ({
      subject: `login:${email}`,
      account,
      at,
    }));
    await tx.insertInto('auth_failures').values(strangers).execute();
  });
  await app.visitor('10.9.9.9').post('/api/auth/login', { email, password: 'the hundredth guess' });
}

const login = async (who: Visitor, email: string, password = PASSWORD) =>
  (await who.post('/api/auth/login', { email, password })).status;

/** Five wrong passwords from there, which are all that a network has. */
async function failFive(who: Visitor, email: string): Promise<void> {
  for (let n = 0; n < 5; n += 1) await who.post('/api/auth/login', { email, password: `wrong ${n}` });
}

/** A second superadmin, who has signed in. */
async function colleague(
  app: AuthApp,
  { visitor }: SignedIn,
): Promise<{ id: number; email: string; secret: string; visitor: Visitor }> {
  const email = 'ada@example.com';
  const input = { email, name: 'Ada', role: 'superadmin', password: PASSWORD };
  const { id } = (await visitor.post<{ id: number }>('/api/users', input)).body;
  const own = app.visitor('10.8.0.1');
  const first = await own.post<{ totp_enrolment: { secret: string } }>('/api/auth/login', {
    email,
    password: PASSWORD,
  });
  const { secret } = first.body.totp_enrolment;
  await signIn(own, email, PASSWORD, secret, app.clock);
  return { id, email, secret, visitor: own };
}

t.test('an account', async (t) => {
  await eachAuthApp(t, 'is not locked by five wrong passwords of strangers', async (t, app) => {
    const { email } = await app.superadmin();
    for (let n = 0; n < 20; n += 1)
      t.equal(await login(app.visitor(`10.4.0.${n}`), email, 'not the password'), 401);
    await failFive(app.visitor('10.4.1.1'), email);
    t.equal(await login(app.visitor('10.4.1.1'), email), 429, 'where five came from');
    t.equal(await login(app.visitor('10.4.1.2'), email), 200, 'nowhere else');
  });

  await eachAuthApp(t, 'is locked after a hundred, but not for a device that it knows', async (t, app) => {
    const { email, visitor, enrolment } = await app.superadmin();
    await lockAccount(app, email);
    t.equal(await login(app.visitor('10.4.1.2'), email), 429);
    await failFive(app.visitor('127.0.0.1'), 'nobody@example.com');
    await signIn(visitor, email, PASSWORD, enrolment.secret, app.clock);

    t.equal(await login(visitor, email, 'not the password'), 401);
    await lockAccount(app, email);
    app.clock.advance(60_000);
    t.equal(await login(visitor, email), 200);
    const code = codeOf(enrolment.secret, app.clock);
    t.equal((await visitor.post('/api/auth/verify-totp', { code })).status, 200);
    await failFive(visitor, email);
    t.equal(await login(visitor, email), 429, 'which is counted by itself');
  });

  await eachAuthApp(
    t,
    'knows a device by the cookie that it sealed for itself, for a year',
    async (t, app) => {
      const root = await app.superadmin();
      const [name = '', value = ''] =
        [...root.visitor.cookies].find(([name]) => name.startsWith('svc_device_')) ?? [];
      t.equal(name, 'svc_device_1');
      const ada = await colleague(app, root);
      t.match(
        ada.visitor.setCookies.at(-1),
        /^svc_device_2=[\w.-]+; Path=\/api\/auth; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      );
      const adas = ada.visitor.cookies.get('svc_device_2') ?? '';
      await lockAccount(app, root.email);
      const withCookie = (value: string) => {
        const who = app.visitor('10.7.0.1');
        who.cookies.set(name, value);
        return login(who, root.email);
      };
      for (const forged of [adas, `${value}A`, value.slice(0, -3), 'x', `${app.clock.now()}`])
        t.equal(await withCookie(forged), 429, forged.slice(0, 20));
      t.equal(await withCookie(value), 200);
      app.clock.advance(366 * 86_400_000);
      await lockAccount(app, root.email);
      t.equal(await withCookie(value), 429, 'not for ever');
    },
  );

  await eachAuthApp(t, 'is unlocked by resets and by admins', async (t, app) => {
    const root = await app.superadmin();
    const ada = await colleague(app, root);
    const home = () => app.visitor('10.6.0.1');
    const path = `/api/users/${ada.id}`;
    const locked = async () => {
      await lockAccount(app, ada.email);
      await failFive(home(), ada.email);
      t.equal(await login(home(), ada.email), 429);
    };
    await locked();
    t.match(await root.visitor.post(`${path}/unlock`), {
      status: 200,
      body: { id: ada.id, email: ada.email },
    });
    t.equal(await login(home(), ada.email), 200, 'and her network is free again as well');
    await locked();
    t.equal((await root.visitor.post(`${path}/reset-totp`)).status, 200);
    t.equal(await login(home(), ada.email), 200);
    await locked();
    const { password } = (await root.visitor.post<{ password: string }>(`${path}/reset-password`)).body;
    t.equal(await login(home(), ada.email, password), 200);
    t.match((await root.visitor.get('/api/audit-logs?action=user.unlock')).body, {
      result: [{ action: 'user.unlock', resource_id: String(ada.id), actor_name: root.email }],
    });
  });

  await eachAuthApp(t, 'is not unlocked for strangers who fail at another one', async (t, app) => {
    const root = await app.superadmin();
    const ada = await colleague(app, root);
    const stranger = () => app.visitor('10.6.0.1');
    for (const email of [root.email, root.email, root.email, ada.email, ada.email])
      await login(stranger(), email, 'not the password');
    t.equal((await root.visitor.post(`/api/users/${ada.id}/unlock`)).status, 200);
    t.equal(await login(stranger(), root.email, 'not the password'), 401);
    t.equal(await login(stranger(), root.email, 'not the password'), 401);
    t.equal(await login(stranger(), root.email), 429, 'three failures of five stayed counted');
  });
});
