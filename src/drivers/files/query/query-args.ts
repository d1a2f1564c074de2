import { z } from 'zod';

/** The arguments of `query` over files. */
export const fileQueryArgs = z.strictObject({
  sql: z
    .string()
    .min(1, 'Write a query')
    .max(100_000)
    .describe('One DuckDB SELECT over the `tables`; `$name` is a parameter.')
    .meta({ examples: ['SELECT city, count(*) AS orders FROM orders GROUP BY city'] }),
  tables: z
    .record(
      z.string().regex(/^[A-Za-z_]\w{0,62}$/, 'A table is named by letters, digits and _, such as orders'),
      z.string().min(1, 'Give a file or a pattern of files'),
    )
    .optional()
    .describe(
      'Table names, each with a file or a pattern of files with the same columns. Default, for a single-file connector: `file`.',
    )
    .meta({ examples: [{ orders: 'orders/**/*.parquet' }] }),
  params: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .default({})
    .describe('Parameter values.'),
});
