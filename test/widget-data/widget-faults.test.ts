import t from 'tap';
import { createWidgetScene } from './fixtures/widget-scene.ts';

const bindings = {
  gone: 'connector: nowhere, method: list',
  broken: 'connector: broken, method: list',
  many: 'connector: many, method: list',
  huge: 'connector: db, method: query, args: { sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10001) SELECT i FROM n" }',
  method: 'connector: db, method: lost',
  write: 'connector: fake, method: record, args: { rows: [{ id: 1 }] }',
  throws: `source: config, transform_expr: "$number('x')"`,
  args: 'connector: db, method: list, args: { table: "{{ $error(\'no table\') }}" }',
  missing: 'connector: db, method: list, args: { table: absent }',
};
const types = ['table', 'stat', 'bar_chart', 'pie_chart', 'people'];
const YAML = `
shared_queries: { bad: { connector: broken, method: list }, good: { connector: db, method: count, args: { table: people } } }
widgets:
${types.flatMap((type) => Object.entries(bindings).map(([name, binding]) => `  - { id: ${type}_${name}, type: ${type}, ${binding} }`)).join('\n')}
  - { id: slow, type: table, connector: slow, method: list }
  - { id: shared, type: stat, shared_query: bad }
  - { id: fine, type: stat, shared_query: good }
  - { id: number, type: table, connector: fake, method: echo, args: { value: 5 } }
`;

const MESSAGES: Readonly<Record<keyof typeof bindings, RegExp>> = {
  gone: /^There is no connector "nowhere"$/,
  broken: /^It is away$/,
  many: /returned more than 10,000 rows: add a LIMIT/,
  huge: /returned more than 10,000 rows: add a LIMIT/,
  method: /has no method "lost"; methods that read are "query"/,
  write: /cannot be changed here by "record"/,
  throws: /^An expression failed: /,
  args: /^An expression failed: no table/,
  missing: /absent/,
};

t.test('what goes wrong with a widget is told in its place', async (t) => {
  const { widget } = createWidgetScene(t);
  for (const type of types) {
    for (const [name, message] of Object.entries(MESSAGES)) {
      t.match(await widget(YAML, `${type}_${name}`), { error: message }, `${type}: ${name}`);
    }
  }
});

t.test('a shared query that failed fails its widgets alone', async (t) => {
  const { widget, widgets } = createWidgetScene(t);
  t.match(await widgets(YAML, ['shared', 'fine', 'shared', 'fine']), [
    'read',
    { error: 'It is away' },
    { value: 6 },
    { error: 'It is away' },
    { value: 6 },
  ]);
  t.same(await widget(YAML, 'shared'), { error: 'It is away' });
  t.match(await widget(YAML, 'fine'), { value: 6 });
});

t.test('a connector that hangs is left when the task is cancelled', async (t) => {
  const { widget } = createWidgetScene(t);
  const abort = new AbortController();
  const waiting = widget(YAML, 'slow', {}, abort.signal);
  setTimeout(() => abort.abort(new Error('cancelled')), 20);
  await t.rejects(waiting, { message: 'cancelled' });
});

t.test('a single value is a table of one row', async (t) => {
  const { widget } = createWidgetScene(t);
  t.match(await widget(YAML, 'number'), { rows: [{ value: 5 }], total: 1 });
});

t.test('widgets of one call read the same once, and none changes what the others read', async (t) => {
  const { widget, widgets } = createWidgetScene(t);
  const rows = 'connector: db, method: list, args: { table: people }';
  const yaml = `
widgets:
  - { id: table, type: table, ${rows}, sort: -name, searchable: true, columns: [{ key: name, href_expr: "'/p/' & item.id" }, { key: twice, value_expr: item.age * 2 }] }
  - { id: changed, type: table, ${rows}, transform_expr: "data ~> |$|{'name': 'x', 'age': 0}, 'city'|" }
  - { id: sorted, type: stat, ${rows}, value_expr: "$sort(data, function($a, $b) { $a.age > $b.age })[0].name" }
  - { id: reversed, type: people, ${rows}, transform_expr: "$reverse(data)", name_expr: item.name }
  - { id: bars, type: bar_chart, ${rows}, x_expr: item.city, series: [{ label: A, value_expr: item.age }] }
  - { id: grouped, type: pie_chart, ${rows}, items_expr: "data{city: $sum(age)} ~> $each(function($v, $k) { {'k': $k, 'v': $v} })", label_expr: item.k, value_expr: item.v }
  - { id: away, type: stat, ${rows}, visible_if_expr: "false" }
`;
  const ids = ['changed', 'sorted', 'reversed', 'grouped', 'away', 'table', 'bars'];
  const alone = [];
  for (const id of ids) alone.push(await widget(yaml, id));
  t.same(await widgets(yaml, ids), ['read', ...alone]);
  t.same(await widgets(yaml, ids.toReversed()), ['read', ...alone.toReversed()]);
});
