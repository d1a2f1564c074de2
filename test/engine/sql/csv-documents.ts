import fc from 'fast-check';

export const PREFIX_ROWS = 1_002;

const FIELDS = [
  '',
  '""',
  '1',
  '-0',
  '0',
  '007',
  '+5',
  ' 5',
  '5 ',
  '5.0',
  '5.5',
  '1e3',
  '.5',
  '1.',
  '1,5',
  'true',
  'TRUE',
  't',
  'yes',
  '2024-02-31',
  '2024-01-05',
  '2024-1-5',
  '2024-01-05T10:00:00Z',
  'a"b',
  '"a""b"',
  '"x,y"',
  '"x\ny"',
  '"a"b',
  '"a" ',
  ' "a"',
  'é€',
  'NaN',
  'inf',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '12345678901234567',
  '0.1234567890123456',
  '1e400',
  '123456789012345678901234567890',
  'null',
  'NULL',
  '\\N',
  "'",
  '#',
  '-',
  '\u0000',
  '\u00a0',
  'x'.repeat(300),
];
const field = fc.constantFrom(...FIELDS);
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(field, field, field).map((fields) => fields.join(',')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ',',
      ',,',
      ',,,',
      '1,2',
      '1,2,3,',
      '1,2,3,4',
      ' ',
      '"open,2,3',
      '1,"2\n,3"',
    ),
  },
);
/** CSV documents of three columns that readers could understand differently; `long`: their types are found before those lines. */
export const documents: fc.Arbitrary<CsvDocument> = fc.record({
  lines: fc.array(line, { maxLength: 6 }),
  end: fc.constantFrom('\n', '\n', '\n', '', '\r\n', '\n\n'),
  mark: fc.constantFrom('', '', '\ufeff'),
  long: fc.boolean(),
  day: fc.constantFrom('2024-01-05', '2024-01-05T10:00:00.5+02:00', '2024-01-05 10:00'),
  header: fc.constantFrom('a,b,c', 'a,b,c', 'a,"b ""q""",c', 'A,a,c', 'a,,c'),
});

export interface CsvDocument {
  readonly lines: readonly string[];
  readonly end: string;
  readonly mark: string;
  readonly long: boolean;
  /** A value of the third column. */
  readonly day: string;
  readonly header: string;
}

export function textOf({ lines, end, mark, long, day, header }: CsvDocument): string {
  const typed = Array.from({ length: long ? PREFIX_ROWS : 0 }, (_, at) => `${at},${at / 4},${day}\n`).join(
    '',
  );
  return `${mark}${header}\n${typed}${lines.join(end === '\r\n' ? '\r\n' : '\n')}${end}`;
}
