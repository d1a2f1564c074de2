import { z } from 'zod';
import { FILES_ARGS, onlyFileView, readFilter } from '../files/read-args.ts';
import { s3Keys } from '../files/s3/s3-config.ts';
import { refineStorage } from '../files/storage/storage-config.ts';

export const parquetConfig = z
  .strictObject({
    path: z
      .string()
      .min(1, 'Give the path of a file or of a folder')
      .describe(
        'A Parquet file or a folder of them: an absolute path, one relative to the first allowed folder, or `s3://bucket/folder/` and `s3://bucket/object` in object storage.',
      )
      .meta({ examples: ['data/flights.parquet'] }),
    ...s3Keys,
  })
  .superRefine(refineStorage);

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
