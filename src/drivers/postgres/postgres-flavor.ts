import type { SqlFlavor } from '../sql/flavor.ts';

export const postgresFlavor: SqlFlavor = {
  placeholder: (index) => `$${index}`,
  contains: (column, placeholder) => `strpos(lower(${column}::text), lower(${placeholder}::text)) > 0`,
  bind: (value) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return value;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  },
  // The text of a value is exact for every type, and the comparison gives it the column's type back.
  cursorValue: (column) => `${column}::text`,
  fromCursor: (value) => value,
};
