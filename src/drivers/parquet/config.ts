import { z } from 'zod';
import { FILES_ARGS, onlyFileView, readFilter } from '../files/read-args.ts';
import { SET_KEYS } from '../files/set/set-config.ts';
import { refineStorage, STORAGE_KEYS, storagePath } from '../files/storage/storage-config.ts';

export const parquetConfig = z
  .strictObject({
    path: storagePath('A Parquet file', 'data/flights.parquet'),
    ...SET_KEYS,
    ...STORAGE_KEYS,
  })
  .superRefine(refineStorage);

export type ParquetConfig = z.output<typeof parquetConfig>;

export const parquetReadArgs = z.strictObject({
  ...FILES_ARGS,
  columns: z
    .array(z.string())
    .min(1, 'Name at least one column, or omit "columns"')
    .optional()
    .describe('Columns to read, in this order; others are not decoded. Default: all.'),
  filter: readFilter.optional(),
});

export const parquetPageOf = (args: unknown) => onlyFileView(parquetReadArgs, args);
