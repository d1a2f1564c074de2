/** Types that text is read as by itself. */
export const PLAIN_CAST_TYPES = [
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

/**
 * The types of values that rows are made of, and that `cast` gives. Integers beyond 2^53 and decimals are strings, times RFC 3339 text,
 * bytes base64: what text becomes bytes by must be said.
 */
export const CAST_TYPES = [...PLAIN_CAST_TYPES, 'binary'] as const;
export type CastType = (typeof CAST_TYPES)[number];
