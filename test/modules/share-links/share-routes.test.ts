import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';

const pool = await startWorkerPool(t);

const YAML = 'title: Sales\nwidgets: [{ id: h, type: heading, text: Hi }]\n';
const PASSWORD = 'pl4nted password';

interface Link {
  share_token: string;
  public_url: string;
}

t.test('a dashboard', async (t) => {
  await eachStore(t, 'is shared by one link, which can be replaced, revoked and expire', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { dashboardIds } = await seedJob(app, { dashboards: [YAML] });
    const path = `/api/dashboards/${dashboardIds[0]}`;
    const editor = app.as('editor');
    const opens = async (link: Link) =>
      (await app.anonymous.get(`/api/public/dashboards/${link.share_token}`)).status === 200;

    t.equal((await editor.get(`${path}/share`)).status, 404);
    t.equal((await editor.post(`${path}/share/rotate`)).status, 404, 'nothing is shared by accident');
    const first = await editor.post<Link>(`${path}/share`);
    t.equal(first.status, 200);
    t.same(Object.keys(first.body), ['share_token', 'public_url']);
    t.match(first.body, { share_token: /^[\w-]{43}$/, public_url: `/share/${first.body.share_token}` });
    t.same((await editor.post(`${path}/share`)).body, first.body, 'the one that stands');
    t.same((await editor.get(`${path}/share`)).body, {
      ...first.body,
      expires_at: null,
      has_password: false,
      embed_origins: [],
    });
    t.match(await editor.get(path), { headers: { etag: '"1"' }, body: { shared: true } });
    t.notOk((await editor.get(path)).text.includes(first.body.share_token));
    t.ok(await opens(first.body));

    const expires_at = '2026-01-15T13:00:00.000Z';
    t.same((await editor.post(`${path}/share`, { expires_at })).body, first.body, 'an expiry keeps the link');
    const second = await editor.post<Link>(`${path}/share/rotate`);
    t.not(second.body.share_token, first.body.share_token);
    t.notOk(await opens(first.body), 'the old one is dead at once');
    t.match(
      await editor.get(`${path}/share`),
      { body: { ...second.body, expires_at } },
      'and the expiry stays',
    );
    const embed = (embed_origins: string[]) => editor.post(`${path}/share`, { embed_origins });
    t.match(await embed(['https://a.example/x']), { status: 400, body: { message: /not an origin/ } });
    t.match(await embed(['https://A.example']), { status: 200, body: second.body });
    t.match(await editor.get(`${path}/share`), {
      body: { embed_origins: ['https://a.example'], expires_at },
    });
    t.match((await editor.post<Link>(`${path}/share`, {})).body, second.body, 'absent: unchanged');
    t.match(await editor.get(`${path}/share`), { body: { embed_origins: ['https://a.example'] } });
    t.equal((await embed([])).status, 200);
    t.match(await editor.get(`${path}/share`), { body: { embed_origins: [] } });
    app.clock.advance(3_599_999);
    t.ok(await opens(second.body));
    app.clock.advance(1);
    t.notOk(await opens(second.body));
    t.equal((await editor.get(`${path}/share`)).status, 404);
    t.match(await editor.post(`${path}/share`, { expires_at }), { status: 400, body: { message: /past/ } });

    const third = await editor.post<Link>(`${path}/share`);
    t.ok(await opens(third.body), 'a new one after the expiry');
    t.equal((await editor.delete(`${path}/share`)).status, 204);
    t.notOk(await opens(third.body));
    t.equal((await editor.delete(`${path}/share`)).status, 204);

    const rows = await store.read.selectFrom('dashboards').selectAll().execute();
    const audit = await store.read.selectFrom('audit_logs').selectAll().execute();
    t.same(
      audit.filter(({ action }) => action.startsWith('dashboard.share')).map(({ action }) => action),
      ['share', 'share', 'share_rotate', 'share', 'share', 'share', 'share_revoke'].map(
        (verb) => `dashboard.${verb}`,
      ),
    );
    for (const link of [first.body, second.body, third.body])
      t.notOk(JSON.stringify([rows, audit]).includes(link.share_token), 'no token in clear');
    for (const answer of [
      await app.as('viewer').post(`${path}/share`),
      await app.as('viewer').get(`${path}/share`),
    ])
      t.equal(answer.status, 403);
    t.equal((await editor.post('/api/dashboards/999/share')).status, 404);
  });

  await eachStore(
    t,
    'is shared with a password, which is kept as a hash and told nobody',
    async (t, store) => {
      const app = await createDefinitionsApp(t, store, pool);
      const { dashboardIds } = await seedJob(app, { dashboards: [YAML] });
      const path = `/api/dashboards/${dashboardIds[0]}`;
      const editor = app.as('editor');
      const share = (body?: object) => editor.post<Link>(`${path}/share`, body);
      const stored = async () => {
        const row = await store.read.selectFrom('dashboards').selectAll().executeTakeFirstOrThrow();
        return row.share_password_hash;
      };

      const first = await share({ password: PASSWORD });
      t.same(Object.keys(first.body), ['share_token', 'public_url']);
      const hash = await stored();
      t.match(hash, /^\$argon2id\$/);
      t.match(await editor.get(`${path}/share`), { body: { has_password: true, expires_at: null } });
      t.match(await editor.get(path), { headers: { etag: '"1"' }, body: { share_has_password: true } });

      const expires_at = '2026-01-15T13:00:00.000Z';
      t.same((await share({ expires_at })).body, first.body);
      t.equal(await stored(), hash, 'a share that names none leaves it');
      await editor.post(`${path}/share/rotate`);
      t.match(await editor.get(`${path}/share`), { body: { has_password: true, expires_at } });
      t.equal(await stored(), hash, 'and so does a rotation');
      await share({ password: `${PASSWORD} 2` });
      t.not(await stored(), hash);
      app.clock.advance(3_600_000);
      await share();
      t.match(
        await editor.get(`${path}/share`),
        { body: { has_password: true, expires_at: null } },
        'the link that follows an expired one is not open to all',
      );
      await share({ password: null });
      t.match(await editor.get(`${path}/share`), { body: { has_password: false } });
      await share({ password: PASSWORD });
      await editor.delete(`${path}/share`);
      t.equal(await stored(), null, 'a revocation forgets it');
      t.match(await editor.get(path), { body: { shared: false, share_has_password: false } });
      await share();
      t.match(await editor.get(`${path}/share`), { body: { has_password: false } });

      const audit = await store.read
        .selectFrom('audit_logs')
        .selectAll()
        .where('action', 'like', 'dashboard.share%')
        .orderBy('id')
        .execute();
      t.same(
        audit.map(({ action, diff_json }) => [action.slice(10), JSON.parse(diff_json ?? '{}').protection]),
        [
          ['share', ['none', 'password']],
          ['share', undefined],
          ['share_rotate', undefined],
          ['share', ['password', 'new password']],
          ['share', undefined],
          ['share', ['password', 'none']],
          ['share', ['none', 'password']],
          ['share_revoke', undefined],
          ['share', undefined],
        ],
      );
      const everything = [audit, await store.read.selectFrom('dashboards').selectAll().execute()];
      t.notMatch(JSON.stringify(everything), /pl4nted/);
    },
  );

  t.test('takes no password that is too short, too long or no text, and no other key', async (t) => {
    await eachStore(t, 'refuses', async (t, store) => {
      const app = await createDefinitionsApp(t, store, pool);
      const { dashboardIds } = await seedJob(app, { dashboards: [YAML] });
      const path = `/api/dashboards/${dashboardIds[0]}/share`;
      const editor = app.as('editor');
      for (const password of ['1234567', 'x'.repeat(201), 12_345_678, ['12345678'], ''])
        t.match(await editor.post(path, { password }), { status: 400, body: { error: 'VALIDATION_ERROR' } });
      t.match(await editor.post(path, { pasword: '12345678' }), {
        status: 400,
        body: { message: /pasword/ },
      });
      t.equal((await editor.get(path)).status, 404, 'and nothing is shared by it');
      t.equal((await editor.post('/api/dashboards/999/share', { password: PASSWORD })).status, 404);
    });
  });
});
