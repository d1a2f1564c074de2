import t, { type Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { Visitor } from '../../support/visitor.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { dashboardOf } from '../dashboard-widgets/shop.ts';
import { shareOne } from './share-one.ts';

const pool = await startWorkerPool(t);

const PASSWORD = 'eight or more';
const LOCKED = {
  status: 401,
  body: { error: 'AUTH_ERROR', message: 'This dashboard is protected by a password' },
};
const NOT_VALID = '{"error":"NOT_FOUND","message":"This link is not valid",}';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A shared dashboard with a password, and what it takes to open it. */
async function lockOne(t: Test, store: Store) {
  const dashboards = [dashboardOf('{ id: h, type: heading, text: Hi }')];
  const shared = await shareOne(t, store, '', { dashboards }, { pool });
  const share = (body: object) =>
    shared.as('editor').post<{ share_token: string }>(`${shared.dashboard}/share`, body);
  await share({ password: PASSWORD });
  return {
    ...shared,
    share,
    visitor: (address?: string) => new Visitor(shared.app, {}, address),
    unlock: (who: Visitor, password: string, link = shared.link) => who.post(`${link}/unlock`, { password }),
  };
}

/** An answer without what differs each time. */
const wordsOf = (answer: { text: string }) => answer.text.replace(/"request_id":"[\w-]+"/, '');

t.test('a link with a password', async (t) => {
  await eachStore(t, 'opens for 12 hours with the cookie that the password gives', async (t, store) => {
    const { visitor, unlock, link, clock } = await lockOne(t, store);
    const visitorA = visitor();
    for (const answer of [await visitorA.get(link), await visitorA.post(`${link}/widgets/data`)])
      t.match(answer, LOCKED);
    t.match(await unlock(visitorA, 'something else'), { status: 401, body: { error: 'AUTH_ERROR' } });
    t.same(visitorA.setCookies, []);
    t.match(await visitorA.get(link), LOCKED);

    const opened = await unlock(visitorA, PASSWORD);
    t.match(opened, { status: 204, text: '' });
    const [cookie = ''] = visitorA.setCookies;
    t.match(
      cookie,
      /^svc_share_[0-9a-f]{12}=[\w.-]+; Max-Age=43200; Path=\/api\/public\/dashboards\/[\w-]{43}; HttpOnly; Secure; SameSite=Strict$/,
    );
    t.ok(cookie.includes(link));
    t.match(await visitorA.get(link), { status: 200, body: { title: 'Shop' } });
    t.equal((await visitorA.post(`${link}/widgets/data`)).status, 200);
    t.match(await visitor().get(link), LOCKED, 'nobody else');

    clock.advance(12 * HOUR_MS - 1);
    t.equal((await visitorA.get(link)).status, 200);
    clock.advance(1);
    t.match(await visitorA.get(link), LOCKED, 'whatever the browser keeps');
  });

  await eachStore(t, 'is shut at once by another password, a rotation or a revocation', async (t, store) => {
    const { visitor, unlock, share, link, as, dashboard } = await lockOne(t, store);
    const who = visitor();
    await unlock(who, PASSWORD);
    await share({ password: 'another one' });
    t.match(await who.get(link), LOCKED);
    t.match(await unlock(who, PASSWORD), { status: 401 });
    await unlock(who, 'another one');
    t.equal((await who.get(link)).status, 200);

    const old = [...who.cookies];
    const rotated = await as('editor').post<{ share_token: string }>(`${dashboard}/share/rotate`);
    t.equal((await who.get(link)).status, 404);
    const next = `/api/public/dashboards/${rotated.body.share_token}`;
    t.match(await who.get(next), LOCKED);
    await unlock(who, 'another one', next);
    const [[name = ''] = []] = [...who.cookies].filter(([known]) => old.every(([other]) => other !== known));
    who.cookies.set(name, old[0]?.[1] ?? '');
    t.match(await who.get(next), LOCKED, 'the cookie of another token, under the name of this one');
    await unlock(who, 'another one', next);
    t.equal((await who.get(next)).status, 200);

    await as('editor').delete(`${dashboard}/share`);
    t.equal((await who.get(next)).status, 404);
    t.equal((await unlock(who, 'another one', next)).status, 404);
  });

  t.test('cannot be opened with a made-up cookie', async (t) => {
    const { visitor, unlock, link, cipher, clock } = await lockOne(t, await openTestStore(t, 'sqlite'));
    const honest = visitor();
    await unlock(honest, PASSWORD);
    const [[name, value] = ['', '']] = [...honest.cookies];
    const later = String(clock.now() + HOUR_MS);
    const forged = [
      later,
      value.slice(0, -2),
      `${value}A`,
      value.replace(/^v1/, 'v2'),
      cipher.encrypt(later, 'share-unlock'),
      cipher.encrypt(later, 'share-unlock/null/null'),
      'x'.repeat(4_000),
      '',
    ];
    for (const made of forged)
      t.match(await visitor().get(link, { cookie: `${name}=${made}` }), LOCKED, made.slice(0, 40));
    t.equal((await visitor().get(link, { cookie: `${name}=${value}` })).status, 200);
  });

  await eachStore(t, 'takes five guesses of a network in a quarter of an hour', async (t, store) => {
    const { visitor, unlock, link, clock } = await lockOne(t, store);
    const burst = await Promise.all(
      Array.from({ length: 8 }, (_, n) => unlock(visitor('2001:db8:1:2::7'), `wrong guess ${n}`)),
    );
    t.same(burst.map(({ status }) => status).sort(), [401, 401, 401, 401, 401, 429, 429, 429]);
    const refused = await unlock(visitor('2001:db8:1:2:3:4:5:6'), PASSWORD);
    t.match(refused, { status: 429, body: { error: 'RATE_LIMITED' }, headers: { 'retry-after': '900' } });
    t.equal((await unlock(visitor('2001:db8:1:3::7'), PASSWORD)).status, 204, 'not for another network');
    clock.advance(15 * MINUTE_MS);
    t.equal((await unlock(visitor('2001:db8:1:2::7'), PASSWORD)).status, 204);
    t.equal((await unlock(visitor('2001:db8:1:2::7'), 'wrong again')).status, 401, 'and counts anew');

    const audit = await store.read
      .selectFrom('audit_logs')
      .selectAll()
      .where('action', '=', 'dashboard.unlock')
      .execute();
    t.equal(audit.filter(({ outcome }) => outcome === 'denied').length, 6);
    t.equal(audit.filter(({ outcome }) => outcome === 'success').length, 2);
    for (const row of audit)
      t.match(row, {
        actor_type: 'public',
        actor_id: null,
        resource_type: 'dashboard',
        resource_id: /^\d+$/,
        address: /^2001:db8:1:/,
        request_id: String,
      });
    t.notMatch(JSON.stringify(audit), /wrong|eight or more/);
    t.notOk(JSON.stringify(audit).includes(link.slice(-43)));
  });

  await eachStore(
    t,
    'takes thirty guesses of all networks together, and a new password counts anew',
    async (t, store) => {
      const { visitor, unlock, share, link, clock } = await lockOne(t, store);
      const known = visitor('192.0.2.1');
      t.equal((await unlock(known, PASSWORD)).status, 204);
      const guesses = await Promise.all(
        Array.from({ length: 40 }, (_, n) => unlock(visitor(`198.51.100.${n}`), `wrong guess ${n}`)),
      );
      t.same(
        [401, 429].map((status) => guesses.filter((guess) => guess.status === status).length),
        [30, 10],
      );
      t.equal((await unlock(visitor('192.0.2.2'), PASSWORD)).status, 429, 'even the right one');
      t.equal((await known.get(link)).status, 200, 'whoever has opened it before goes on');
      await share({ password: 'another one' });
      t.equal((await unlock(visitor('192.0.2.2'), 'another one')).status, 204);
      await share({ password: PASSWORD });
      clock.advance(15 * MINUTE_MS);
      t.equal((await unlock(visitor('192.0.2.3'), PASSWORD)).status, 204);
    },
  );

  t.test('forgets the wrong ones of a network after a right one, but not those of the link', async (t) => {
    const { visitor, unlock } = await lockOne(t, await openTestStore(t, 'sqlite'));
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 4; n += 1) t.equal((await unlock(visitor('192.0.2.1'), `wrong ${n}`)).status, 401);
      t.equal((await unlock(visitor('192.0.2.1'), PASSWORD)).status, 204);
    }
    for (let n = 0; n < 22; n += 1) t.equal((await unlock(visitor(`198.51.100.${n}`), 'wrong')).status, 401);
    t.equal((await unlock(visitor('192.0.2.2'), PASSWORD)).status, 429, 'thirty in all');
  });

  t.test('counts right and wrong passwords of one address', async (t) => {
    const { visitor, unlock } = await lockOne(t, await openTestStore(t, 'sqlite'));
    const statuses = [];
    for (let n = 0; n < 22; n += 1) statuses.push((await unlock(visitor('192.0.2.9'), PASSWORD)).status);
    t.same(statuses, [...Array<number>(20).fill(204), 429, 429]);
  });

  t.test('is not set to one that is guessed soon', async (t) => {
    const { share, unlock, visitor } = await lockOne(t, await openTestStore(t, 'sqlite'));
    for (const password of ['password', '12345678', 'aaaaaaaa', 'qwertyui'])
      t.match(await share({ password }), {
        status: 400,
        body: { details: [{ path: 'password', message: /too easy to guess/ }] },
      });
    t.equal((await unlock(visitor(), PASSWORD)).status, 204, 'the old one stays');
  });

  t.test('is opened by the same origin only, with a text of bounded length', async (t) => {
    const { visitor, link } = await lockOne(t, await openTestStore(t, 'sqlite'));
    const from = (headers: Record<string, string>) =>
      visitor().post(`${link}/unlock`, { password: PASSWORD }, headers);
    t.match(await from({ origin: 'https://evil.test' }), { status: 403, body: { error: 'FORBIDDEN' } });
    for (const site of ['cross-site', 'same-site'])
      t.equal((await from({ 'sec-fetch-site': site })).status, 403, site);
    t.equal((await from({ 'sec-fetch-site': 'same-origin' })).status, 204);
    for (const body of [
      {},
      { password: '' },
      { password: 'x'.repeat(201) },
      { password: 1 },
      { password: PASSWORD, scope: {} },
    ])
      t.match(await visitor().post(`${link}/unlock`, body), {
        status: 400,
        body: { error: 'VALIDATION_ERROR' },
      });
    t.equal((await visitor().post(`${link}/unlock`, { password: 'x'.repeat(5_000) })).status, 413);
  });

  await eachStore(
    t,
    'that is unknown, revoked or expired is not valid, in the same words',
    async (t, store) => {
      const { visitor, unlock, share, link, as, dashboard, clock } = await lockOne(t, store);
      const who = visitor();
      await unlock(who, PASSWORD);
      await as('editor').delete(`${dashboard}/share`);
      const revoked = link;
      const made = await share({ password: PASSWORD, expires_at: '2026-01-15T12:01:00.000Z' });
      const expired = `/api/public/dashboards/${made.body.share_token}`;
      await unlock(who, PASSWORD, expired);
      t.equal((await who.get(expired)).status, 200);
      clock.advance(MINUTE_MS);
      for (const path of [`/api/public/dashboards/${'A'.repeat(43)}`, revoked, expired])
        for (const answer of [await who.get(path), await unlock(who, PASSWORD, path)])
          t.same([answer.status, wordsOf(answer)], [404, NOT_VALID]);
      t.same(who.setCookies, []);
    },
  );
});

t.test('a link without a password has nothing to unlock', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { app, link } = await shareOne(t, store, '', { dashboards: [dashboardOf()] }, { pool });
  const who = new Visitor(app, {});
  t.equal((await who.post(`${link}/unlock`, { password: PASSWORD })).status, 204);
  t.same(who.setCookies, []);
});
