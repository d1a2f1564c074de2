import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import type { DashboardFilter } from '../../../src/language/dashboard/filters/dashboard-filter.ts';
import { chosenTexts, filterValues } from '../../../src/language/dashboard/filters/filter-values.ts';
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts';
import { publicProjection } from '../../../src/language/dashboard/public-projection.ts';

const connectorTypes = await loadConnectorTypes();

const now = Date.parse('2026-03-15T10:20:30.500Z');

function parse(text: string) {
  return parseDashboard(text, { connectorTypes });
}

function problemsOf(filters: string, widgets = '[]'): readonly string[] {
  const parsed = parse(`filters: ${filters}\nwidgets: ${widgets}`);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

function filtersOf(text: string): readonly DashboardFilter[] {
  const parsed = parse(`filters: ${text}\nwidgets: []`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.dashboard.filters;
}

t.test('a filter says what may be chosen, and its default is one of it', async (t) => {
  const filters = filtersOf(
    '[{ id: country, type: select, options: [DE, { label: France, value: FR }, 7], default: FR }, { id: q, label: Words, type: text }]',
  );
  t.match(filters, [
    {
      id: 'country',
      label: 'country',
      options: [
        { label: 'DE', value: 'DE' },
        { label: 'France', value: 'FR' },
        { label: '7', value: '7' },
      ],
      default: 'FR',
    },
    { label: 'Words', options: null, default: null },
  ]);
  t.match(problemsOf('[{ id: a, type: select }]'), [/needs either "options" or "shared_query"/]);
  t.match(problemsOf('[{ id: a, type: text, options: [x] }]'), [/only a select has choices/]);
  t.match(problemsOf('[{ id: a, type: select, options: [x], default: y }]'), [/"a" has no choice "y"/]);
  t.match(problemsOf('[{ id: a, type: number, default: many }]'), [/must be a number, not "many"/]);
  t.match(problemsOf('[{ id: a, type: text }, { id: a, type: text }]'), [/a/]);
  t.match(problemsOf('[{ id: a, type: select, shared_query: none }]'), [/"none" is not defined/]);
});

t.test('a value is of its type, and what a filter does not have is refused', async (t) => {
  const filters = filtersOf(
    '[{ id: kind, type: select, options: [a, b], default: a }, { id: n, type: number }, { id: days, type: date_range }, { id: span, type: time_range }]',
  );
  const values = (given: Record<string, string>) => filterValues(filters, chosenTexts(filters, given), now);
  t.same(values({}), {
    kind: 'a',
    n: null,
    days: { from: null, to: null },
    span: { from: null, to: null },
  });
  t.equal(values({ kind: '' })['kind'], null, 'an empty text chooses nothing, in place of the default');
  t.equal(values({ n: '-2.5' })['n'], -2.5);
  t.same(values({ days: '2026-02-01..' })['days'], { from: '2026-02-01', to: null });
  t.same(values({ days: 'last_7_days' })['days'], { from: '2026-03-09', to: '2026-03-15' });
  t.same(values({ days: 'last_month' })['days'], { from: '2026-02-01', to: '2026-02-28' });
  t.same(values({ span: 'last_hour' })['span'], {
    from: '2026-03-15T09:21:00.000Z',
    to: '2026-03-15T10:21:00.000Z',
  });
  const wrong: readonly (readonly [string, string])[] = [
    ['kind', 'c'],
    ['n', '1e9999'],
    ['n', '{"$gt": 1}'],
    ['days', '2026-02-30..2026-03-01'],
    ['days', '2026-03-02..2026-03-01'],
    ['days', '..'],
    ['days', 'constructor'],
    ['span', '2026-03-02..2026-03-03'],
    ['kind', 'x'.repeat(201)],
    ['other', '1'],
    ['__proto__', '1'],
  ];
  for (const [id, text] of wrong)
    t.throws(() => values(Object.fromEntries([[id, text]])), { code: 'VALIDATION_ERROR' }, `${id}=${text}`);
});

t.test('what a viewer chose is never a part of a statement, and never a scope', async (t) => {
  const filters = '[{ id: q, type: text }]';
  const call = (args: string) =>
    problemsOf(
      filters,
      `[{ id: a, type: stat, connector: db, method: query, args: ${args}, value_expr: filter.q }]`,
    );
  t.same(call(`{ sql: "select 1 where a = ?", params: ["{{ filter.q }}"] }`), []);
  t.match(call(`{ sql: "select 1 where a = '{{ filter.q }}'" }`), [/must not use "filter".*params/]);
  t.match(call(`{ sql: "{{ 'select ' & filter.q }}" }`), [/must not use "filter"/]);
  t.match(call(`{ sql: "{{ 'select ' & $.filter.q }}" }`), [/must not use "filter"/]);
  t.match(call(`{ sql: select 1, params: ["%{{ filter.q }}%"] }`), [/must be just/]);
  t.match(call(`{ sql: select 1, params: ["{{ filter.p }}"] }`), [/no filter "p"/]);
  const scoped = parse(`filters: ${filters}
scope: { own: { db: { tenant: "{{ filter.q }}" } } }
default_scope: own
widgets: [{ id: a, type: stat, connector: db, method: query, args: { sql: select 1 } }]`);
  t.match(scoped, { ok: false, problems: [{ message: /no "filter" to read here/ }] });
});

t.test('the public sees the controls, and not where their choices come from', async (t) => {
  const parsed = parse(`filters: [{ id: who, type: select, shared_query: all, value_expr: item.secret }]
shared_queries: { all: { connector: db, method: query, args: { sql: select 1 } } }
widgets: []`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  t.same(publicProjection(parsed.dashboard).filters, [
    { id: 'who', label: 'who', type: 'select', options: null, default: null, has_query: true },
  ]);
});
