import type { SetTable } from './set-table.ts';

/** The two sides of an equality, as SQL; each has the alias of its table before its column. */
export interface KeyPair {
  readonly left: string;
  readonly right: string;
}

/** Most digits of a decimal of the engine. */
const DIGITS = 38;

/**
 * What two columns are compared by. Numbers of different types are compared as decimals, since the engine would make doubles of them, which
 * makes 9007199254740993 and 9007199254740992 one; what no such decimal is equals none.
 */
export function keyPair(left: SetTable, own: string, right: SetTable, other: string): KeyPair {
  const columns = { left: `l.${left.sqlOf(own)}`, right: `r.${right.sqlOf(other)}` };
  const types = { left: left.sqlTypeOf(own), right: right.sqlTypeOf(other) };
  const areNumbers = isNumber(types.left) && isNumber(types.right);
  if (types.left === types.right || !areNumbers) return columns;
  const scale = Math.max(scaleOf(types.left), scaleOf(types.right));
  return {
    left: asDecimal(columns.left, types.left, scale),
    right: asDecimal(columns.right, types.right, scale),
  };
}

function isNumber(type: string): boolean {
  return /^(?:BIGINT|HUGEINT|DOUBLE|DECIMAL\b)/.test(type);
}

function scaleOf(type: string): number {
  return Number(/,\s*(\d+)\)/.exec(type)?.[1] ?? 0);
}

function asDecimal(column: string, type: string, scale: number): string {
  const decimal = (value: string) => `TRY_CAST(${value} AS DECIMAL(${DIGITS}, ${scale}))`;
  if (type !== 'DOUBLE') return decimal(column);
  const made = decimal(`${column}::VARCHAR`);
  // What had to be rounded reads as another double.
  return `CASE WHEN ${made}::VARCHAR::DOUBLE = ${column} THEN ${made} END`;
}
