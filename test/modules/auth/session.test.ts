import t from 'tap';
import { codeOf, PASSWORD, signIn } from '../../support/visitor.ts';
import { eachAuthApp } from './auth-app.ts';

t.test('a session', async (t) => {
  await eachAuthApp(t, 'ends with a logout, its time, and disuse', async (t, app) => {
    const { email, enrolment } = await app.superadmin();
    const open = async () => {
      const visitor = app.visitor();
      await signIn(visitor, email, PASSWORD, enrolment.secret, app.clock);
      return { visitor, token: visitor.cookies.get('svc_session') ?? '' };
    };
    const left = await open();
    t.equal((await left.visitor.post('/api/auth/logout')).status, 204);
    t.same(
      [...left.visitor.cookies.keys()],
      ['svc_device_1'],
      'the device stays known, which opens nothing by itself',
    );
    left.visitor.cookies.set('svc_session', left.token);
    t.equal((await left.visitor.get('/api/auth/me')).status, 401, 'the cookie is dead after the logout');

    const idle = await open();
    app.clock.advance(119 * 60_000);
    t.equal((await idle.visitor.get('/api/auth/me')).status, 200);
    app.clock.advance(119 * 60_000);
    t.equal((await idle.visitor.get('/api/auth/me')).status, 200, 'use keeps it');
    app.clock.advance(121 * 60_000);
    t.equal((await idle.visitor.get('/api/auth/me')).status, 401, 'two hours of disuse');

    const old = await open();
    for (let minutes = 0; minutes < 720; minutes += 60) {
      app.clock.advance(60 * 60_000);
      t.equal(
        (await old.visitor.get('/api/auth/me')).status,
        minutes < 660 ? 200 : 401,
        `minute ${minutes + 60}`,
      );
    }
  });

  await eachAuthApp(
    t,
    'is not found in the store, and the pending one lives five minutes',
    async (t, app) => {
      const { visitor, email, enrolment } = await app.superadmin();
      const rows = JSON.stringify(await app.store.read.selectFrom('sessions').selectAll().execute());
      t.notMatch(rows, new RegExp(visitor.cookies.get('svc_session') ?? '?'));
      const late = app.visitor();
      await late.post('/api/auth/login', { email, password: PASSWORD });
      app.clock.advance(5 * 60_000);
      t.match(await late.post('/api/auth/verify-totp', { code: codeOf(enrolment.secret, app.clock) }), {
        status: 401,
        body: { message: /has expired/ },
      });
    },
  );

  await eachAuthApp(t, 'is of no use to a user who was disabled while it was opened', async (t, app) => {
    const { visitor } = await app.superadmin();
    const set = (status: string) =>
      app.store.write((tx) => tx.updateTable('users').set({ status }).execute());
    await set('disabled');
    t.equal((await visitor.get('/api/auth/me')).status, 401);
    await set('active');
    t.equal((await visitor.get('/api/auth/me')).status, 200);
  });

  await eachAuthApp(t, 'writes only from the same origin', async (t, app) => {
    const { visitor } = await app.superadmin();
    const write = (headers: Record<string, string>) => visitor.post('/api/auth/logout', undefined, headers);
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://headgate.test' },
    ]) {
      t.match(await write(headers), { status: 403, body: { error: 'FORBIDDEN', message: /same origin/ } });
    }
    const cookie = `svc_session=${visitor.cookies.get('svc_session')}`;
    const bare = await app.http.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie } });
    t.equal(bare.statusCode, 403, 'neither header');
    t.equal((await visitor.get('/api/auth/me', { origin: 'https://evil.test' })).status, 200, 'reads may');
    t.equal((await write({ 'sec-fetch-site': 'same-origin' })).status, 204);
    const stranger = app.visitor();
    t.equal(
      (await stranger.post('/api/auth/verify-totp', { code: '1' }, { origin: 'https://evil.test' })).status,
      403,
    );
  });
});
