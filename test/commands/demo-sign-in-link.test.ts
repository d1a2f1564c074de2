import t from 'tap';
import { createFirstUser } from '../../src/commands/demo/first-user.ts';
import { openSignInLink } from '../../src/commands/demo/sign-in-link.ts';
import { startFullApp } from '../support/full-app.ts';

t.test('the demo’s link signs a browser in once, and leads to the sign-in afterwards', async (t) => {
  const { plane, clock } = await startFullApp(t);
  // Codes are made by the time of day, and the server's clock stands still: it takes those of the step before and after its own alone.
  const setClock = () => clock.advance(Date.now() - clock.now());
  const url = plane.httpAddress;
  setClock();
  const user = await createFirstUser(url, plane.setupToken ?? '');
  const link = await openSignInLink({ url, user });
  t.teardown(() => link.close());
  t.match(link.address, /^http:\/\/127\.0\.0\.1:\d+\/\S{20,}$/);
  const visit = (address: string, method = 'GET') => fetch(address, { method, redirect: 'manual' });
  t.equal((await visit(new URL('/guessed', link.address).href)).status, 404);
  t.equal((await visit(link.address, 'HEAD')).status, 404, 'a look ahead does not use it up');

  setClock();
  const first = await visit(link.address);
  t.equal(first.status, 302);
  t.equal(first.headers.get('location'), `${url}/#signed-in`);
  const [cookie = ''] = first.headers.getSetCookie();
  t.match(cookie, /^svc_session=[^;]{20,}; Path=\/; HttpOnly; SameSite=Lax$/);
  const me = await fetch(`${url}/api/auth/me`, { headers: { cookie: cookie.split(';')[0] ?? '' } });
  t.match(await me.json(), { email: 'demo@example.com', role: 'superadmin' });

  const second = await visit(link.address);
  t.equal(second.headers.get('location'), `${url}/sign-in`);
  t.same(second.headers.getSetCookie(), []);
});

t.test('after ten minutes the link leads to the sign-in', async (t) => {
  const user = { email: 'demo@example.com', password: 'x', totpSecret: 'x' };
  const clock = { now: 0 };
  const link = await openSignInLink({ url: 'http://127.0.0.1:9', user, now: () => clock.now });
  t.teardown(() => link.close());
  clock.now = 10 * 60_000 + 1;
  const { headers } = await fetch(link.address, { redirect: 'manual' });
  t.equal(headers.get('location'), 'http://127.0.0.1:9/sign-in');
  t.same(headers.getSetCookie(), []);
});
