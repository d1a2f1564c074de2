import t from 'tap';
import { codeOf, PASSWORD } from '../../support/visitor.ts';
import { eachAuthApp } from './auth-app.ts';

t.test('the second step', async (t) => {
  await eachAuthApp(t, 'tells a missing sign-in from a missing code', async (t, app) => {
    const { email, enrolment } = await app.superadmin();
    const stranger = app.visitor();
    for (const body of [{ code: '123456' }, {}, undefined]) {
      t.match(await stranger.post('/api/auth/verify-totp', body), {
        status: 400,
        body: { error: 'VALIDATION_ERROR', message: /No sign-in is in progress: log in again/ },
      });
    }
    const visitor = app.visitor();
    await visitor.post('/api/auth/login', { email, password: PASSWORD });
    for (const body of [{}, { code: '' }, { code: null }, undefined, '']) {
      t.match(await visitor.post('/api/auth/verify-totp', body), {
        status: 400,
        body: { error: 'VALIDATION_ERROR', message: /code is missing/ },
      });
    }
    t.match(await visitor.post('/api/auth/verify-totp', { code: 5 }), {
      status: 400,
      body: { details: [{ path: 'code' }] },
    });
    t.match(await visitor.post('/api/auth/verify-totp', { code: '1', otp: 1 }), {
      status: 400,
      body: { details: [{ message: 'Unknown key "otp"' }] },
    });
    t.match(await visitor.post('/api/auth/verify-totp', { code: '000000' }), {
      status: 401,
      body: { error: 'AUTH_ERROR' },
    });
    t.match(
      await app
        .visitor()
        .post('/api/auth/verify-totp', { code: '1' }, { cookie: 'svc_pending_session=made-up' }),
      { status: 401 },
    );
    app.clock.advance(30_000);
    const code = codeOf(enrolment.secret, app.clock);
    t.same(
      (await visitor.post('/api/auth/verify-totp', { code: `${code.slice(0, 3)} ${code.slice(3)}` })).body,
      {
        success: true,
      },
    );
  });

  await eachAuthApp(
    t,
    'gives other cookies than the first, each good for its own step only',
    async (t, app) => {
      const { email, enrolment } = await app.superadmin();
      const visitor = app.visitor();
      await visitor.post('/api/auth/login', { email, password: PASSWORD });
      const flags = 'Path=/; HttpOnly; SameSite=Lax';
      t.match(visitor.setCookies, [new RegExp(`^svc_pending_session=[\\w-]{43}; Max-Age=300; ${flags}$`)]);
      const pendingToken = visitor.cookies.get('svc_pending_session') ?? '';
      t.equal((await visitor.get('/api/auth/me')).status, 401, 'a pending session is no session');
      const asFull = app.visitor();
      asFull.cookies.set('svc_session', pendingToken);
      t.equal((await asFull.get('/api/auth/me')).status, 401, 'its value neither');
      app.clock.advance(30_000);
      await visitor.post('/api/auth/verify-totp', { code: codeOf(enrolment.secret, app.clock) });
      t.match(visitor.setCookies, [
        /^svc_pending_session=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970/,
        new RegExp(`^svc_session=[\\w-]{43}; Max-Age=43200; ${flags}$`),
      ]);
      t.match(await visitor.get('/api/auth/me'), { status: 200, body: { email, totp_enabled: true } });
      const again = app.visitor();
      again.cookies.set('svc_pending_session', pendingToken);
      app.clock.advance(30_000);
      const code = codeOf(enrolment.secret, app.clock);
      t.equal((await again.post('/api/auth/verify-totp', { code })).status, 401, 'the first step is used up');
      const swapped = app.visitor();
      swapped.cookies.set('svc_pending_session', visitor.cookies.get('svc_session') ?? '');
      t.equal(
        (await swapped.post('/api/auth/verify-totp', { code })).status,
        401,
        'a full session is not pending',
      );
    },
  );

  await eachAuthApp(t, 'accepts a code once: of 50 submissions at once, one', async (t, app) => {
    const { email, enrolment } = await app.superadmin();
    app.clock.advance(60_000);
    const visitors = [app.visitor(), app.visitor()];
    for (const visitor of visitors) await visitor.post('/api/auth/login', { email, password: PASSWORD });
    const code = codeOf(enrolment.secret, app.clock);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const cookie = `svc_pending_session=${visitors[n % 2]?.cookies.get('svc_pending_session')}`;
        return app.visitor(`10.5.0.${n}`).post('/api/auth/verify-totp', { code }, { cookie });
      }),
    );
    t.equal(answers.filter((answer) => answer.status === 200).length, 1);
    t.equal(answers.filter((answer) => answer.status >= 500).length, 0);
    const late = app.visitor();
    await late.post('/api/auth/login', { email, password: PASSWORD });
    t.match(await late.post('/api/auth/verify-totp', { code }), { status: /401|429/ }, 'nor later');
  });

  await eachAuthApp(t, 'accepts the step before and after, and no other', async (t, app) => {
    const { email, enrolment } = await app.superadmin();
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [1, 200],
    ] as const) {
      app.clock.advance(120_000);
      const visitor = app.visitor();
      await visitor.post('/api/auth/login', { email, password: PASSWORD });
      const code = codeOf(enrolment.secret, app.clock, steps);
      t.equal((await visitor.post('/api/auth/verify-totp', { code })).status, status, `${steps} steps`);
    }
  });

  await eachAuthApp(
    t,
    'is blocked after 5 failures, for the right code and a new sign-in too',
    async (t, app) => {
      const { email, enrolment } = await app.superadmin();
      app.clock.advance(60_000);
      const visitor = app.visitor('10.6.0.1');
      await visitor.post('/api/auth/login', { email, password: PASSWORD });
      const wrong = await Promise.all(
        Array.from({ length: 30 }, () => visitor.post('/api/auth/verify-totp', { code: '000000' })),
      );
      t.equal(
        wrong.filter((answer) => answer.status === 401).length,
        5,
        'a burst gets no more tries than a row',
      );
      t.equal(wrong.filter((answer) => answer.status === 429).length, 25);
      const right = async (address: string) => {
        const again = app.visitor(address);
        await again.post('/api/auth/login', { email, password: PASSWORD });
        return again.post('/api/auth/verify-totp', { code: codeOf(enrolment.secret, app.clock) });
      };
      const blocked = await right('10.6.0.2');
      t.match(blocked, { status: 429, body: { error: 'RATE_LIMITED' } }, 'the account, from another address');
      t.ok(Number(blocked.headers['retry-after']) > 800);
      app.clock.advance(16 * 60_000);
      t.equal((await right('10.6.0.2')).status, 200, 'after a quarter of an hour');
      const rows = await app.store.read
        .selectFrom('audit_logs')
        .select(['action', 'outcome', 'address'])
        .where('outcome', '=', 'denied')
        .execute();
      t.equal(rows.length, 5, 'each refused code is in the audit log');
      t.match(rows[0], { action: 'auth.verify_totp', address: '10.6.0.1' });
    },
  );

  await eachAuthApp(t, 'accepts a recovery code once', async (t, app) => {
    const { email, enrolment } = await app.superadmin();
    const [code = '', other = ''] = enrolment.recovery_codes;
    const enter = async (text: string, address: string) => {
      const visitor = app.visitor(address);
      await visitor.post('/api/auth/login', { email, password: PASSWORD });
      return (await visitor.post('/api/auth/verify-totp', { code: text })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 4 }, (_, n) => enter(code, `10.7.0.${n}`)));
    t.same(statuses.sort(), [200, 401, 401, 401]);
    t.equal(await enter(other.toUpperCase().replaceAll('-', ''), '10.7.1.1'), 200, 'as people type it');
    t.equal(await enter(other, '10.7.1.2'), 401);
  });
});

t.test('the enrolment', async (t) => {
  await eachAuthApp(t, 'is shown again as it was until the first code is accepted', async (t, app) => {
    const { visitor } = await app.superadmin();
    const ada = { email: 'ada@example.com', name: 'Ada', password: PASSWORD, role: 'viewer' };
    t.equal((await visitor.post('/api/users', ada)).status, 201);
    type Login = { totp_enrolment?: { secret: string; recovery_codes: string[] } };
    const login = (client = app.visitor()) =>
      client.post<Login>('/api/auth/login', { email: ada.email, password: PASSWORD });
    const [first, second] = await Promise.all([login(), login()]);
    const enrolment = first.body.totp_enrolment;
    t.equal(enrolment?.recovery_codes.length, 10);
    t.same(second.body.totp_enrolment, enrolment);
    const client = app.visitor();
    t.same((await login(client)).body.totp_enrolment, enrolment);
    const code = codeOf(enrolment?.secret ?? '', app.clock);
    t.equal((await client.post('/api/auth/verify-totp', { code })).status, 200);
    t.same((await login()).body, { totp_required: true }, 'never afterwards');
  });
});
