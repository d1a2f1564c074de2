import t from 'tap';
import { Rebatch } from '../../../src/engine/pipeline/rebatch.ts';

const columns = [{ name: 'text', type: 'string', nullable: true } as const];
const batchOf = (rows: number, chars: number) => ({
  columns,
  rows: Array.from({ length: rows }, () => ({ text: 'x'.repeat(chars) })),
});

t.test('short rows are gathered to the size, long ones to a length', async (t) => {
  const short = new Rebatch(1_000, 100_000);
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap(() => short.push(batchOf(100, 10)));
  t.strictSame(
    sizes.map(({ rows }) => rows.length),
    [1_000],
  );
  t.equal(short.rest(), null);
  const long = new Rebatch(1_000, 100_000);
  const given = [1, 2, 3, 4, 5].flatMap(() => long.push(batchOf(100, 600)));
  t.strictSame(
    given.map(({ rows }) => rows.length),
    [200, 200],
  );
  t.equal(long.rest()?.rows.length, 100);
});

t.test('a size that a step names gathers no more than 32 MB either', async (t) => {
  const rebatch = new Rebatch(1_000);
  const given = Array.from({ length: 20 }, () => rebatch.push(batchOf(1, 2 * 1_048_576))).flat();
  t.strictSame(
    given.map(({ rows }) => rows.length),
    [16],
  );
});

t.test('rows of other columns do not come into one batch', async (t) => {
  const rebatch = new Rebatch(1_000);
  const other = [{ name: 'other', type: 'string', nullable: true } as const];
  t.strictSame(rebatch.push(batchOf(3, 1)), []);
  const [whole] = rebatch.push({ columns: other, rows: [{ other: 'a' }] });
  t.strictSame(whole, batchOf(3, 1));
  t.strictSame(rebatch.rest(), { columns: other, rows: [{ other: 'a' }] });
});
