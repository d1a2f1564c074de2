import { z } from 'zod';
import { PLUGIN_KEYS } from '../plugin-config.ts';

export const airbyteConfig = z.strictObject(PLUGIN_KEYS);
export type AirbyteConfig = z.output<typeof airbyteConfig>;

export const airbyteReadArgs = z.strictObject({
  stream: z
    .string()
    .min(1, 'Give the name of a stream')
    .describe('Name of the stream, as in the list of resources.'),
  columns: z
    .array(z.string().min(1))
    .min(1, 'Name at least one column')
    .optional()
    .describe('Columns to return, in this order. Default: all.'),
  cursor_field: z
    .string()
    .min(1)
    .optional()
    .describe('Cursor field, if the source lets you choose it. Default: the source’s own.'),
});
export type AirbyteReadArgs = z.output<typeof airbyteReadArgs>;

export const airbyteSpecArgs = z.strictObject({});
