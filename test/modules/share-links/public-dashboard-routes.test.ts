import t from 'tap';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { type Batch, createShop, dashboardOf, sumWidget } from '../dashboard-widgets/shop.ts';
import { shareOne } from './share-one.ts';

const folder = t.testdir();
const shop = createShop(folder);

/** Each `pl4nted` stands where a stranger must not see it. */
const SECRETIVE = `
title: Open
scope: { pl4nted-profile: { shop: { region: pl4nted-scope } } }
shared_queries:
  pl4nted_query: { connector: shop, method: query, args: { sql: "SELECT 'pl4nted' AS hidden, 1 AS n" } }
pages:
  - id: seen
    title: Seen
    widgets:
      - ${sumWidget('sum').replace('SELECT', 'SELECT /* pl4nted-sql */')}
      - { id: shared, type: stat, shared_query: pl4nted_query, value_expr: "data[0].n", visible_if_expr: "'pl4nted' != ''" }
      - { id: broken, type: stat, connector: shop, method: query, args: { sql: "SELECT pl4nted_column FROM pl4nted_table" } }
      - { id: absent, type: stat, connector: pl4nted_connector, method: list, args: { token: pl4nted-argument } }
      - { id: private_action, type: action, label: pl4nted, run: { task: pl4nted-task } }
      - { id: open_action, type: action, label: Go, allow_public: true, run: { task: pl4nted-task, args: { key: pl4nted } } }
  - id: pl4nted-page
    title: pl4nted title
    public: false
    widgets:
      - { id: inner, type: stat, source: job, value_expr: "'pl4nted'" }
`;

t.test('a share link', async (t) => {
  await eachStore(t, 'shows what is public, and nothing else', async (t, store) => {
    const seed = { connectors: shop, dashboards: [SECRETIVE] };
    const { anonymous, link } = await shareOne(t, store, folder, seed);
    const shown = await anonymous.get<{ pages: { widgets: { id: string }[] }[] }>(link);
    t.match(shown, { status: 200, body: { title: 'Open', pages: [{ id: 'seen' }] } });
    t.same(
      shown.body.pages[0]?.widgets.map(({ id }) => id),
      ['sum', 'shared', 'broken', 'absent', 'open_action'],
    );
    t.notMatch(shown.text, /pl4nted|SELECT|shop|scope|shared_quer|connector|method|args/);

    const data = await anonymous.post<Batch>(`${link}/widgets/data`);
    t.match(data.body.widgets, {
      sum: { data: { value: 60 } },
      shared: { data: { value: 1 } },
      broken: { error: 'The data of this widget is not available right now' },
      absent: { error: 'The data of this widget is not available right now' },
    });
    t.notMatch(data.text, /pl4nted|SELECT|shop/);
    t.notOk('inner' in data.body.widgets || 'private_action' in data.body.widgets);

    const refusalOf = async (id: string) =>
      (await anonymous.post(`${link}/widgets/data`, { widget_ids: [id] })).text
        .replace(/"request_id":"[\w-]+"/, '')
        .replaceAll(id, 'ID');
    for (const id of ['inner', 'private_action']) t.equal(await refusalOf(id), await refusalOf('nothing'));
    t.match(await refusalOf('inner'), /VALIDATION_ERROR/);
  });

  await eachStore(
    t,
    'that is unknown, revoked, expired or no token gives one and the same answer',
    async (t, store) => {
      const seed = { dashboards: [dashboardOf()] };
      const { anonymous, as, dashboard, link, clock } = await shareOne(t, store, folder, seed);
      const expires_at = '2026-01-15T12:01:00.000Z';
      const revoked = link;
      await as('editor').delete(`${dashboard}/share`);
      const made = await as('editor').post<{ share_token: string }>(`${dashboard}/share`, { expires_at });
      const expired = `/api/public/dashboards/${made.body.share_token}`;
      t.equal((await anonymous.get(expired)).status, 200);
      clock.advance(60_000);
      const unknown = `/api/public/dashboards/${'A'.repeat(43)}`;
      const odd = ['a', 'x'.repeat(200), '%20', "'--"].map((text) => `/api/public/dashboards/${text}`);
      const texts = new Set<string>();
      for (const path of [unknown, revoked, expired, ...odd]) {
        for (const answer of [await anonymous.get(path), await anonymous.post(`${path}/widgets/data`)]) {
          t.equal(answer.status, 404);
          texts.add(answer.text.replace(/"request_id":"[\w-]+"/, ''));
        }
      }
      t.same([...texts], ['{"error":"NOT_FOUND","message":"This link is not valid",}']);
    },
  );
});

t.test('the data of a share link', async (t) => {
  const calls: string[] = [];
  const widgets = [
    sumWidget('a').replace('{ id', '{ refresh_interval_seconds: 10, id'),
    sumWidget('b').replace('{ id', '{ refresh_interval_seconds: 100, id'),
    '{ id: bad, type: stat, connector: shop, method: query, args: { sql: "SELECT 1 FROM nowhere" } }',
  ];
  const shared = await shareOne(
    t,
    await openTestStore(t, 'sqlite'),
    folder,
    { connectors: shop, dashboards: [dashboardOf(...widgets)] },
    { onWidgetCall: (call) => void calls.push(call) },
  );
  const { anonymous, clock, link } = shared;
  const ask = (widget_ids?: string[], etag?: string) =>
    anonymous.post<Batch>(
      `${link}/widgets/data`,
      widget_ids && { widget_ids },
      etag === undefined ? {} : { 'if-none-match': etag },
    );

  t.test('is computed once for all viewers, whichever widgets they ask for together', async (t) => {
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => ask()),
      ...Array.from({ length: 10 }, () => ask(['b', 'a'])),
      ask(['a']),
      ask(['b']),
    ]);
    for (const { status, body } of answers) {
      t.equal(status, 200);
      for (const id of ['a', 'b']) if (id in body.widgets) t.match(body.widgets[id], { data: { value: 60 } });
    }
    t.same(Object.keys(answers[20]?.body.widgets ?? {}), ['b', 'a']);
    t.same(calls.sort(), ['a', 'b', 'bad', 'read:a'], 'and what two of them read is read once');
  });

  t.test('is computed again after each widget’s own interval, failures soon', async (t) => {
    const after = async (ms: number) => {
      calls.length = 0;
      clock.advance(ms);
      await Promise.all([ask(), ask()]);
      return calls.sort();
    };
    t.same(await after(1_900), []);
    t.same(await after(200), ['bad']);
    t.same(await after(7_900), ['a', 'bad']);
    t.same(await after(50_000), ['a', 'b', 'bad', 'read:a'], 'never older than a minute');
  });

  t.test('is not sent again to who has it', async (t) => {
    const first = await ask(['a']);
    const etag = first.headers['etag'] ?? '';
    t.match(etag, /^"[\w-]+"$/);
    const again = await ask(['a'], etag);
    t.match(again, { status: 304, text: '', headers: { etag } });
    t.match(await ask(['b'], etag), { status: 200 });
    for (const known of [`W/${etag}`, `"older", ${etag}`, `"older",W/${etag}`])
      t.match(await ask(['a'], known), { status: 304, text: '' }, `a proxy between sends ${known}`);
    t.match(await ask(['a'], `"older", W/"x${etag.slice(1)}`), { status: 200 });
    const page = await anonymous.get(link);
    t.match(await anonymous.get(link, { 'if-none-match': page.headers['etag'] ?? '' }), {
      status: 304,
      text: '',
    });
  });

  t.test('is new at once when the dashboard changes', async (t) => {
    const yaml_content = dashboardOf(sumWidget('a').replace('data[0].total', 'data[0].total + 1'));
    await shared.as('editor').put(shared.dashboard, { name: 'Board 1', yaml_content });
    t.match((await ask(['a'])).body.widgets, { a: { data: { value: 61 } } });
    t.equal((await ask(['b'])).status, 400);
  });
});
