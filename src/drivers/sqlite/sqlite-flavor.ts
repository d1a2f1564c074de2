import { isRecord } from '../../base/json.ts';
import { casePairs } from '../sql/case-pairs.ts';
import type { SqlFlavor } from '../sql/flavor.ts';
import { toBound } from './cell.ts';

export const sqliteFlavor: SqlFlavor = {
  placeholder: () => '?',
  contains: (column, text, bind) => {
    const folded = (sql: string) =>
      casePairs(text).reduce(
        (sum, { lower, upper }) => `replace(${sum}, '${upper}', '${lower}')`,
        `lower(${sql})`,
      );
    return `instr(${folded(column)}, ${folded(bind(text))}) > 0`;
  },
  bind: toBound,
  cursorValue: (column) => column,
  fromCursor: (value) => {
    if (!isRecord(value)) return value;
    if (typeof value['i'] === 'string' && /^-?\d{1,19}$/.test(value['i'])) return BigInt(value['i']);
    return typeof value['b'] === 'string' ? Buffer.from(value['b'], 'base64') : Number(value['f']);
  },
};

/** A stored value as JSON that loses nothing: `{i}` a long integer, `{b}` bytes, `{f}` an infinite number. */
export function toCursor(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { i: String(value) };
  }
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') };
  return typeof value === 'number' && !Number.isFinite(value) ? { f: String(value) } : value;
}
