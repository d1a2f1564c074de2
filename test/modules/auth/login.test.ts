import t from 'tap';
import { PASSWORD } from '../../support/visitor.ts';
import { eachAuthApp } from './auth-app.ts';

t.test('the first step', async (t) => {
  await eachAuthApp(t, 'does not tell an unknown user from a wrong password', async (t, app) => {
    const { email } = await app.superadmin();
    const attempt = async (address: string, who: string) => {
      // Processor time, which other work on the machine hardly changes.
      const before = process.cpuUsage();
      const answer = await app
        .visitor(address)
        .post('/api/auth/login', { email: who, password: 'not the password' });
      const { user, system } = process.cpuUsage(before);
      return { answer, cost: user + system };
    };
    await attempt('10.1.0.1', email);
    const costs: Record<string, number[]> = { known: [], unknown: [] };
    for (let n = 0; n < 4; n += 1) {
      const known = await attempt(`10.2.0.${n}`, email);
      const unknown = await attempt(`10.3.0.${n}`, `nobody${n}@example.com`);
      t.equal(known.answer.status, 401);
      const { request_id: _1, ...a } = known.answer.body;
      const { request_id: _2, ...b } = unknown.answer.body;
      t.same([known.answer.status, a], [unknown.answer.status, b]);
      costs['known']?.push(known.cost);
      costs['unknown']?.push(unknown.cost);
    }
    const best = (of: readonly number[] = []) => Math.min(...of);
    t.ok(best(costs['unknown']) > best(costs['known']) / 3, 'an unknown user costs a hash too');
    t.ok(best(costs['known']) > best(costs['unknown']) / 3);
  });

  await eachAuthApp(t, 'is blocked after 5 failures, for the right password too', async (t, app) => {
    const { email } = await app.superadmin();
    const wrong = { email, password: 'not the password' };
    const burst = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        app.visitor(`2001:db8:4:4::${n + 1}`).post('/api/auth/login', wrong),
      ),
    );
    t.equal(
      burst.filter((answer) => answer.status === 401).length,
      5,
      'a burst gets no more tries than a row',
    );
    t.equal(burst.filter((answer) => answer.status === 429).length, 15);
    const login = () =>
      app.visitor('2001:db8:4:4::ff').post('/api/auth/login', { email, password: PASSWORD });
    const right = await login();
    t.match(right, { status: 429, body: { error: 'RATE_LIMITED' } });
    const seconds = Number(right.headers['retry-after']);
    t.ok(seconds > 800 && seconds <= 900, 'Retry-After says when the first of them is forgotten');
    app.clock.advance(seconds * 1_000);
    t.equal((await login()).status, 200);
  });

  await eachAuthApp(t, 'is blocked per address, whatever the account', async (t, app) => {
    const { email } = await app.superadmin();
    for (let n = 0; n < 5; n += 1) {
      const stranger = app.visitor(`2001:db8:7:7::${n + 1}`);
      const who = { email: `nobody${n}@example.com`, password: 'not the password' };
      t.equal((await stranger.post('/api/auth/login', who)).status, 401);
    }
    const login = { email, password: PASSWORD };
    t.equal(
      (await app.visitor('2001:db8:7:7::ff').post('/api/auth/login', login)).status,
      429,
      'the same /64',
    );
    t.equal((await app.visitor('2001:db8:7:8::1').post('/api/auth/login', login)).status, 200);
  });
});
