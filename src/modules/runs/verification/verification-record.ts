import { z } from 'zod';
import { DIFFERENCES_LISTED_MAX } from '../../../base/run-report.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const digested = z.enum(['engine', 'rows']);

const difference = z
  .strictObject({
    kind: z.enum(['differing', 'missing', 'surplus']),
    key: z.record(z.string(), z.string().nullable()),
    columns: z
      .array(
        z.strictObject({ column: z.string(), source: z.string().nullable(), target: z.string().nullable() }),
      )
      .describe('Of a differing row: the columns that differ, as texts'),
  })
  .meta({
    id: 'RowDifference',
    examples: [
      {
        kind: 'differing',
        key: { id: '7' },
        columns: [{ column: 'amount', source: '19.9', target: '20' }],
      },
    ],
  });

/** What a comparison of a source and its target has found, as executors report it and the API shows it. */
export const verificationRecord = z
  .strictObject({
    source: z.string(),
    target: z.string(),
    equal: z.boolean().describe('Whether the rows are the same, apart from surplus rows that are ignored'),
    rows_source: count,
    rows_target: count,
    differing: count,
    missing: count.describe('Rows of the source that the target does not have'),
    surplus: count.describe('Rows of the target that the source does not have'),
    settled: count.describe('Differences that were gone at a second look, because the rows had changed'),
    reloaded: count.describe('Rows that `on_difference: reload` has loaded again'),
    sample: z.number().nullable().describe('Share of the keys that were compared; null for all'),
    columns: z
      .array(z.strictObject({ column: z.string(), differing: count }))
      .describe('The compared columns, with the number of rows in which each differs'),
    left_out: z.array(z.string()).describe('Columns that were not compared'),
    digested: z
      .strictObject({ source: digested, target: digested })
      .describe('Where each side was digested: by its `engine`, or by the executor from its `rows`'),
    differences: z
      .array(difference)
      .max(DIFFERENCES_LISTED_MAX)
      .describe('The first of the rows that differ'),
  })
  .meta({ id: 'Verification' });
