import { z } from 'zod';
import { spanMs, timestamp } from '../../../base/clock.ts';
import {
  type CursorSpan,
  eachFigure,
  type Loss,
  SCHEMA_CHANGE_FOLLOW_UPS,
  type SchemaChange,
  STEP_FIGURES,
  type Verification,
} from '../../../base/run-report.ts';
import type { selectSteps } from '../run-store.ts';
import { verificationRecord } from '../verification/verification-record.ts';

export const stepRecord = z
  .object({
    step_id: z.string(),
    kind: z.string(),
    status: z.string(),
    ...eachFigure(STEP_FIGURES, () => z.number()),
    started_at: z.string(),
    ended_at: z.string(),
    duration_ms: z.number(),
    attempts: z.number().int(),
    error: z.string().nullable(),
    cursor: z
      .object({
        from: z.unknown().describe('Null: from the beginning'),
        to: z.unknown().describe('Null: it found no rows'),
      })
      .nullable()
      .describe('The cursor range read by an extract'),
    schema_changes: z
      .array(
        z.object({
          object: z.string(),
          column: z.string(),
          from: z.string().nullable().describe('Null: the load created the column or its table'),
          to: z.string(),
          on_change: z
            .enum(SCHEMA_CHANGE_FOLLOW_UPS)
            .optional()
            .describe('What `schema.on_change` of the load asked for; absent for `continue`'),
        }),
      )
      .describe(
        'Columns of its target that a load has changed, with their types as the target declares them',
      ),
    losses: z
      .array(
        z.object({
          object: z.string(),
          column: z.string().nullable().describe('Null: `count` is of rows'),
          count: z.number().int(),
        }),
      )
      .describe(
        'What the target of a load does not have: values that lost digits, characters or a time of day, by column, and rows that the target dropped, such as by a trigger',
      ),
    verification: verificationRecord
      .nullable()
      .describe('What a comparison of a source and its target has found; null for other steps'),
  })
  .meta({ id: 'RunStep' });

/** A step as the API shows it. */
export function toStep({
  cursor_json,
  schema_changes_json,
  losses_json,
  verification_json,
  ...row
}: Awaited<ReturnType<typeof selectSteps>>[number]) {
  return {
    ...row,
    cursor: cursor_json === null ? null : (JSON.parse(cursor_json) as CursorSpan),
    schema_changes: schema_changes_json === null ? [] : (JSON.parse(schema_changes_json) as SchemaChange[]),
    losses: losses_json === null ? [] : (JSON.parse(losses_json) as Loss[]),
    verification: verification_json === null ? null : (JSON.parse(verification_json) as Verification),
    started_at: timestamp(row.started_at),
    ended_at: timestamp(row.ended_at),
    duration_ms: spanMs(row.started_at, row.ended_at) ?? 0,
    error: row.error === '' ? null : row.error,
  };
}
