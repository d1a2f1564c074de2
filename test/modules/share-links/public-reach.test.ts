import t from 'tap';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { openPublicScene } from './public-scene.ts';

const folder = t.testdir();
const pool = await startWorkerPool(t, { fileRoots: [folder] });
const place = { folder, pool };

const CONTACT = { email: 'ann@example.com', plan: '2' };

t.test('what a share link does not show cannot be used through it', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { visitor, at, link, config, jobRuns } = await openPublicScene(t, store, place);
  const before = await config();
  const wordsOf = ({ status, text }: { status: number; text: string }, id: string) =>
    `${status} ${text.replace(/"request_id":"[\w-]+"/, '').replaceAll(id, 'ID')}`;
  for (const [use, ids, body] of [
    ['submit', ['inner_form'], { value: { pl4nted_key: 'x' } }],
    ['options', ['inner_form'], { side: 'plan' }],
    ['action', ['inner_action', 'inside'], {}],
    ['rows', ['inner_table'], {}],
  ] as const) {
    for (const id of ids) {
      const who = visitor();
      const answer = await who.post(at(id, use), body);
      t.equal(answer.status, 404);
      t.equal(
        wordsOf(answer, id),
        wordsOf(await who.post(at('nobody', use), body), 'nobody'),
        `${use} ${id}`,
      );
    }
  }
  const hidden = await visitor().get(at('inner_table', 'export'));
  t.equal(wordsOf(hidden, 'inner_table'), wordsOf(await visitor().get(at('nobody', 'export')), 'nobody'));
  t.equal((await visitor().post(`${link}/widgets/data`, { widget_ids: ['inner_table'] })).status, 400);
  t.equal((await visitor().get(at('plain', 'export'))).status, 400, 'a table without an export');
  t.same(await config(), before);
  t.equal(await jobRuns(), 0);
});

t.test('the rows of a share link', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { visitor, at, link } = await openPublicScene(t, store, place);
  const who = visitor();
  interface Rows {
    rows: { id: number }[];
    next_cursor: string | null;
  }
  const first = await who.post<Rows>(at('orders', 'rows'), { page: { limit: 2 }, sort: '-id' });
  t.match(first, { status: 200, body: { rows: [{ id: 3 }, { id: 2 }], next_cursor: String } });
  const page = { limit: 2, cursor: first.body.next_cursor };
  const second = await who.post<Rows>(at('orders', 'rows'), { page, sort: '-id' });
  t.match(second.body, { rows: [{ id: 1 }], next_cursor: null }, 'within the scope');
  const message = 'The cursor belongs to another query; start with the first page';
  t.match(await who.post(at('orders', 'rows'), { page, sort: 'id' }), {
    status: 400,
    body: { error: 'VALIDATION_ERROR', message, details: [{ path: 'cursor', message }] },
  });
  for (const body of [
    { sort: 'salary' },
    { filters: { salary: { gt: 2 } } },
    { filters: { region: 'elsewhere' } },
  ])
    t.equal(
      (await who.post(at('orders', 'rows'), body)).status,
      400,
      'nothing is asked of columns that are not shown',
    );
  t.match((await who.post<Rows>(at('orders', 'rows'), { search: 'elsewhere' })).body, {
    rows: { length: 0 },
  });

  const file = await who.get(at('orders', 'export'));
  t.match(file, {
    status: 200,
    text: 'id,name\r\n1,a\r\n2,b\r\n3,c\r\n',
    headers: {
      'content-type': /^text\/csv/,
      'content-disposition': /^attachment; filename=orders-[\d-]+\.csv$/,
    },
  });
  const lines = await who.get(
    `${at('orders', 'export')}?format=ndjson&filters=${encodeURIComponent('{"id":{"gte":3}}')}`,
  );
  t.same(lines.text, '{"id":3,"name":"c"}\n');

  for (const [use, body] of [
    ['rows', {}],
    ['options', {}],
    ['submit', { value: {} }],
    ['action', {}],
  ] as const)
    for (const key of ['scope', 'args', 'connector', 'shared_query'])
      t.match(
        await who.post(at('orders', use), { ...body, [key]: { region: 'elsewhere' } }),
        { status: 400, body: { error: 'VALIDATION_ERROR', message: `Unknown key "${key}"` } },
        `${use} cannot be given another ${key}`,
      );
  for (const key of ['scope', 'args'])
    t.equal((await who.post(`${link}/widgets/data`, { [key]: {} })).status, 400);
  t.equal((await who.get(`${at('orders', 'export')}?scope=x`)).status, 400);
});

t.test('writes of other pages are refused, whichever of them a browser makes', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { visitor, at, anonymous, config, visits, audit } = await openPublicScene(t, store, place);
  const before = await config();
  for (const headers of [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    t.match(await visitor().post(at('contact', 'submit'), { value: CONTACT }, headers), {
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
    t.equal((await visitor().post(at('visit', 'action'), { input: { name: 'Ann' } }, headers)).status, 403);
    t.equal((await visitor().post(at('contact', 'options'), { side: 'plan' }, headers)).status, 403);
  }
  t.same([await config(), visits(), await audit()], [before, [], []]);
  const same = { 'sec-fetch-site': 'same-origin', origin: 'https://proxied.test' };
  t.equal((await visitor().post(at('contact', 'submit'), { value: CONTACT }, same)).status, 200);
  t.equal(
    (await anonymous.post(at('visit', 'action'), { input: { name: 'Ann' } })).status,
    200,
    'a program sends neither',
  );
});

t.test('a rotated, revoked, locked or expired link takes nothing any more', async (t) => {
  await eachStore(t, 'on every route', async (t, store) => {
    const { visitor, link, at, as, dashboard, clock, config, visits } = await openPublicScene(
      t,
      store,
      place,
    );
    const before = await config();
    const askAll = async (address: string) => {
      const who = visitor(address);
      return Promise.all([
        who.get(link),
        who.post(`${link}/widgets/data`),
        who.post(at('contact', 'submit'), { value: CONTACT }),
        who.post(at('contact', 'submit'), { value: CONTACT, dry_run: true }),
        who.post(at('contact', 'options'), { side: 'plan' }),
        who.post(at('visit', 'action'), { input: { name: 'Ann' } }),
        who.post(at('orders', 'rows')),
        who.get(at('orders', 'export')),
      ]);
    };
    const wordsOf = (answers: { status: number; text: string }[]) => [
      ...new Set(
        answers.map(({ status, text }) => `${status} ${text.replace(/,"request_id":"[\w-]+"/, '')}`),
      ),
    ];
    const notValid = ['404 {"error":"NOT_FOUND","message":"This link is not valid"}'];
    const locked = ['401 {"error":"AUTH_ERROR","message":"This dashboard is protected by a password"}'];
    await as('editor').post(`${dashboard}/share`, { password: 'eight or more' });
    t.same(wordsOf(await askAll('10.0.0.1')), locked);
    await as('editor').post(`${dashboard}/share`, { password: null, expires_at: '2026-01-15T12:01:00.000Z' });
    clock.advance(60_000);
    t.same(wordsOf(await askAll('10.0.0.2')), notValid, 'expired');
    await as('editor').post(`${dashboard}/share`);
    t.same(wordsOf(await askAll('10.0.0.3')), notValid, 'replaced');
    await as('editor').delete(`${dashboard}/share`);
    t.same(wordsOf(await askAll('10.0.0.4')), notValid, 'revoked');
    t.same([await config(), visits()], [before, []]);
  });
});
