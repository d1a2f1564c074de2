import { z } from 'zod';
import { PLUGIN_KEYS } from '../plugin-config.ts';

export const singerConfig = z.strictObject({
  ...PLUGIN_KEYS,
  catalog_argument: z
    .enum(['catalog', 'properties', 'none'])
    .default('catalog')
    .describe(
      'How the tap receives the streams to read: by `--catalog`, or, if it is old, by `--properties`. `none`: it has no discovery and always reads all of its streams.',
    ),
});
export type SingerConfig = z.output<typeof singerConfig>;

export const singerReadArgs = z.strictObject({
  stream: z
    .string()
    .min(1, 'Give the name of a stream')
    .describe('Identifier of the stream (`tap_stream_id`), as in the list of resources.'),
  columns: z
    .array(z.string().min(1))
    .min(1, 'Name at least one column')
    .optional()
    .describe('Columns to return, in this order. Default: the tap’s default selection.'),
  replication_key: z
    .string()
    .min(1)
    .optional()
    .describe('Replication key of the stream, if the tap does not define one.'),
  replication_method: z
    .enum(['FULL_TABLE', 'INCREMENTAL', 'LOG_BASED'])
    .optional()
    .describe('How the tap reads the stream. Default: INCREMENTAL with a cursor, FULL_TABLE without.'),
});
export type SingerReadArgs = z.output<typeof singerReadArgs>;
