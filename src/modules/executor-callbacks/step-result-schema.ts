import { z } from 'zod';
import {
  eachFigure,
  LOSSES_MAX,
  RUN_END_STATUSES,
  SCHEMA_CHANGE_FOLLOW_UPS,
  SCHEMA_CHANGES_MAX,
  STEP_FIGURES,
} from '../../base/run-report.ts';
import { whole } from '../executors/executor-schemas.ts';
import { verificationRecord } from '../runs/verification/verification-record.ts';

/** Figures that executors of releases before do not send. */
export const addedFigures = { rows_filtered: whole.default(0), rows_deleted: whole.default(0) };
const at = whole.describe('Milliseconds since 1970');

export const stepResult = z.strictObject({
  step_id: z.string(),
  kind: z.string(),
  status: z.enum(RUN_END_STATUSES),
  ...eachFigure(STEP_FIGURES, () => whole),
  ...addedFigures,
  started_at: at,
  ended_at: at,
  error: z.string().describe('Empty if there is none'),
  cursor: z
    .strictObject({ from: z.unknown(), to: z.unknown() })
    .nullable()
    .default(null)
    .describe('What an extract with a cursor has read'),
  schema_changes: z
    .array(
      z.strictObject({
        object: z.string(),
        column: z.string(),
        from: z.string().nullable(),
        to: z.string(),
        on_change: z.enum(SCHEMA_CHANGE_FOLLOW_UPS).optional(),
      }),
    )
    .max(SCHEMA_CHANGES_MAX)
    .default([])
    .describe('Target columns changed by a load; `from` is null for created ones'),
  losses: z
    .array(z.strictObject({ object: z.string(), column: z.string().nullable(), count: whole }))
    .max(LOSSES_MAX)
    .optional()
    .describe('Values that lost something, by column; `column` is null for rows that the target dropped'),
  verification: verificationRecord.optional(),
});
