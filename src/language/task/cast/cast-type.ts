/** The types of values that rows are made of, and that `cast` gives. Integers beyond 2^53 and decimals are strings, times RFC 3339 text. */
export const CAST_TYPES = [
  'string',
  'integer',
  'number',
  'decimal',
  'boolean',
  'date',
  'time',
  'timestamp',
  'json',
] as const;
export type CastType = (typeof CAST_TYPES)[number];
