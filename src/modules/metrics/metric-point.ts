import { z } from 'zod';

export const METRIC_POINTS_MAX = 10_000;

const text = z.string().max(200);
const whole = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** One measurement posted by another Headgate or an executor; the wire form of `MetricPoint`. */
export const metricPointSchema = z.strictObject({
  run_id: whole.positive(),
  attempt: whole.positive().max(2 ** 31 - 1),
  batch_seq: whole.positive(),
  index: whole.max(METRIC_POINTS_MAX),
  task_id: whole.positive().nullable(),
  task_name: text,
  name: z.string().min(1).max(200),
  kind: z.enum(['counter', 'gauge', 'timing']),
  value: z.number(),
  tags: z.record(text, text).refine((tags) => Object.keys(tags).length <= 32, 'has more than 32 tags'),
  at: whole,
});
