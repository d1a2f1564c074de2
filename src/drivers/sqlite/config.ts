import { z } from 'zod';

export const busyTimeoutMsDefault = 5_000;
export const busyTimeoutMsMax = 60_000;

export const sqliteConfig = z.strictObject({
  path: z
    .string()
    .min(1, 'Give the path of a database file')
    .describe('The database file: an absolute path, or one relative to the first allowed folder.')
    .meta({ examples: ['data/warehouse.db'] }),
  busy_timeout_ms: z
    .int()
    .min(0)
    .max(busyTimeoutMsMax)
    .default(busyTimeoutMsDefault)
    .describe('How long a statement waits for another program’s lock on the file.'),
  create: z.boolean().default(true).describe('Whether writing creates a missing file; reading never does.'),
});
export type SqliteConfig = z.output<typeof sqliteConfig>;
