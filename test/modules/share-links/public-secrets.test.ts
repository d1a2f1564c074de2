import t from 'tap';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { openPublicScene, PLANTED } from './public-scene.ts';

const folder = t.testdir();
const pool = await startWorkerPool(t, { fileRoots: [folder] });

interface Batch {
  widgets: Record<string, { data?: unknown; error?: string }>;
}

t.test('nothing private is in any answer of a share link', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { visitor, link: first, as, dashboard } = await openPublicScene(t, store, { folder, pool });
  const member = await as('viewer').post(`${dashboard}/widgets/data`);
  t.match(await as('viewer').get(dashboard), { text: new RegExp(PLANTED) });
  t.match(member.text, new RegExp(PLANTED), 'there is something to tell');

  const answers = new Map<string, { status: number; text: string }>();
  const statuses: Record<string, number> = {};
  let link = first;
  let address = 0;
  /** Each link has limits of its own. */
  const rotate = async () => {
    const { body } = await as('editor').post<{ share_token: string }>(`${dashboard}/share/rotate`);
    link = `/api/public/dashboards/${body.share_token}`;
  };
  const ask = async (use: string, body?: object, query = '') => {
    // One address for each, so that no limit is in the way.
    address += 1;
    const who = visitor(`10.1.${address >> 8}.${address & 255}`);
    const answer =
      body === undefined ? await who.get(`${link}${use}${query}`) : await who.post(`${link}${use}`, body);
    const name = `${use} ${JSON.stringify(body ?? query)}`;
    answers.set(name, { status: answer.status, text: `${answer.text} ${JSON.stringify(answer.headers)}` });
    statuses[name] = answer.status;
    return answer;
  };

  await ask('');
  const batch = await ask('/widgets/data', {});
  t.match((batch.body as unknown as Batch).widgets, {
    contact: { data: { readonly: false } },
    map: {
      data: { rows: [{ source_field: 'name', target_field: 'label', transform: null, has_transform: true }] },
    },
    plans: { data: { rows: [{ name: 'Small' }, { name: 'Large' }] } },
    orders: { data: { rows: [{ id: 1 }, { id: 2 }] } },
    sum: { data: { value: 9 } },
    missing: { error: 'The data of this widget is not available right now' },
    gone: { error: 'The data of this widget is not available right now' },
    preset: { error: 'The data of this widget is not available right now' },
    visit: { data: { enabled: true } },
  });
  await ask('/widgets/data', { widget_ids: ['inner_table'] });
  const widgets = [
    'contact',
    'map',
    'missing',
    'plans',
    'orders',
    'plain',
    'gone',
    'preset',
    'sum',
    'visit',
    'fails',
    'lost',
    'throws',
    'start',
    'go',
    'inside',
    'inner_form',
    'inner_table',
    'inner_action',
    'nobody',
  ];
  for (const widget of widgets) {
    await rotate();
    for (const body of [
      {},
      { page: { limit: 1 } },
      { sort: 'salary' },
      { filters: { salary: { gt: 1 }, region: 'x' } },
      { search: 'region' },
      { page: { cursor: 'AAAA' } },
    ])
      await ask(`/widgets/${widget}/rows`, body);
    for (const query of [
      '',
      '?format=ndjson',
      '?sort=salary',
      '?filters={"salary":1}',
      '?filters=x',
      '?format=xml',
    ])
      await ask(`/widgets/${widget}/export`, undefined, query);
    for (const body of [
      {},
      { side: 'plan' },
      { side: 'broken' },
      { side: 'source' },
      { side: 'x' },
      { side: 'plan', cursor: 'AAAA' },
      { side: 'plan', value: 7, q: "'" },
    ])
      await ask(`/widgets/${widget}/options`, body);
    for (const value of [
      { email: 'a@example.com', plan: '1' },
      { email: 'rule@example.com' },
      { email: 'hidden@example.com', note: 'x', plan: '99' },
      { email: 7, unknown: 1 },
      {},
      [],
      'text',
      null,
      [{ source_field: '1', target_field: 'label', transform: null, has_transform: true }],
      [{ source_field: '1', target_field: 'label', transform: '$x' }],
      [{ source_field: '', target_field: 7, other: 1 }],
      Array.from({ length: 4 }, (_, n) => ({ source_field: 'a', target_field: `b${n}` })),
    ]) {
      for (const dry_run of [true, false]) await ask(`/widgets/${widget}/submit`, { value, dry_run });
    }
    await ask(`/widgets/${widget}/submit`, { value: { email: 'a@example.com' }, version: 9_999 });
    for (const input of [{ name: 'Ann' }, { name: 7, more: 1 }, {}, { name: 'Ann', plan: '99' }])
      await ask(`/widgets/${widget}/action`, { input });
  }
  const after = await ask('/widgets/data', {});
  t.match((after.body as unknown as Batch).widgets, {
    contact: { data: { values: { email: String } } },
    fails: { data: { last_run: { outcome: 'failed' } } },
    go: { data: { last_run: { outcome: 'started', status: String } } },
  });
  const told = [...answers].filter(([, { text }]) => text.includes(PLANTED));
  t.same(told, []);
  t.same(
    [...answers].filter(([, { status }]) => status >= 500 && status !== 502),
    [],
  );

  // What each was meant to provoke did come about.
  for (const [name, status] of [
    ['/widgets/contact/submit {"value":{"email":"a@example.com","plan":"1"},"dry_run":false}', 200],
    ['/widgets/contact/submit {"value":{"email":"rule@example.com"},"dry_run":false}', 400],
    [
      '/widgets/map/submit {"value":[{"source_field":"1","target_field":"label","transform":null,"has_transform":true}],"dry_run":false}',
      200,
    ],
    ['/widgets/contact/options {"side":"plan"}', 200],
    ['/widgets/contact/options {"side":"broken"}', 502],
    ['/widgets/map/options {"side":"source"}', 200],
    ['/widgets/visit/options {"side":"plan"}', 200],
    ['/widgets/visit/action {"input":{"name":"Ann"}}', 200],
    ['/widgets/fails/action {"input":{}}', 502],
    ['/widgets/lost/action {"input":{}}', 502],
    ['/widgets/throws/action {"input":{}}', 502],
    ['/widgets/gone/rows {}', 502],
    ['/widgets/gone/export ""', 502],
    ['/widgets/orders/rows {}', 200],
    ['/widgets/orders/export ""', 200],
    ['/widgets/plans/export "?format=ndjson"', 200],
    ['/widgets/orders/rows {"filters":{"salary":{"gt":1},"region":"x"}}', 400],
    ['/widgets/orders/rows {"sort":"salary"}', 400],
    ['/widgets/inner_table/rows {}', 404],
    ['/widgets/inner_action/action {"input":{}}', 404],
  ] as const)
    t.equal(statuses[name], status, `${name} ${answers.get(name)?.text.slice(0, 300)}`);
});
