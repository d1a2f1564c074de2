// Long list: every value into a field, in every way of loading; quick: test/values/matrix.test.ts.
import t from 'tap';
import { CANONICAL_VALUES, titleOf } from '../canonical-values.ts';
import { checkTarget } from '../check-target.ts';
import { mongodbTarget, wireTarget } from '../targets/mongodb-target.ts';
import { type Cell, tryCells } from '../try-cells.ts';
import { checkSection, WHOLE } from './check-whole.ts';

t.setTimeout(600_000);
const [column] = mongodbTarget.columns;
if (column === undefined) throw new Error('There is no column');
const cells: Cell[] = [];

for (const target of [mongodbTarget, wireTarget])
  checkTarget(t, target, { ...WHOLE, onTried: (_, tried) => cells.push(...tried.flatMap(([, of]) => of)) });

t.test('the page says what becomes of the values', { skip: mongodbTarget.skip }, async (t) => {
  const byValue = cells.toSorted(
    (a, b) => CANONICAL_VALUES.indexOf(a.value) - CANONICAL_VALUES.indexOf(b.value),
  );
  t.equal(byValue.length, CANONICAL_VALUES.length);
  checkSection(t, mongodbTarget.name, [[column, byValue]]);
});

t.test(
  'a server that lacks a type refuses the load, and names the field',
  { skip: mongodbTarget.skip },
  async (t) => {
    const open = await mongodbTarget.open(t);
    for (const value of CANONICAL_VALUES.filter((one) => wireTarget.takes?.(one) === true)) {
      const refusal = await tryCells(open, column, [value]).then(
        ([cell]) => cell?.verdict === 'refused' && cell.text,
        (error: unknown) => error instanceof Error && error.message,
      );
      t.match(refusal, /field "v"/, titleOf(value));
    }
  },
);
