import type { Test } from 'tap';
import { type CanonicalValue, titleOf } from './canonical-values.ts';
import type { TypedTarget } from './target.ts';
import { tryCells, tryWay, type Way } from './try-cells.ts';

interface Extent {
  readonly values: readonly CanonicalValue[];
  /** Names of the types to look at; null for all. */
  readonly columns: readonly string[] | null;
  readonly ways: readonly Way[];
}

/** Every value is in its column as it was, or by a stated rule, or was refused by name; and so in every way of loading it. */
export function checkTarget(t: Test, target: TypedTarget, { values, columns, ways }: Extent): void {
  t.test(`${target.name}: a value arrives, or is refused by name`, { skip: target.skip }, async (t) => {
    const open = await target.open(t);
    for (const column of target.columns) {
      if (columns !== null && !columns.includes(column.name)) continue;
      const cells = await tryCells(open, column, values);
      const silent = cells.filter(({ verdict }) => verdict === 'silent');
      t.strictSame(
        silent.map(({ value, text }) => `${titleOf(value)} became ${text}`),
        [],
        `${column.name} has no silent cell`,
      );
      t.ok(
        cells.some(({ verdict, value }) => verdict === 'same' && value.value != null),
        `${column.name} takes values`,
      );
      for (const way of ways)
        t.strictSame(await tryWay(open, column, cells, way), [], `${column.name} by ${way}`);
    }
  });
}
