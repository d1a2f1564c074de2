import { z } from 'zod';
import { FILES_ARGS, onlyFileView, readFilter } from '../files/read-args.ts';

export const parquetConfig = z.strictObject({
  path: z
    .string()
    .min(1, 'Give the path of a file or of a folder')
    .describe(
      'A Parquet file or a folder of them: an absolute path, or one relative to the first allowed folder.',
    )
    .meta({ examples: ['data/flights.parquet'] }),
});

export const parquetReadArgs = z.strictObject({
  ...FILES_ARGS,
  columns: z
    .array(z.string())
    .min(1, 'Name at least one column, or leave "columns" out')
    .optional()
    .describe('Columns to read, in this order; others are not even decoded. Default: all.'),
  filter: readFilter.optional(),
});

export const parquetPageOf = (args: unknown) => onlyFileView(parquetReadArgs, args);
