import type { Test } from 'tap';
import { type CanonicalValue, titleOf } from './canonical-values.ts';
import type { TypedTarget } from './target.ts';
import { tryCells, tryWay, type Way } from './try-cells.ts';
import type { Tried } from './values-page.ts';

interface Extent {
  readonly values: readonly CanonicalValue[];
  /** Names of the types to look at; null for all. */
  readonly columns: readonly string[] | null;
  readonly ways: readonly Way[];
  /** Told of all that was tried. */
  readonly onTried?: (t: Test, tried: Tried) => void;
}

/** Every value is in its column as it was, or by a stated rule, or was refused by name; and so in every way of loading it. */
export function checkTarget(t: Test, target: TypedTarget, { values, columns, ways, onTried }: Extent): void {
  t.test(`${target.name}: a value arrives, or is refused by name`, { skip: target.skip }, async (t) => {
    const open = await target.open(t);
    const tried: Tried[number][] = [];
    for (const column of target.columns) {
      if (columns !== null && !columns.includes(column.name)) continue;
      const cells = await tryCells(open, column, values);
      tried.push([column, cells]);
      const silent = cells.filter(({ verdict }) => verdict === 'silent');
      t.strictSame(
        silent.map(({ value, text }) => `${titleOf(value)} became ${text}`),
        [],
        `${column.name} has no silent cell`,
      );
      const takes = cells.some(({ verdict, value }) => verdict === 'same' && value.value != null);
      t.ok(takes, `${column.name} takes values`);
      for (const way of ways)
        t.strictSame(await tryWay(open, column, cells, way), [], `${column.name} by ${way}`);
    }
    onTried?.(t, tried);
  });
}
