import t from 'tap';
import { PASSWORD } from '../../support/visitor.ts';
import { type AuthApp, createAuthApp, eachAuthApp } from './auth-app.ts';

const account = (app: AuthApp, more: object = {}) => ({
  token: app.setupToken,
  email: 'root@example.com',
  name: 'Root',
  password: PASSWORD,
  ...more,
});

t.test('the setup', async (t) => {
  await eachAuthApp(t, 'makes the first superadmin once, with the token of the console', async (t, app) => {
    const visitor = app.visitor();
    t.same((await visitor.get('/api/auth/setup')).body, { setup_required: true });
    t.match(await visitor.post('/api/auth/setup', account(app, { token: 'wrong' })), {
      status: 401,
      body: { error: 'AUTH_ERROR', message: /setup token is wrong/ },
    });
    t.match(await visitor.post('/api/auth/setup', account(app, { password: 'short' })), {
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path: 'password' }] },
    });
    const made = await visitor.post('/api/auth/setup', account(app));
    t.match(made, { status: 201, body: { otpauth_url: /^otpauth:\/\/totp\//, qr_svg: /^<svg/ } });
    t.same((await visitor.get('/api/auth/setup')).body, { setup_required: false });
    t.match(await visitor.post('/api/auth/setup', account(app)), { status: 409 });
    t.match(await visitor.post('/api/auth/setup', account(app, { token: 'wrong' })), { status: 409 });
    const rows = await app.store.read.selectFrom('users').selectAll().execute();
    t.match(rows, [{ role: 'superadmin', email: 'root@example.com' }]);
    const dump =
      JSON.stringify(rows) + JSON.stringify(await app.store.read.selectFrom('secrets').selectAll().execute());
    t.notMatch(dump, new RegExp(String(made.body['secret'])), 'no secret is stored as it is');
    t.notMatch(dump, new RegExp(String(app.setupToken)));
  });

  await eachAuthApp(t, 'makes one user of 50 that ask at once', async (t, app) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        app.visitor(`10.0.0.${n}`).post('/api/auth/setup', account(app, { email: `user${n}@example.com` })),
      ),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    t.same(statuses, [201, ...Array<number>(49).fill(409)]);
    t.equal((await app.store.read.selectFrom('users').select('id').execute()).length, 1);
  });

  await eachAuthApp(
    t,
    'takes the token of any server that started before it, and then none',
    async (t, app) => {
      const later = await createAuthApp(t, app.store);
      t.not(later.setupToken, app.setupToken);
      const [first, second] = await Promise.all([
        app.visitor('10.0.0.1').post('/api/auth/setup', account(app)),
        later.visitor('10.0.0.2').post('/api/auth/setup', account(later, { email: 'other@example.com' })),
      ]);
      t.same([first.status, second.status].sort(), [201, 409]);
      t.equal((await app.store.read.selectFrom('users').select('id').execute()).length, 1);
      t.same(await app.store.read.selectFrom('secrets').select('name').execute(), []);
    },
  );

  await eachAuthApp(t, 'takes no token that is a day older than the newest start', async (t, app) => {
    app.clock.advance(86_400_000);
    const same = await createAuthApp(t, app.store, { clock: app.clock });
    app.clock.advance(1);
    const later = await createAuthApp(t, app.store, { clock: app.clock });
    const old = await app.visitor('10.0.0.1').post('/api/auth/setup', account(app));
    t.match(old, { status: 401, body: { message: /setup token is wrong/ } });
    t.equal((await app.visitor('10.0.0.2').post('/api/auth/setup', account(same))).status, 201);
    t.equal((await app.visitor('10.0.0.3').post('/api/auth/setup', account(later))).status, 409);
  });
});
