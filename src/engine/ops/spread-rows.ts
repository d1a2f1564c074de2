import type { Row } from '../../drivers/driver.ts';
import type { ItemScope, SpreadOp } from './row-op.ts';

/** The rows that one row has become, and how many of them were left out on the way. */
export interface Spread {
  readonly rows: readonly Row[];
  readonly filtered: number;
}

/** Operations on one row, of which some make several rows of it. */
export function spreadSync(row: Row, ops: readonly SpreadOp[], scope: ItemScope): Spread {
  let rows: readonly Row[] = [row];
  let filtered = 0;
  for (const { sync } of ops) {
    const next: Row[] = [];
    for (const one of rows) {
      scope.item = one;
      filtered += take(sync?.(one, scope) ?? null, next);
    }
    rows = next;
  }
  return { rows, filtered };
}

/** The same, where an expression needs the interpreter. */
export async function spreadAsync(row: Row, ops: readonly SpreadOp[], scope: ItemScope): Promise<Spread> {
  let rows: readonly Row[] = [row];
  let filtered = 0;
  for (const op of ops) {
    const next: Row[] = [];
    for (const one of rows) {
      scope.item = one;
      filtered += take(await op.async(one, scope), next);
    }
    rows = next;
  }
  return { rows, filtered };
}

/** Adds what an operation has made of a row; 1 where that is nothing. */
function take(made: Row | readonly Row[] | null, rows: Row[]): number {
  if (Array.isArray(made)) for (const one of made) rows.push(one);
  else if (made !== null) rows.push(made as Row);
  return made === null || (Array.isArray(made) && made.length === 0) ? 1 : 0;
}
