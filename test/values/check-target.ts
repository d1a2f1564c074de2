import type { Test } from 'tap';
import { type CanonicalValue, titleOf } from './canonical-values.ts';
import { tryAfterFirstRows } from './first-rows.ts';
import { MAKING_WAYS, NEW_TABLE, type NewReads, tryNewTables, tryNewTablesAgain } from './new-tables.ts';
import type { OpenTarget, TargetColumn, TypedTarget } from './target.ts';
import { type Cell, tryCells, tryWay, type Way } from './try-cells.ts';
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
      const cells = await tryCells(open, column, values.filter(target.takes ?? (() => true)));
      tried.push([column, cells]);
      checkSilence(t, column, cells);
      const takes = cells.some(({ verdict, value }) => verdict === 'same' && value.value != null);
      t.ok(takes, `${column.name} takes values`);
      for (const way of ways)
        t.strictSame(await tryWay(open, column, cells, way), [], `${column.name} by ${way}`);
    }
    if (target.newReads !== undefined && (columns === null || columns.includes(NEW_TABLE.name))) {
      const cells = await checkNewTables(t, open, {
        reads: target.newReads,
        values,
        isWhole: columns === null,
      });
      tried.push([NEW_TABLE, cells]);
    }
    onTried?.(t, tried);
  });
}

function checkSilence(t: Test, { name }: TargetColumn, cells: readonly Cell[]): void {
  const silent = cells.filter(({ verdict }) => verdict === 'silent');
  const told = silent.map(({ value, text }) => `${titleOf(value)} became ${text}`);
  t.strictSame(told, [], `${name} has no silent cell`);
}

/** The same of tables that the load makes. */
async function checkNewTables(
  t: Test,
  open: OpenTarget,
  { reads, values, isWhole }: { reads: NewReads; values: readonly CanonicalValue[]; isWhole: boolean },
): Promise<readonly Cell[]> {
  const cells = await tryNewTables(open, reads, values);
  checkSilence(t, NEW_TABLE, cells);
  for (const way of isWhole ? MAKING_WAYS : [])
    if (way !== 'append')
      t.strictSame(await tryNewTablesAgain(open, reads, cells, way), [], `${NEW_TABLE.name} by ${way}`);
  if (isWhole)
    t.strictSame(await tryAfterFirstRows(open, reads, values), [], `${NEW_TABLE.name}, after its first rows`);
  return cells;
}
