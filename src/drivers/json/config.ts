import { z } from 'zod';
import { FILES_ARGS, onlyFileView, readFilter } from '../files/read-args.ts';
import { SET_KEYS } from '../files/set/set-config.ts';
import { refineStorage, STORAGE_KEYS, storagePath } from '../files/storage/storage-config.ts';
import type { FoundTypes } from './row-shape.ts';

const format = z
  .enum(['auto', 'json', 'ndjson'])
  .describe('`json`: one document; `ndjson`: one record per line; `auto`: detected from the file.');
const nonFinite = z
  .enum(['refuse', 'as_null', 'as_text'])
  .describe(
    'Of writing: what becomes of NaN and the infinities, which JSON does not have. `refuse` fails the row, `as_text` writes `"NaN"`.',
  );
const records = z
  .string()
  .regex(/^[^.]+(\.[^.]+)*$/, 'Write the keys that lead to the list with dots between, such as "data.items"')
  .describe(
    'Path of the list of records in the document, such as `data.items`. Default: the document is the list.',
  )
  .meta({ examples: ['data.items'] });

export const infer = z
  .strictObject({ timestamps: z.boolean().describe('Default: true.') })
  .describe(
    'Which types texts may get: a column whose texts are all timestamps (RFC 3339, the zone optional) is one of timestamps, unless `timestamps` is `false`.',
  );

export const jsonConfig = z
  .strictObject({
    path: storagePath('A JSON file', 'data/orders.ndjson'),
    format: format.default('auto'),
    records: records.optional(),
    infer: infer.optional(),
    non_finite: nonFinite.default('refuse'),
    ...SET_KEYS,
    ...STORAGE_KEYS,
  })
  .superRefine(refineStorage);
export type JsonConfig = z.output<typeof jsonConfig>;

export const jsonReadArgs = z.strictObject({
  ...FILES_ARGS,
  format: format.optional(),
  records: records.optional(),
  infer: infer.optional(),
  columns: z
    .array(z.string())
    .min(1, 'Name at least one column, or omit "columns"')
    .optional()
    .describe('Keys to read, in this order. Default: all.'),
  filter: readFilter.optional(),
});
export type JsonReadArgs = z.output<typeof jsonReadArgs>;

/** A page reads a file as the configuration says, so that a call which says otherwise has none. */
export const jsonPageOf = (args: unknown) => onlyFileView(jsonReadArgs, args);

export interface JsonOptions {
  readonly format: JsonConfig['format'];
  readonly records: string | null;
  readonly columns: readonly string[] | null;
  readonly finds: FoundTypes;
}

/** Configuration and arguments, settled. */
export function jsonOptions(config: JsonConfig, args: JsonReadArgs): JsonOptions {
  return {
    format: args.format ?? config.format,
    records: args.records ?? config.records ?? null,
    columns: args.columns ?? null,
    finds: args.infer ?? config.infer ?? { timestamps: true },
  };
}
