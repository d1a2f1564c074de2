import { z } from 'zod';
import { encodingOf } from '../files/encoding/text-encoding.ts';
import { FILES_ARGS, onlyFileView, readFilter } from '../files/read-args.ts';
import { SET_KEYS } from '../files/set/set-config.ts';
import { refineStorage, STORAGE_KEYS, storagePath } from '../files/storage/storage-config.ts';

const delimiter = z
  .string()
  .min(1, 'Give one character, or a name such as "tab"')
  .describe(
    'Separator of the fields: one character, or `tab`, `comma`, `semicolon`, `pipe`, `space`. Detected by default.',
  );

const header = z
  .boolean()
  .describe('The first line names the columns. Without it they are `column_1`, `column_2`, …');
const encoding = z
  .string()
  .refine(
    (label) => encodingOf(label) !== null,
    'Give an encoding by its name on the web, such as "utf-8", "windows-1252" or "utf-16le"',
  )
  .describe(
    'Encoding of the text, by its name on the web (WHATWG): `utf-8`, `windows-1252`, `iso-8859-15`, `utf-16le`, `shift_jis`, …; `latin1` is `windows-1252`, as in browsers. A byte order mark in the file takes precedence.',
  )
  .meta({ examples: ['windows-1252', 'utf-16le'] });
const skipRows = z
  .int()
  .min(0)
  .max(10_000)
  .describe(
    'Lines above the header to skip, such as a title. A first line such as `sep=;` is skipped anyway.',
  );
const nullValues = z
  .array(z.string())
  .max(20, 'Give at most 20 null values')
  .describe('Texts that mean null. A quoted text in a text column is never null.');
const ragged = z
  .enum(['error', 'pad'])
  .describe(
    'For a line with fewer fields than columns: `error` makes it a malformed record (see `on_error` of the extract), `pad` fills up with null.',
  );
const decimal = z
  .enum(['.', ','])
  .describe('Decimal mark of numbers. Default: a dot, and also a comma if the delimiter is `;`.');

export const csvConfig = z
  .strictObject({
    path: storagePath('A CSV file', 'data/orders.csv'),
    delimiter: delimiter.optional(),
    header: header.default(true),
    encoding: encoding.default('utf-8'),
    skip_rows: skipRows.default(0),
    null_values: nullValues.default(['']),
    ragged: ragged.default('error'),
    decimal: decimal.optional(),
    ...SET_KEYS,
    ...STORAGE_KEYS,
  })
  .superRefine(refineStorage);
export type CsvConfig = z.output<typeof csvConfig>;

export const csvReadArgs = z.strictObject({
  ...FILES_ARGS,
  delimiter: delimiter.optional(),
  separator: delimiter.optional().describe('The same as `delimiter`.'),
  header: header.optional(),
  columns: z
    .array(z.string())
    .min(1, 'Name at least one column, or omit "columns"')
    .optional()
    .describe('Columns to read, in this order. Default: all.'),
  filter: readFilter.optional(),
  typed: z
    .boolean()
    .optional()
    .describe('Detect the type of each column from a sample (default); with `false`, everything is text.'),
  encoding: encoding.optional(),
  skip_rows: skipRows.optional(),
  null_values: nullValues.optional(),
  ragged: ragged.optional(),
  decimal: decimal.optional(),
});
export type CsvReadArgs = z.output<typeof csvReadArgs>;

/** A page reads a file as the configuration says, so that a call which says otherwise has none. */
export const csvPageOf = (args: unknown) => onlyFileView(csvReadArgs, args);
