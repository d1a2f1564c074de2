import t from 'tap';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { openPublicScene } from './public-scene.ts';

const folder = t.testdir();
const pool = await startWorkerPool(t, { fileRoots: [folder] });
const place = { folder, pool };

interface Batch {
  widgets: Record<string, { data?: Record<string, unknown>; error?: string }>;
}
const READ_ONLY = { status: 403, body: { error: 'FORBIDDEN', message: 'This dashboard is read-only' } };
const CONTACT = { email: 'ann@example.com', plan: '2' };

t.test('a form of a share link', async (t) => {
  await eachStore(t, 'is saved for future runs, and seen by everybody at once', async (t, store) => {
    const { visitor, link, at, config, audit, as, dashboard } = await openPublicScene(t, store, place);
    const [ann, ben] = [visitor('192.0.2.1'), visitor('192.0.2.2')];
    const seenBy = async (who: typeof ann, widget_ids = ['contact', 'sum']) =>
      (await who.post<Batch>(`${link}/widgets/data`, { widget_ids })).body.widgets;
    t.match((await ann.get(link)).body, { allow_public_input: true });
    t.match(await seenBy(ben), {
      contact: { data: { values: {}, version: 1, readonly: false, reason: null } },
    });

    const checked = await ann.post(at('contact', 'submit'), { value: { email: 'no' }, dry_run: true });
    t.match(checked, {
      status: 200,
      body: { saved: false, version: 1, problems: [{ path: 'contact.email' }] },
    });
    t.match(await ann.post(at('contact', 'submit'), { value: { email: 'no' } }), {
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        details: [{ path: 'contact.email', message: /must be an email address/ }],
      },
    });
    const saved = await ann.post(at('contact', 'submit'), { value: CONTACT, version: 1 });
    t.match(saved, { status: 200, body: { saved: true, problems: [], value: CONTACT, version: 2 } });
    t.same((await config())['pl4nted_contact'], CONTACT);
    t.match(await seenBy(ben), { contact: { data: { values: CONTACT, version: 2 } } });
    t.match(await ben.post(at('contact', 'submit'), { value: { email: 'b@example.com' }, version: 1 }), {
      status: 412,
      body: { error: 'PRECONDITION_FAILED', message: 'Somebody has changed this meanwhile: load it again' },
    });
    t.match(await ben.post(at('contact', 'submit'), { value: { ...CONTACT, plan: '99' } }), {
      status: 400,
      body: { details: [{ path: 'contact.plan', message: '"99" is not offered any more: choose another' }] },
    });

    const id = dashboard.split('/').at(-1);
    const written = await audit();
    t.same(
      written.map(({ action, outcome, address }) => [action, outcome, address]),
      [
        ['dashboard.submit', 'denied', '192.0.2.1'],
        ['job.config', 'success', '192.0.2.1'],
        ['dashboard.submit', 'success', '192.0.2.1'],
        ['dashboard.submit', 'denied', '192.0.2.2'],
        ['dashboard.submit', 'denied', '192.0.2.2'],
      ],
      'each write, done or refused; a check is none',
    );
    for (const row of written) {
      t.match(row, {
        actor_id: null,
        actor_name: `share link of dashboard ${id}`,
        request_id: /^[\w-]{36}$/,
      });
      if (row.action !== 'job.config') t.match(row, { resource_type: 'dashboard', resource_id: id });
    }
    t.notMatch(JSON.stringify(written), /ann@|b@example/, 'without what was sent');
    t.notOk(JSON.stringify(written).includes(link.slice(-43)));
    t.match((await as('viewer').get(dashboard)).body, { version: 1 });
  });

  await eachStore(t, 'keeps the expressions of a mapping, and takes none', async (t, store) => {
    const { visitor, at, link, config } = await openPublicScene(t, store, place);
    const who = visitor();
    const shown = { source_field: 'name', target_field: 'label', transform: null, has_transform: true };
    t.match((await who.post<Batch>(`${link}/widgets/data`, { widget_ids: ['map'] })).body.widgets, {
      map: { data: { schema: { allow_transform: false }, rows: [shown] } },
    });
    const more = { source_field: '1', target_field: 'key' };
    const saved = await who.post(at('map', 'submit'), { value: [shown, more] });
    t.match(saved, { status: 200, body: { saved: true, value: [shown, { ...more, transform: null }] } });
    t.same((await config())['pl4nted_map'], [
      { source_field: 'name', target_field: 'label', transform: "$uppercase('pl4nted')" },
      { ...more, transform: null },
    ]);
    t.match(await who.post(at('map', 'submit'), { value: [{ ...more, transform: '$x' }] }), {
      status: 400,
      body: { details: [{ path: 'map[0].transform', message: /cannot be set here/ }] },
    });
    t.match(
      await who.post(at('map', 'submit'), {
        value: [1, 2, 3, 4].map((n) => ({ source_field: '2', target_field: `b${n}` })),
      }),
      {
        status: 400,
        body: { details: [{ path: 'map', message: 'At most three rows' }] },
      },
    );
  });
});

t.test('an action of a share link', async (t) => {
  await eachStore(t, 'acts once, cools down for all, and is written down', async (t, store) => {
    const { visitor, at, link, visits, audit, clock, as, dashboard } = await openPublicScene(t, store, place);
    const who = visitor('192.0.2.1');
    const stateOf = async () =>
      (await visitor('192.0.2.2').post<Batch>(`${link}/widgets/data`, { widget_ids: ['visit'] })).body
        .widgets['visit'];
    t.match(await stateOf(), { data: { enabled: true, last_run: null } });
    t.match(await who.post(at('visit', 'action'), { input: {} }), {
      status: 400,
      body: { details: [{ path: 'input.name', message: '"Name" is required' }] },
    });
    const done = await who.post(at('visit', 'action'), { input: { name: 'Ann' } });
    t.match(done, { status: 200, body: { outcome: 'done', message: 'Thanks, Ann', cooldown_until: String } });
    t.match(done.body, { job_run_id: null, result: null });
    t.same(visits(), ['Ann']);
    t.match(await stateOf(), { data: { enabled: false, last_run: { outcome: 'done' } } });
    t.match(await visitor('192.0.2.9').post(at('visit', 'action'), { input: { name: 'Ben' } }), {
      status: 429,
      body: { error: 'RATE_LIMITED' },
      headers: { 'retry-after': '30' },
    });
    t.match(await as('operator').post(`${dashboard}/widgets/visit/action`, { input: { name: 'Ben' } }), {
      status: 429,
    });
    clock.advance(30_000);
    t.match(await stateOf(), { data: { enabled: true } });
    t.same(visits(), ['Ann']);
    t.same(
      (await audit()).map(({ action, outcome, address, resource_type }) => [
        action,
        outcome,
        address,
        resource_type,
      ]),
      [
        ['dashboard.action', 'denied', '192.0.2.1', 'dashboard'],
        ['dashboard.action', 'success', '192.0.2.1', 'dashboard'],
        ['dashboard.action', 'denied', '192.0.2.9', 'dashboard'],
      ],
    );
  });

  await eachStore(t, 'starts its job and tells nothing of it', async (t, store) => {
    const { visitor, at, jobRuns, audit } = await openPublicScene(t, store, place);
    const key = { 'idempotency-key': 'press-1' };
    const first = await visitor().post(at('go', 'action'), {}, key);
    t.match(first, { status: 200, body: { outcome: 'started', job_run_id: null, result: null } });
    t.match(await visitor().post(at('go', 'action'), {}, key), {
      text: first.text,
      headers: { 'idempotent-replayed': 'true' },
    });
    t.equal(await jobRuns(), 1);
    t.match(await visitor().post(at('fails', 'action')), {
      status: 502,
      body: { error: 'CONNECTOR_ERROR', message: 'This action could not be carried out' },
    });
    t.match(
      (await audit()).filter(({ outcome }) => outcome === 'failed'),
      [{ action: 'dashboard.action' }],
    );
  });

  t.test('is answered again for its key only while the link is good', async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const { visitor, at, as, dashboard } = await openPublicScene(t, store, place);
    const key = { 'idempotency-key': 'press-1' };
    t.equal((await visitor().post(at('go', 'action'), {}, key)).status, 200);
    await as('editor').post(`${dashboard}/share`, { password: 'eight or more' });
    t.equal((await visitor().post(at('go', 'action'), {}, key)).status, 401);
    await as('editor').delete(`${dashboard}/share`);
    t.equal((await visitor().post(at('go', 'action'), {}, key)).status, 404);
  });
});

t.test('without both switches a share link takes nothing', async (t) => {
  for (const [documentAllows, serverAllows] of [
    [true, false],
    [false, true],
  ] as const) {
    await eachStore(t, `document ${documentAllows}, server ${serverAllows}`, async (t, store) => {
      const switches = { documentAllows, serverAllows };
      const { visitor, link, at, config, visits, jobRuns, audit } = await openPublicScene(
        t,
        store,
        place,
        switches,
      );
      const who = visitor('192.0.2.1');
      const before = await config();
      t.match((await who.get(link)).body, { allow_public_input: false });
      t.match(
        (await who.post<Batch>(`${link}/widgets/data`, { widget_ids: ['contact', 'map', 'visit'] })).body
          .widgets,
        {
          contact: { data: { readonly: true, reason: 'This dashboard is read-only' } },
          map: { data: { readonly: true } },
          visit: { data: { enabled: false, reason: 'This dashboard is read-only' } },
        },
      );
      for (const widget of ['contact', 'visit', 'inside', 'inner_action', 'nobody']) {
        t.match(await who.post(at(widget, 'submit'), { value: CONTACT }), READ_ONLY);
        t.match(await who.post(at(widget, 'submit'), { value: CONTACT, dry_run: true }), READ_ONLY);
        t.match(await who.post(at(widget, 'action'), { input: { name: 'Ann' } }), READ_ONLY);
        t.match(await who.post(at(widget, 'options'), { side: 'plan' }), READ_ONLY);
      }
      t.same(await config(), before);
      t.same(visits(), []);
      t.equal(await jobRuns(), 0);
      const written = await audit();
      t.equal(written.length, 10);
      for (const row of written)
        t.match(row, { outcome: 'denied', address: '192.0.2.1', resource_type: 'dashboard' });
      t.equal((await who.post(at('orders', 'rows'))).status, 200, 'and still shows its data');
    });
  }
});
