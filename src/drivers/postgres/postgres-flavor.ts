import { casePairs } from '../sql/case-pairs.ts';
import type { SqlFlavor } from '../sql/flavor.ts';

export const postgresFlavor: SqlFlavor = {
  placeholder: (index) => `$${index}`,
  contains: (column, text, bind) => {
    const pairs = casePairs(text);
    const upper = pairs.map((pair) => pair.upper).join('');
    const lower = pairs.map((pair) => pair.lower).join('');
    const folded = (sql: string) =>
      upper === '' ? `lower(${sql}::text)` : `translate(lower(${sql}::text), '${upper}', '${lower}')`;
    return `strpos(${folded(column)}, ${folded(bind(text))}) > 0`;
  },
  bind: (value) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return value;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  },
  // The text of a value is exact for every type, and the comparison gives it the column's type back.
  cursorValue: (column) => `${column}::text`,
  fromCursor: (value) => value,
};
