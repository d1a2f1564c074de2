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
  rows: z
    .array(row)
    .max(10_000, 'Give at most 10,000 rows')
    .optional()
    .describe('Rows to give, as they are.'),
  generate: z
    .strictObject({
      count: z.int().min(0).max(generatedRowsMax).describe('How many rows to make.'),
      columns: z
        .array(z.string())
        .min(1, 'Name at least one column')
        .max(1_000, 'Name at most 1,000 columns')
        .describe('Their columns: `id` counts from 1, each other holds its name and the number of the row.'),
    })
    .optional()
    .describe('Makes rows instead of giving those of `rows`.'),
  delay_ms: z
    .int()
    .min(0)
    .max(delayMsMax)
    .default(0)
    .describe('Wait before each batch, call and write, in milliseconds.'),
  fault: z.enum(FAULTS).optional().describe('Fails every read, call and write in this way.'),
  fail_after: z
    .int()
    .min(0)
    .optional()
    .describe('Lets so many rows through before `fault`; a read gives them first, a write takes them.'),
  message: z.string().default('The dummy connector was told to fail').describe('Message of the fault.'),
  hang: z.boolean().default(false).describe('Never answers, until it is aborted.'),
  fail_rows: z
    .strictObject({
      field: z.string().describe('The field that decides.'),
      values: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .describe('Its values that are refused.'),
    })
    .optional()
    .describe('Refuses each written batch that has such a row, with `DATA`.'),
  record_to: z
    .string()
    .min(1, 'Give the path of a file')
    .optional()
    .describe(
      'NDJSON file for what is written, absolute or relative to the first allowed folder. Left out, it is only counted.',
    ),
});
export type DummyConfig = z.output<typeof dummyConfig>;

const where = row
  .optional()
  .describe(
    'Gives only the rows that match: equality or operators per column: `{"city": "Bonn", "age": {"gte": 18}}`.',
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
    .describe(
      'A filter as document databases take it, of `$and $or $eq $ne $gt $gte $lt $lte $in $nin $exists`.',
    ),
  sort: z
    .record(z.string(), z.union([z.literal(1), z.literal(-1)]))
    .optional()
    .describe('1 ascending, -1 descending: `{"age": -1, "name": 1}`.'),
  limit: z.int().min(1).optional().describe('Most documents to give.'),
});

export const dummyAggregateArgs = z.strictObject({
  pipeline: z
    .array(row)
    .max(100, 'Give at most 100 stages')
    .describe('Stages as document databases take them, of `$match $limit $skip $sort $count $project`.'),
});

export const dummyEchoArgs = z.strictObject({ value: z.unknown().describe('What to give back.') });

export const dummyRecordArgs = z.strictObject({
  rows: z
    .array(row)
    .min(1, 'Give at least one row')
    .max(10_000, 'Give at most 10,000 rows')
    .describe('Rows to record.'),
});
