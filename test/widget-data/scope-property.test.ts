import fc from 'fast-check';
import t from 'tap';
import { fewOrAll } from '../support/fault-list.ts';
import { createWidgetScene, PEOPLE, type RowsAnswer } from './fixtures/widget-scene.ts';

const COLUMNS = ['id', 'name', 'city', 'tenant', 'age'] as const;
const TEXTS = ['acme', 'beta', 'Bonn', 'Rome', 'a', "' OR 1=1 --", '%', '_', ''];

const text = fc.constantFrom(...TEXTS);
const number = fc.integer({ min: 0, max: 60 });
/** Conditions that hold or not. */
const conditions = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    value,
    fc.dictionary(fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), value, { minKeys: 1, maxKeys: 2 }),
    fc.record({ in: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ contains: text }),
    fc.record({ is_null: fc.boolean() }),
  );
/** And, now and then, what no viewer may say. */
const anything = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 12, arbitrary: conditions(value) },
    { weight: 1, arbitrary: fc.record({ and: fc.array(value, { minLength: 1, maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ or: fc.array(value) }) },
  );
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2, nil: undefined });
const given = (filters: object) =>
  Object.fromEntries(Object.entries(filters).filter(([, condition]) => condition !== undefined));

const own = fc
  .record({
    tenant: some(
      fc.oneof(conditions(text), fc.record({ and: fc.array(conditions(text), { minLength: 1 }) })),
    ),
    city: some(conditions(text)),
    age: some(conditions(number)),
  })
  .map(given);
const filters = fc
  .record({
    tenant: some(anything(text)),
    city: some(anything(text)),
    age: some(anything(number)),
    rowid: fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: number }),
  })
  .map(given);
const sort = fc.option(
  fc
    .tuple(fc.constantFrom('', '-'), fc.constantFrom(...COLUMNS, ...COLUMNS, 'rowid', 'tenant; --'))
    .map((pair) => pair.join('')),
);
const author = fc.record({
  own: fc.oneof(fc.constant({}), own),
  sort: fc.subarray([...COLUMNS]),
  shown: fc.oneof(fc.constant([...COLUMNS]), fc.subarray([...COLUMNS], { minLength: 1 })),
  whole: fc.boolean(),
});
const viewer = fc.record({
  filters: fc.oneof(fc.constant({}), filters),
  sort,
  search: fc.option(text, { freq: 2 }),
  limit: fc.integer({ min: 1, max: 4 }),
});

interface Written {
  readonly own: object;
  readonly sort: readonly string[];
  readonly shown: readonly string[];
  /** Read as a whole instead of page by page. */
  readonly whole: boolean;
}

function documentOf({ own: filter, sort: order, shown, whole }: Written) {
  const args = { table: 'people', filter, sort: order, ...(whole ? { limit: 100 } : {}) };
  const widget = {
    type: 'explorer',
    connector: 'db',
    method: 'list',
    args,
    // The row's own tenant, whichever columns are shown.
    columns: [...shown.map((key) => ({ key })), { key: 'seen', value_expr: 'item.tenant' }],
    search: true,
    filters: [
      { key: 'tenant' },
      { key: 'city' },
      { key: 'age', type: 'number' },
      { key: 'id', type: 'number' },
    ],
  };
  return JSON.stringify({
    scope: { mine: { db: { tenant: 'acme' } } },
    default_scope: 'mine',
    widgets: [
      { ...widget, id: 'scoped' },
      { ...widget, id: 'free', scope: null },
    ],
  });
}

t.test('no sort, search, filter or cursor of a viewer shows a row outside the scope', async (t) => {
  const scene = createWidgetScene(t);
  let pages = 0;
  let refused = 0;
  const property = fc.asyncProperty(author, viewer, viewer, async (written, one, other) => {
    const yaml = documentOf(written);
    const ask = async (id: string, page: object): Promise<RowsAnswer | null> => {
      try {
        const answer = await scene.rows(yaml, id, page);
        pages += 1;
        return answer;
      } catch (error) {
        refused += 1;
        if (!['VALIDATION_ERROR', 'CONFIG'].includes(String(codeOf(error)))) throw error;
        return null;
      }
    };
    const free = await ask('free', one);
    const cursors = [null, free?.next_cursor ?? null];
    const found = new Set<unknown>();
    for (const page of [one, other]) {
      for (const cursor of cursors.slice()) {
        let next: string | null = cursor;
        for (let turn = 0; turn < 5; turn += 1) {
          const answer: RowsAnswer | null = await ask('scoped', { ...page, cursor: next });
          for (const row of answer?.rows ?? []) {
            if (row['seen'] !== 'acme') return false;
            found.add(row['id']);
          }
          next = answer?.next_cursor ?? null;
          if (next === null) break;
          cursors.push(next);
        }
      }
    }
    return true;
  });
  await fc.assert(property, { numRuns: fewOrAll(100, 300) });
  t.ok(pages > 200, `${pages} pages were shown`);
  t.ok(refused > 50, `${refused} were refused`);
});

t.test('without conditions a viewer sees all of the scope, page by page, in any order', async (t) => {
  const scene = createWidgetScene(t);
  const yaml = documentOf({ own: {}, sort: [], shown: [...COLUMNS], whole: false });
  const mine = PEOPLE.filter(({ tenant }) => tenant === 'acme').map(({ id }) => id);
  const property = fc.asyncProperty(
    fc.constantFrom(...COLUMNS.flatMap((name) => [name, `-${name}`])),
    fc.integer({ min: 1, max: 3 }),
    async (order, limit) => {
      const ids: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page: RowsAnswer = await scene.rows(yaml, 'scoped', { sort: order, limit, cursor });
        ids.push(...page.rows.map((row) => row['id']));
        cursor = page.next_cursor;
      } while (cursor !== null);
      return JSON.stringify(ids.toSorted()) === JSON.stringify(mine);
    },
  );
  await t.resolves(fc.assert(property, { numRuns: 40 }));
});

function codeOf(error: unknown): unknown {
  const { code, fault } = error as { code?: unknown; fault?: unknown };
  return code ?? fault;
}
