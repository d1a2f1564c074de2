import type { ColumnType } from '../../../src/drivers/driver.ts';

/** What the engine itself says of a value, in its own words. */
export const REFUSED = Symbol('refused');
export type Verdict = string | typeof REFUSED;

/** Source type, value, and what is in a column of each declared type: `typeof|text`. */
export const CELLS: readonly (readonly [
  ColumnType,
  unknown,
  { readonly [declared: string]: Verdict | undefined },
])[] = [
  [
    'string',
    'x',
    { TEXT: 'text|x', INTEGER: 'text|x', REAL: 'text|x', NUMERIC: 'text|x', BLOB: 'text|x', '': 'text|x' },
  ],
  ['json', 'x', { TEXT: 'text|x', INTEGER: 'text|x', REAL: 'text|x', BLOB: 'text|x', JSON_TEXT: 'text|"x"' }],
  [
    'json',
    5,
    { TEXT: 'text|5', INTEGER: 'integer|5', REAL: 'real|5.0', NUMERIC: 'integer|5', JSON: 'integer|5' },
  ],
  ['json', '2.5', { TEXT: 'text|2.5', NUMERIC: 'real|2.5', REAL: 'real|2.5', '': 'text|2.5' }],
  [
    'json',
    { a: [1, 'x'] },
    { TEXT: 'text|{"a":[1,"x"]}', INTEGER: 'text|{"a":[1,"x"]}', JSON_TEXT: 'text|{"a":[1,"x"]}' },
  ],
  ['json', true, { TEXT: 'text|true', INTEGER: 'integer|1', JSON_TEXT: 'text|true', BOOLEAN: 'integer|1' }],
  [
    'string',
    '007',
    {
      TEXT: 'text|007',
      INTEGER: 'integer|7',
      NUMERIC: 'integer|7',
      REAL: 'real|7.0',
      DATE: REFUSED,
      STRING: REFUSED,
      '': 'text|007',
    },
  ],
  ['string', '7', { STRING: 'integer|7', DATE: 'integer|7', UUID: 'integer|7' }],
  [
    'string',
    '1e5',
    {
      TEXT: 'text|1e5',
      INTEGER: 'integer|100000',
      REAL: 'real|100000.0',
      UUID: REFUSED,
      DECIMAL_BLOB: 'integer|100000',
    },
  ],
  ['string', '1.0', { INTEGER: 'integer|1', NUMERIC: 'integer|1', TEXT: 'text|1.0' }],
  ['string', ' 5', { INTEGER: 'integer|5', TEXT: 'text| 5' }],
  ['string', '0x10', { INTEGER: 'text|0x10', REAL: 'text|0x10' }],
  ['string', '', { INTEGER: 'text|', TEXT: 'text|' }],
  ['string', '1e400', { TEXT: 'text|1e400', REAL: REFUSED, NUMERIC: REFUSED, INTEGER: REFUSED }],
  ['string', 'true', { BOOLEAN: 'integer|1', INTEGER: 'text|true', TEXT: 'text|true' }],
  ['string', 'half \ud800', { TEXT: REFUSED, INTEGER: REFUSED, BLOB: REFUSED, '': REFUSED }],
  ['string', 'a\0b', { TEXT: 'text|a\0b', BLOB: 'text|a\0b' }],
  [
    'integer',
    '9007199254740993',
    {
      INTEGER: 'integer|9007199254740993',
      NUMERIC: 'integer|9007199254740993',
      TEXT: 'text|9007199254740993',
      REAL: REFUSED,
      '': 'integer|9007199254740993',
    },
  ],
  [
    'integer',
    '9223372036854775808',
    { INTEGER: REFUSED, NUMERIC: REFUSED, TEXT: 'text|9223372036854775808' },
  ],
  ['integer', '100000000000000000000', { INTEGER: 'real|1.0e+20', NUMERIC: 'real|1.0e+20' }],
  [
    'integer',
    '9223372036854775809',
    {
      INTEGER: REFUSED,
      NUMERIC: REFUSED,
      REAL: REFUSED,
      TEXT: 'text|9223372036854775809',
      DECIMAL_BLOB: 'text|9223372036854775809',
    },
  ],
  [
    'decimal',
    '12345678901234567890.5',
    {
      TEXT: 'text|12345678901234567890.5',
      REAL: REFUSED,
      NUMERIC: REFUSED,
      'DECIMAL(30,2)': REFUSED,
      DECIMAL_BLOB: 'text|12345678901234567890.5',
    },
  ],
  ['decimal', '0.10', { REAL: 'real|0.1', NUMERIC: 'real|0.1', TEXT: 'text|0.10', DECIMAL_BLOB: 'real|0.1' }],
  ['decimal', 'NaN', { DECIMAL_BLOB: 'text|NaN', REAL: REFUSED, NUMERIC: REFUSED, TEXT: 'text|NaN' }],
  [
    'number',
    Number.NaN,
    {
      REAL: REFUSED,
      NUMERIC: REFUSED,
      INTEGER: REFUSED,
      '': REFUSED,
      BLOB: REFUSED,
      JSON_TEXT: REFUSED,
      TEXT: 'text|NaN',
      DECIMAL_BLOB: 'text|NaN',
    },
  ],
  [
    'number',
    Number.POSITIVE_INFINITY,
    { REAL: 'real|Inf', NUMERIC: 'real|Inf', '': 'real|Inf', TEXT: 'text|Infinity', JSON_TEXT: REFUSED },
  ],
  ['number', '-Infinity', { REAL: 'real|-Inf', '': 'real|-Inf' }],
  ['number', 1e21, { TEXT: 'text|1e+21', REAL: 'real|1.0e+21', INTEGER: 'real|1.0e+21' }],
  ['number', 1.5, { TEXT: 'text|1.5', INTEGER: 'real|1.5' }],
  [
    'boolean',
    true,
    { TEXT: 'text|true', INTEGER: 'integer|1', BOOLEAN: 'integer|1', REAL: 'real|1.0', '': 'integer|1' },
  ],
  [
    'timestamp',
    '2026-01-31T12:00:00+02:00',
    { TIMESTAMP: 'text|2026-01-31T12:00:00+02:00', TEXT: 'text|2026-01-31T12:00:00+02:00' },
  ],
  ['binary', 'AP8=', { BLOB: 'blob|00FF', TEXT: 'blob|00FF', INTEGER: 'blob|00FF', '': 'blob|00FF' }],
  ['binary', 'hello', { BLOB: REFUSED, TEXT: REFUSED }],
  ['json', [Number.NaN], { TEXT: REFUSED, JSON_TEXT: REFUSED, '': REFUSED, INTEGER: REFUSED }],
];
export const STRICT_CELLS: typeof CELLS = [
  ['string', '5', { INTEGER: 'integer|5', REAL: 'real|5.0', TEXT: 'text|5', ANY: 'text|5', BLOB: REFUSED }],
  ['string', 'x', { INTEGER: REFUSED, REAL: REFUSED, TEXT: 'text|x', ANY: 'text|x', BLOB: REFUSED }],
  ['string', '007', { ANY: 'text|007', INTEGER: 'integer|7' }],
  ['number', 1.5, { INT: REFUSED, REAL: 'real|1.5', TEXT: 'text|1.5', ANY: 'real|1.5' }],
  ['number', Number.NaN, { REAL: REFUSED, ANY: REFUSED }],
  [
    'integer',
    '9007199254740993',
    { INT: 'integer|9007199254740993', REAL: REFUSED, ANY: 'integer|9007199254740993' },
  ],
  ['binary', 'AP8=', { BLOB: 'blob|00FF', TEXT: REFUSED, ANY: 'blob|00FF' }],
  ['boolean', false, { INTEGER: 'integer|0', TEXT: 'text|false' }],
];
