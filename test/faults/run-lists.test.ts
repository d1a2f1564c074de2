import { sql } from 'kysely';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { fillRunLists, type ListRequest, RUN_LISTS, requestsOf } from '../support/run-lists.ts';
import { eachStore } from '../support/stores.ts';

const ROWS = 250_000;
/** Of a page, on a machine that does something else too. */
const PAGE_MS_MAX = 50;
/** Of which the quickest counts; more of them where the machine does much else. */
const TURNS = 3;
const TURNS_MAX = 20;
/** Where no index has both filters: it grows with the rows of one of them, here 5,000. */
const NARROWED_MS_MAX = 500;

/** One filter, or a status of a job or a task by id. Of a trigger it would be one more index of every job run. */
function hasIndex({ name, filters, paging }: ListRequest): boolean {
  const keys = Object.keys(filters).length;
  if (!name.includes('runs') || keys < 2) return true;
  return keys === 2 && 'status' in filters && !('trigger_id' in filters) && paging.column === 'id';
}

t.setTimeout(900_000);

t.test('a page of every list costs the same however many rows there are', ofFullList, async (t) => {
  await eachStore(t, 'over a quarter of a million of each', async (t, store) => {
    await fillRunLists(store, ROWS);
    if (store.dialect.name === 'postgres') await store.write((tx) => sql`analyze`.execute(tx));
    const slow: string[] = [];
    const took: number[] = [];
    for (const request of RUN_LISTS.flatMap((list) => requestsOf(list, ROWS))) {
      const msMax = hasIndex(request) ? PAGE_MS_MAX : NARROWED_MS_MAX;
      let best = Number.POSITIVE_INFINITY;
      for (let turn = 0; turn < TURNS || (best > msMax && turn < TURNS_MAX); turn++) {
        const begun = performance.now();
        await request.select(store.read);
        best = Math.min(best, performance.now() - begun);
      }
      took.push(best);
      if (best > msMax) slow.push(`${request.name}: ${Math.round(best)} ms`);
    }
    took.sort((a, b) => a - b);
    t.comment(
      `${took.length} pages: median ${took[took.length >> 1]?.toFixed(2)} ms, slowest ${took.at(-1)?.toFixed(1)} ms`,
    );
    t.same(slow, []);
  });
});
