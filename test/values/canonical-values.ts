import type { ColumnType } from '../../src/drivers/driver.ts';

/** A value as rows carry it in a column of a type; `kind` groups values that are alike. */
export interface CanonicalValue {
  readonly kind: string;
  readonly type: ColumnType;
  readonly value: unknown;
  /** What its source calls the type, where that says more. */
  readonly native?: string;
}

function of(kind: string, type: ColumnType, values: readonly unknown[], native?: string): CanonicalValue[] {
  return values.map((value) => ({ kind, type, value, ...(native !== undefined && { native }) }));
}

const nines = (digits: number): string => '9'.repeat(digits);
const bound = (bits: bigint): string[] => [
  `${2n ** bits - 1n}`,
  `${2n ** bits}`,
  `-${2n ** bits}`,
  `-${2n ** bits + 1n}`,
];
const whole = (text: string): number | string => (Number.isSafeInteger(Number(text)) ? Number(text) : text);

/** Values at and beyond the bounds of every type, and those that look like values of another. */
export const CANONICAL_VALUES: readonly CanonicalValue[] = [
  ...of('integer', 'integer', [0, 1, -1, 2, 42, 1901, 2155, 127, 128, -128, -129, 255, 256]),
  ...of(
    'integer',
    'integer',
    [15n, 16n, 23n, 24n, 31n, 32n].flatMap((bits) => bound(bits).map(whole)),
  ),
  ...of('integer beyond 2^53', 'integer', [
    '9007199254740992',
    '9007199254740993',
    ...bound(63n),
    `${2n ** 64n - 1n}`,
    `${2n ** 64n}`,
    nines(38),
    nines(76),
  ]),
  ...of('decimal', 'decimal', [
    '0.00',
    '0.5',
    '1.50',
    '-1.5',
    '1.555',
    '-0.005',
    '1.005',
    '99999999.99',
    '99999999.995',
    '100000000',
    '0.1',
    '12345678901234567.89',
    `0.${nines(38)}`,
    `${nines(38)}.5`,
    `${nines(76)}`,
    '7.000',
    '-0.0',
  ]),
  ...of('decimal NaN', 'decimal', ['NaN']),
  ...of('number', 'number', [
    0.5,
    1.5,
    -1.5,
    0.1,
    1e3,
    16_777_216,
    16_777_217,
    123_456.789,
    1e15,
    2 ** 53,
    1e21,
    1e300,
    1e-7,
    5e-324,
    Number.MAX_VALUE,
    3.4028234663852886e38,
    3.5e38,
  ]),
  ...of('number −0', 'number', [-0]),
  ...of('number NaN or infinite', 'number', [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]),
  ...of('boolean', 'boolean', [true, false]),
  ...of('date', 'date', ['2024-02-29', '0001-01-01', '1970-01-01', '1000-01-01', '9999-12-31']),
  ...of('odd date', 'date', ['infinity', '-infinity', '0044-03-15 BC', '5874897-12-31', '0000-01-01']),
  ...of('time', 'time', [
    '00:00:00',
    '23:59:59',
    '10:00:00.5',
    '10:00:00.123456',
    '10:00:00.123456789',
    '24:00:00',
  ]),
  ...of('long or negative time', 'time', ['-01:00:00', '100:00:00', '838:59:59', '839:00:00']),
  ...of('time with zone', 'time', ['10:00:00+00', '10:00:00+02', '10:00:00.25-05:30']),
  ...of('timestamp at midnight', 'timestamp', ['2024-02-29T00:00:00Z', '2024-02-29T02:00:00+02:00']),
  ...of('timestamp', 'timestamp', [
    '2024-02-29T23:59:59Z',
    '2024-02-29T23:59:59.5Z',
    '2024-02-29T23:59:59.123456Z',
    '2024-02-29T10:00:00+02:00',
    '2024-02-29T10:00:00',
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:01Z',
    '2038-01-19T03:14:07Z',
    '2038-01-19T03:14:08Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999Z',
    '2024-03-31T02:30:00Z',
    '2024-10-27T01:30:00Z',
  ]),
  ...of('timestamp finer than 1 µs', 'timestamp', [
    '2024-02-29T23:59:59.1234567Z',
    '9999-12-31T23:59:59.9999999Z',
  ]),
  ...of('odd timestamp', 'timestamp', [
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00 BC',
    '294276-12-31 23:59:59+00',
  ]),
  ...of('text', 'string', [
    'abc',
    'Zoë',
    '日本語',
    'ok',
    'x'.repeat(300),
    'a,b',
    'o\'clock "quoted" \\N \t\n',
  ]),
  ...of('empty text', 'string', ['']),
  ...of('text with blanks at its ends', 'string', [' ', 'ab ', ' ab', 'ab  ']),
  ...of('text beyond U+FFFF', 'string', ['😀', 'a😀b']),
  ...of('text with U+0000', 'string', ['a\0b']),
  ...of('half a character', 'string', ['\ud800', 'a\udc00']),
  ...of('text that reads as a number', 'string', [
    '7',
    ' 7 ',
    '007',
    '1.50',
    '1e3',
    '-0',
    '99999999999999999999',
    '1.555',
    '1,5',
    '0x10',
  ]),
  ...of('text that names NaN or infinity', 'string', ['NaN', 'Infinity', '-Infinity', 'nan']),
  ...of('text that reads as true or false', 'string', ['true', 'No', 't', 'on']),
  ...of('text that reads as a time', 'string', [
    '2024-02-29',
    '2024-02-29T10:00:00+02:00',
    '2024-02-29 10:00',
    '29.02.2024',
    '10:00',
    '2024-02-30',
    'now',
    'today',
    '0000-00-00',
  ]),
  ...of('text that reads as JSON', 'string', [
    '{"a": 1.50}',
    '[1,2]',
    'null',
    '"x"',
    '{"a":',
    '[0.1, "b"]',
    '"[1]"',
  ]),
  ...of('text that reads as a UUID', 'string', [
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    '{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}',
    'a0eebc999c0b4ef8bb6d6bb9bd380a11',
    'a0eebc99',
  ]),
  ...of('text of 0 and 1', 'string', ['0101', '101', '01010101']),
  ...of('text that reads as base64 or hexadecimal', 'string', ['aGVsbG8=', '\\x00ff']),
  ...of('text that is filled up with blanks', 'string', ['ab   '], 'character(5)'),
  ...of('bytes', 'binary', ['', 'AAECAw==', 'aGVsbG8=', '/////w==', 'NzA=', '1234']),
  ...of('JSON object', 'json', [{ a: 1, b: null, c: { d: [] } }, {}]),
  ...of('JSON with NaN', 'json', [{ a: Number.NaN }, [Number.POSITIVE_INFINITY]]),
  ...of('list of numbers', 'json', [
    [1, 2],
    ['1.50', null],
    [1.555],
    [
      [1, 2],
      [3, 4],
    ],
    [],
  ]),
  ...of('list of texts', 'json', [['a', 'b ', ''], ['aGVsbG8=']]),
  ...of('JSON scalar', 'json', ['x', 7, true]),
  ...of('null', 'string', [null]),
  ...of('absent', 'string', [undefined]),
];

/** Short, for titles and tables. */
export function titleOf({ type, value, native }: CanonicalValue): string {
  return `${native ?? type} ${valueText(value)}`;
}

export function valueText(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  const text = JSON.stringify(value, (_, one) =>
    typeof one === 'number' && !Number.isFinite(one) ? String(one) : one,
  );
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
