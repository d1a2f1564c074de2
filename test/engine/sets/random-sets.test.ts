// Long list: it tries every combination of many; quick: test/engine/sets/set-ops.test.ts.
import fc from 'fast-check';
import t from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { fewOrMany } from '../../support/fault-list.ts';
import { rowsOf } from './set-scene.ts';

const RUNS = fewOrMany(10, 50);
const folder = t.testdir();

const key = fc.constantFrom('a', 'b', 'c', null);
const row = fc.record({ k: key, n: fc.option(fc.integer({ min: -9, max: 9 })), m: fc.constantFrom(1, 2) });
const numbered = (rows: readonly Row[]): Row[] => rows.map((one, id) => ({ id, ...one }));
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

t.test('random rows come out as a plain reference makes them', async (t) => {
  const property = fc.asyncProperty(
    fc.array(row, { minLength: 1, maxLength: 30 }).map(numbered),
    fc.array(row, { minLength: 1, maxLength: 30 }).map(numbered),
    async (left, right) => {
      const expect = async (op: unknown, wanted: readonly Row[]) => {
        const found = await rowsOf({ folder, ops: [op], rows: left, others: right });
        if (!isSame(found, wanted))
          throw new Error(`${JSON.stringify(op)}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
      };
      const groups = [...new Set(left.map(({ k }) => k))].map((k) => left.filter((one) => one['k'] === k));
      const values = (rows: readonly Row[]) => rows.flatMap(({ n }) => (n === null ? [] : [n as number]));
      await expect(
        {
          aggregate: {
            by: ['k'],
            fields: {
              rows: 'count',
              sum: { sum: 'n' },
              least: { min: 'n' },
              all: { list: 'n' },
              kinds: { count_distinct: 'n' },
            },
          },
        },
        groups.map((rows) => {
          const all = values(rows);
          const sum = all.length === 0 ? null : all.reduce((a, b) => a + b, 0);
          const least = all.length === 0 ? null : Math.min(...all);
          return { k: rows[0]?.['k'], rows: rows.length, sum, least, all, kinds: new Set(all).size };
        }),
      );
      const keptBy = (pick: (rows: readonly Row[]) => Row | undefined) =>
        left.filter((one) => groups.some((rows) => pick(rows) === one));
      await expect(
        { dedupe: { by: ['k'] } },
        keptBy((rows) => rows[0]),
      );
      await expect(
        { dedupe: { by: ['k'], keep: 'last', sort: 'n' } },
        keptBy((rows) => {
          const most = Math.max(...values(rows));
          return rows.findLast(({ n }) => n === most) ?? rows.at(-1);
        }),
      );
      const matches = (one: Row) =>
        right.filter((other) => one['k'] !== null && other['k'] === one['k'] && other['m'] === one['m']);
      const pairs = left.flatMap((one) =>
        matches(one).map((other) => ({ ...one, right_id: other['id'], right_n: other['n'] })),
      );
      await expect({ join: { with: 'right', on: ['k', 'm'] } }, pairs);
      await expect(
        { join: { with: 'right', on: ['k', 'm'], type: 'anti' } },
        left.filter((one) => matches(one).length === 0),
      );
    },
  );
  await fc.assert(property, { numRuns: RUNS });
  t.pass(`${RUNS} times`);
});
