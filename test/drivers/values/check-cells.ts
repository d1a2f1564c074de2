import type { Test } from 'tap';
import type { Column, ColumnType } from '../../../src/drivers/driver.ts';
import { exactCell } from '../../../src/drivers/values/exact-cell.ts';
import type { Holding, Lossy } from '../../../src/drivers/values/holding.ts';

/** What a value is refused with, in part. */
class Refused {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export const refused = (reason: string): Refused => new Refused(reason);

/** What becomes of a value of this type, where `lossy` lets it lose something and where the source calls its type by `native`. */
export type CellCase = readonly [
  type: ColumnType,
  value: unknown,
  made: unknown,
  lossy?: Lossy | null,
  native?: string,
];

/** Each value goes in exactly, by a stated rule, or is refused by name. */
export function checkCells(
  t: Test,
  table: readonly (readonly [name: string, holding: Holding, cases: readonly CellCase[]])[],
): void {
  for (const [name, holding, cases] of table) {
    t.test(`${name} takes values exactly, by a rule, or refuses them by name`, async (t) => {
      for (const given of cases) checkCell(t, holding, given);
    });
  }
}

function checkCell(t: Test, holding: Holding, [type, value, made, lossy, native]: CellCase): void {
  const column: Column = { name: 'c', type, nullable: true, ...(native && { native_type: native }) };
  let lost = 0;
  const onLossy = () => lost++;
  const options = { object: 't', type: 'its type', onLossy, ...(lossy && { lossy }) };
  const cell = exactCell(column, holding, options);
  const title = `${type} ${typeof value === 'bigint' ? value : (JSON.stringify(value) ?? value)}`;
  if (cell === null) throw new Error(`${title} is not looked at`);
  if (made instanceof Refused) {
    const message = messageOf(() => cell(value));
    t.match(message, made.reason, title);
    t.match(message, 'does not fit the column "c" (its type) of "t": ', title);
    return;
  }
  const found = cell(value);
  t.strictSame(found, made, title);
  if (typeof made === 'number') t.ok(Object.is(found, made), `${title} keeps its sign`);
  t.equal(lost, lossy ? 1 : 0, `${title} counts what it loses`);
}

function messageOf(call: () => unknown): string {
  try {
    return `It gave ${JSON.stringify(call())}`;
  } catch (error) {
    const { fault, column, message } = error as { fault?: string; column?: string; message: string };
    return fault === 'DATA' && column === 'c' ? message : `It is another error: ${message}`;
  }
}
