import { z } from 'zod';
import { dummyIntegration } from './integration.ts';

/** Longest scripted wait. */
export const delayMsMax = 600_000;
/** Most rows that are made. */
export const generatedRowsMax = 100_000_000;

/** The one resource of every dummy connector. */
export const scriptedResource = 'rows';

const row = z.record(z.string(), z.unknown());

export const FAULTS = ['CONFIG', 'AUTH', 'DATA', 'UNAVAILABLE', 'TARGET'] as const;

export const dummyConfig = z.strictObject({
  ...dummyIntegration,
  rows: z.array(row).max(10_000, 'Give at most 10,000 rows').optional().describe('Rows to return unchanged.'),
  generate: z
    .strictObject({
      count: z.int().min(0).max(generatedRowsMax).describe('The number of rows to generate.'),
      columns: z
        .array(z.string())
        .min(1, 'Name at least one column')
        .max(1_000, 'Name at most 1,000 columns')
        .describe('Their columns: `id` counts from 1, every other one holds its name and the row number.'),
    })
    .optional()
    .describe('Generates rows instead of returning those of `rows`.'),
  delay_ms: z
    .int()
    .min(0)
    .max(delayMsMax)
    .default(0)
    .describe('Delay before each batch, call and write, in milliseconds.'),
  fault: z.enum(FAULTS).optional().describe('Fails every read, call and write in this way.'),
  fail_after: z.int().min(0).optional().describe('The number of rows before `fault`, in reads and writes.'),
  message: z.string().default('The dummy connector is configured to fail').describe('Message of the fault.'),
  hang: z.boolean().default(false).describe('Never answers until it is aborted.'),
  fail_rows: z
    .strictObject({
      field: z.string().describe('The field to check.'),
      values: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .describe('Its refused values.'),
    })
    .optional()
    .describe('Refuses every written batch with such a row, with `DATA`.'),
  malformed_rows: z
    .strictObject({
      field: z.string().describe('The field to check.'),
      values: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .describe('Its values in malformed records.'),
    })
    .optional()
    .describe(
      'Returns each such row as a malformed record, which fails the read unless `on_error` handles it.',
    ),
  record_to: z
    .string()
    .min(1, 'Give the path of a file')
    .optional()
    .describe(
      'NDJSON file for written rows, absolute or relative to the first allowed folder. Default: rows are only counted.',
    ),
});
export type DummyConfig = z.output<typeof dummyConfig>;

const where = row
  .optional()
  .describe(
    'Returns only matching rows: equality or operators per column: `{"city": "Bonn", "age": {"gte": 18}}`.',
  );

export const dummyListArgs = z.strictObject({ where });

export const dummyGetArgs = z.strictObject({
  field: z.string().default('id').describe('The field to look in.'),
  value: z.union([z.string(), z.number(), z.boolean()]).describe('Its value.'),
  where,
});

export const dummyFindArgs = z.strictObject({
  filter: row
    .default({})
    .describe('A filter as in document databases, of `$and $or $eq $ne $gt $gte $lt $lte $in $nin $exists`.'),
  sort: z
    .record(z.string(), z.union([z.literal(1), z.literal(-1)]))
    .optional()
    .describe('1 ascending, -1 descending: `{"age": -1, "name": 1}`.'),
  limit: z.int().min(1).optional().describe('Maximum documents to return.'),
});

export const dummyAggregateArgs = z.strictObject({
  pipeline: z
    .array(row)
    .max(100, 'Give at most 100 stages')
    .describe('Stages as in document databases, of `$match $limit $skip $sort $count $project`.'),
});

export const dummyEchoArgs = z.strictObject({ value: z.unknown().describe('The value to return.') });

export const dummyRecordArgs = z.strictObject({
  rows: z
    .array(row)
    .min(1, 'Give at least one row')
    .max(10_000, 'Give at most 10,000 rows')
    .describe('Rows to record.'),
});
