import fc from 'fast-check';
import t from 'tap';
import { onPage } from '../../../src/store/lists/keyset.ts';
import type { Store } from '../../../src/store/store.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { eachStore } from '../../support/stores.ts';

const COLUMNS = ['id', 'name', 'created_at'] as const;

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly created_at: number;
}

const insert = (store: Store, rows: readonly { name: string; created_at: number }[]) =>
  store.write(async (tx) => {
    if (rows.length === 0) return;
    const rest = { backend: 'localdb', config_json: '{}', enabled: 1, version: 1, updated_at: 0 };
    await tx
      .insertInto('metrics_configs')
      .values(rows.map((row) => ({ ...rest, ...row })))
      .execute();
  });

/** Few different values, so that many rows are equal; names that collations order otherwise than bytes do. */
const row = fc.record({
  name: fc.constantFrom('a', 'A', 'b', 'B', 'ä', 'a b', 'a-b', 'z', '√', 'ab', '10', '9'),
  created_at: fc.integer({ min: 1, max: 4 }),
});

await eachStore(t, 'pages of any order give every row once, and in that order', async (t, store) => {
  const property = fc.asyncProperty(
    fc.array(row, { maxLength: 30 }),
    fc.array(row, { maxLength: 6 }),
    fc.constantFrom(...COLUMNS),
    fc.boolean(),
    fc.integer({ min: 1, max: 9 }),
    async (rows, later, column, descending, limit) => {
      await store.write((tx) => tx.deleteFrom('metrics_configs').execute());
      await insert(store, rows);
      const query = store.read.selectFrom('metrics_configs').select(['id', 'name', 'created_at']);
      const order = { column, descending };
      const whole = await onPage(query, { ...order, after: null, limit: 1_000 }).execute();
      t.equal(whole.length, rows.length);
      const seen: Listed[] = [];
      const arriving = [...later];
      for (;;) {
        const last = seen.at(-1);
        const after = last === undefined ? null : { id: last.id, value: last[column] };
        const page = await onPage(query, { ...order, after, limit }).execute();
        t.ok(page.length <= limit + 1);
        seen.push(...page.slice(0, limit));
        if (page.length <= limit) break;
        await insert(store, arriving.splice(0, 1));
      }
      const known = new Set(whole.map(({ id }) => id));
      t.same(
        seen.filter(({ id }) => known.has(id)),
        whole,
        'what was there is given once, in order, whatever is added meanwhile',
      );
      t.equal(new Set(seen.map(({ id }) => id)).size, seen.length, 'nothing is given twice');
      const now = await onPage(query, { ...order, after: null, limit: 1_000 }).execute();
      const given = new Set(seen.map(({ id }) => id));
      t.same(
        seen,
        now.filter(({ id }) => given.has(id)),
        'in the order of the list',
      );
    },
  );
  await fc.assert(property, { numRuns: fewOrAll(30, 60) });
});

await eachStore(t, 'equal values are in the order of the ids', async (t, store) => {
  await insert(
    store,
    [1, 1, 1].map((created_at) => ({ name: 'same', created_at })),
  );
  const query = store.read.selectFrom('metrics_configs').select('id');
  for (const descending of [false, true]) {
    const found = await onPage(query, { column: 'name', descending, after: null, limit: 9 }).execute();
    const ids = found.map(({ id }) => id);
    t.same(
      ids,
      [...ids].sort((a, b) => (descending ? b - a : a - b)),
    );
  }
});
