import t from 'tap';
import type { Widget } from '../../../src/language/dashboard/pages.ts';
import { CompiledExpressions } from '../../../src/language/dashboard/widgets/compiled-expressions.ts';
import type { WidgetType } from '../../../src/language/dashboard/widgets/widget-kinds.ts';
import { payloadOf } from '../../../src/language/dashboard/widgets/widget-kinds.ts';

const scope = { job: { name: 'J' }, job_config: {}, args: {} };
const expressions = new CompiledExpressions();

function payload(type: WidgetType, config: Record<string, unknown>, data: unknown): Promise<unknown> {
  const widget: Widget = {
    id: 'w',
    type,
    title: null,
    description: null,
    width: 12,
    refresh_interval_seconds: null,
    visible_if_expr: null,
    binding: { kind: 'none' },
    config,
  };
  return payloadOf(widget, data, scope, expressions);
}

t.test('a stat compares, and takes the only cell of the only row', async (t) => {
  t.match(await payload('stat', {}, [{ n: 5 }]), { value: 5, compare: null, delta: null, level: null });
  const config = {
    value_expr: '$sum(data.n)',
    compare_expr: 'value - 2',
    sparkline_expr: 'data.n',
    thresholds: [
      { value: 10, level: 'danger' },
      { value: 3, level: 'warning' },
    ],
  };
  t.same(
    await payload(
      'stat',
      config,
      [{ n: 1 }, { n: '3' }, { n: 2 }].map(({ n }) => ({ n: Number(n) })),
    ),
    {
      value: 6,
      compare: 4,
      delta: 2,
      sparkline: [1, 3, 2],
      level: 'warning',
    },
  );
  t.match(await payload('stat', { value_expr: 'data.none' }, []), { value: null, level: null });
});

t.test('progress is a ratio between 0 and 1, or none', async (t) => {
  t.same(await payload('progress', {}, [{ current: 3, total: '4' }]), { current: 3, total: 4, ratio: 0.75 });
  t.same(await payload('progress', { current_expr: '9', total_expr: '3' }, null), {
    current: 9,
    total: 3,
    ratio: 1,
  });
  t.match(await payload('progress', {}, { current: 1, total: 0 }), { ratio: null });
});

t.test('steps take their state from the current one, unless they have their own', async (t) => {
  const items = [{ key: 'a' }, { key: 'b', label: 'B' }, { key: 'c' }, { key: 'd', state: 'failed' }];
  t.same(await payload('steps', { items, current_expr: "'b'" }, null), {
    steps: [
      { key: 'a', label: 'a', state: 'done', detail: null },
      { key: 'b', label: 'B', state: 'running', detail: null },
      { key: 'c', label: 'c', state: 'pending', detail: null },
      { key: 'd', label: 'd', state: 'failed', detail: null },
    ],
  });
});

t.test('people have only links that are safe', async (t) => {
  const config = { name_expr: 'item.n', href_expr: 'item.url' };
  const data = [
    { n: 'Ada', url: 'https://ada.example', email: 'a@b.c' },
    { n: 'Eve', url: 'javascript:alert(1)' },
  ];
  t.match(await payload('people', config, data), {
    people: [
      { name: 'Ada', href: 'https://ada.example', email: 'a@b.c', role: null },
      { name: 'Eve', href: null },
    ],
  });
});

t.test('a chart without keys takes its columns as they come', async (t) => {
  const rows = [
    { month: 'Jan', sold: 1, note: 'x', price: '2.5' },
    { month: 'Feb', sold: null, note: 'y', price: '3' },
  ];
  t.same(await payload('bar_chart', {}, rows), {
    x: ['Jan', 'Feb'],
    series: [
      { label: 'sold', values: [1, null] },
      { label: 'price', values: [2.5, 3] },
    ],
  });
  const series = [{ label: 'Twice', value_expr: 'item.sold * 2' }, { value_expr: 'index' }];
  t.same(
    await payload('line_chart', { items_expr: 'data', x_expr: 'item.month', series }, rows.slice(0, 1)),
    {
      x: ['Jan'],
      series: [
        { label: 'Twice', values: [2] },
        { label: 'Series 2', values: [0] },
      ],
    },
  );
  t.same(await payload('bar_chart', {}, null), { x: [], series: [] });
});

t.test('small slices of a pie are added up, and those of one label', async (t) => {
  const data = [
    { k: 'a', n: 1 },
    { k: 'b', n: 5 },
    { k: 'c', n: 2 },
  ];
  t.same(await payload('pie_chart', { other_after: 1 }, data), {
    slices: [
      { label: 'b', value: 5 },
      { label: 'Other', value: 3 },
    ],
  });
  t.same(await payload('pie_chart', {}, [...data, { k: 'a', n: '2.5' }, { k: 'd', n: -1 }]), {
    slices: [
      { label: 'a', value: 3.5 },
      { label: 'b', value: 5 },
      { label: 'c', value: 2 },
      { label: 'd', value: -1 },
    ],
  });
});

t.test('figures link where an expression says so, and only to safe addresses', async (t) => {
  const data = [
    { k: 'a', n: 1 },
    { k: 'b', n: 2 },
  ];
  const href_expr = "item.k = 'a' ? 'javascript:alert(1)' : '/dashboards/7?filter.k=' & item.k";
  t.same(await payload('pie_chart', { href_expr }, data), {
    slices: [
      { label: 'a', value: 1 },
      { label: 'b', value: 2, href: '/dashboards/7?filter.k=b' },
    ],
  });
  t.match(await payload('bar_chart', { href_expr }, data), { links: [null, '/dashboards/7?filter.k=b'] });
  t.match(await payload('stat', { value_expr: '5', href_expr: "'?filter.n=' & value" }, data), {
    href: '?filter.n=5',
  });
  t.match(await payload('stat', { value_expr: '5', href_expr: "'//elsewhere.example'" }, data), {
    href: null,
  });
});

t.test('a table is sorted before it is cut', async (t) => {
  const data = [{ n: 2 }, { n: null }, { n: 10 }, { n: 1 }];
  t.match(await payload('table', { sort: '-n', limit: 2 }, data), {
    columns: [{ key: 'n', label: 'n' }],
    rows: [{ n: 10 }, { n: 2 }],
    total: 4,
    truncated: true,
  });
  const columns = [
    { key: 'n', href_expr: "'javascript:' & value" },
    { key: 'n_href', value_expr: "'mine'" },
  ];
  t.match(await payload('table', { columns }, [{ n: 1 }]), {
    columns: [{ href: 'n_href_' }, { href: null }],
    rows: [{ n: 1, n_href: 'mine', n_href_: null }],
  });
  t.match(await payload('table', {}, [1, 'two']), { rows: [{ value: 1 }, { value: 'two' }] });
});

t.test(
  'every row of a table has the cells of its columns, in their order, whatever the data’s rows have',
  async (t) => {
    const data = [
      { a: 1, b: 2 },
      { b: 4, a: 3 },
      { a: 5 },
      { a: 6, b: 7, c: 8 },
      { a: undefined, b: 9 },
      'text',
    ];
    const expected = [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
      { a: 5, b: null },
      { a: 6, b: 7 },
      { a: null, b: 9 },
      { a: null, b: null },
    ];
    const { rows } = (await payload('table', {}, data)) as { rows: unknown };
    const all = expected.map((row, index) => ({ ...row, c: index === 3 ? 8 : null }));
    t.equal(JSON.stringify(rows), JSON.stringify(all), 'a column that the first row lacks is there too');
    const columns = [{ key: 'a' }, { key: 'b' }];
    const declared = (await payload('table', { columns }, data)) as { rows: unknown };
    t.equal(JSON.stringify(declared.rows), JSON.stringify(expected));
    t.same(data[0], { a: 1, b: 2 }, 'and the data stays as it was');
  },
);

t.test('task progress is that of the newest run of the task', async (t) => {
  const runs = [
    { id: 3, task_key: 'other', status: 'success' },
    { id: 2, task_key: 'w', status: 'running' },
    { id: 1, task_key: 'w', status: 'error' },
  ];
  t.match(await payload('task_progress', {}, runs), { run: { id: 2, status: 'running' } });
  t.same(await payload('task_progress', { task_key: 'none' }, runs), { run: null });
});

t.test('an expression that does not parse says so', async (t) => {
  await t.rejects(payload('stat', { value_expr: '((' }, 1), { name: 'ExpressionError' });
});

t.test('an expression that YAML reads as a number or a flag is what it says', async (t) => {
  const rows = [{ n: 3 }, { n: 4 }];
  t.match(await payload('stat', { value_expr: 42, compare_expr: 40 }, null), { value: 42, delta: 2 });
  t.match(await payload('stat', { value_expr: true }, null), { value: true });
  t.match(await payload('progress', { current_expr: '$sum(data.n)', total_expr: 14 }, rows), { ratio: 0.5 });
  t.match(await payload('bar_chart', { x_expr: 'item.n', series: [{ value_expr: 1 }] }, rows), {
    series: [{ values: [1, 1] }],
  });
  t.match(await payload('table', { columns: [{ key: 'a', value_expr: 0 }] }, rows), {
    rows: [{ a: 0 }, { a: 0 }],
  });
});

t.test('a column whose expressions are left empty shows what the rows have', async (t) => {
  const columns = [{ key: 'n', value_expr: null, href_expr: null }];
  t.match(await payload('table', { columns }, [{ n: 3 }]), {
    columns: [{ key: 'n', href: null }],
    rows: [{ n: 3 }],
  });
});

t.test('what is worked out for an item knows its place', async (t) => {
  const rows = [{ n: 'b' }, { n: 'a' }];
  const columns = [{ key: 'n' }, { key: 'at', value_expr: 'index', href_expr: '"/" & $string(index)' }];
  t.match(await payload('table', { columns, sort: 'n' }, rows), {
    rows: [
      { n: 'a', at: 1, at_href: '/1' },
      { n: 'b', at: 0, at_href: '/0' },
    ],
  });
  t.match(await payload('people', { name_expr: '$string(index)' }, rows), {
    people: [{ name: '0' }, { name: '1' }],
  });
  t.match(await payload('pie_chart', { label_expr: 'item.n', value_expr: 'index' }, rows), {
    slices: [{ value: 0 }, { value: 1 }],
  });
});

t.test('a table sorts decimals, which come as text, as numbers', async (t) => {
  const sorted = async (values: readonly unknown[], sort: string) => {
    const rows = values.map((v) => ({ v }));
    return ((await payload('table', { sort }, rows)) as { rows: { v: unknown }[] }).rows.map(({ v }) => v);
  };
  t.same(await sorted(['10.25', '9.50', null, '-1', '9007199254740993'], 'v'), [
    '-1',
    '9.50',
    '10.25',
    '9007199254740993',
    null,
  ]);
  t.same(await sorted(['10.25', 9, '100'], '-v'), ['100', '10.25', 9]);
  t.same(await sorted(['b', 10, 'a', 9], 'v'), [9, 10, 'a', 'b'], 'numbers come before texts');
  t.same(await sorted([2, Number.NaN, 1], 'v'), [1, 2, Number.NaN], 'what is no number is nothing');
});
