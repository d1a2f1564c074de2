import { z } from 'zod';
import {
  eachFigure,
  LOG_LEVEL_NAMES,
  METRIC_TAGS_MAX,
  METRIC_TEXT_CHARS_MAX,
  ROW_COUNTS,
  RUN_END_STATUSES,
} from '../../base/run-report.ts';
import { fromOne, lease, outcome, whole } from '../executors/executor-schemas.ts';
import { connectorUses } from './connector-use-schema.ts';
import { addedFigures, stepResult } from './step-result-schema.ts';

/** JSON of the executor contract (`protocol/control-plane.ts`), the parts about runs. */

const at = whole.describe('Milliseconds since 1970');

export const leaseBody = z.strictObject({ lease });

export const progressBody = z.strictObject({
  lease,
  step_id: z.string(),
  rows_in: whole,
  rows_out: whole,
  rows_failed: whole,
  rows_per_second: z.number(),
  ratio: z.number().describe('0 to 1 where the total is known, else -1'),
});

export const completionBody = z.strictObject({
  lease,
  status: z.enum(RUN_END_STATUSES),
  reason: z.string(),
  failure: z.strictObject({ code: z.string(), message: z.string(), step_id: z.string() }).nullable(),
  ...eachFigure(ROW_COUNTS, () => whole),
  ...addedFigures,
  last_log_seq: whole.describe('The log is complete once this is acknowledged'),
  steps: z.array(stepResult).max(10_000),
  retryable: z.boolean(),
  args: z
    .record(z.string(), z.unknown())
    .nullable()
    .default(null)
    .describe('What the task received, with defaults; null if it is not known'),
  outputs: z.unknown().optional(),
  connectors: connectorUses,
});

/** Documented here and checked by `protocol/wire/log-frame.ts`, which decodes a batch where it is stored. */
export const logBody = z
  .strictObject({
    lease,
    first_seq: fromOne,
    lines: z
      .array(
        z.strictObject({
          at,
          level: z.enum(LOG_LEVEL_NAMES),
          step_id: z.string().optional().describe('Empty for the task itself'),
          message: z.string(),
          fields: z.record(z.string(), z.unknown()).nullable().optional(),
        }),
      )
      .min(1)
      .describe('The first has first_seq, each following one is one higher'),
  })
  .meta({ id: 'LogBatch' });

export const logAck = z
  .object({
    run_id: fromOne,
    attempt: fromOne,
    outcome,
    acked_seq: whole.describe('Everything up to here is durable'),
    resend_from: whole.describe('Above 0 where the batch began after a gap'),
    window_bytes: whole.describe('Maximum size of the next batch'),
  })
  .meta({
    id: 'LogAck',
    examples: [
      {
        run_id: 7,
        attempt: 1,
        outcome: 'ACCEPTED',
        acked_seq: 120,
        resend_from: 0,
        window_bytes: 1_048_576,
      },
    ],
  });

export const deadLetterBody = z.strictObject({
  lease,
  first_seq: fromOne,
  items: z
    .array(
      z.strictObject({
        step_id: z.string(),
        item: z.unknown().optional(),
        code: z.string(),
        message: z.string(),
        replay_of: whole.optional().describe('In a replay, the dead letter that the row comes from'),
        origin: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('Where the row came from: `file`, `line`, `record`, `key`, `cursor`, as far as known'),
        column: z.string().optional().describe('The column that did not fit'),
        value: z.unknown().optional().describe('Its value'),
        task: z.string().optional().describe('The step’s task, if run by a `run_task` step'),
      }),
    )
    .describe('The first has first_seq, each following one is one higher'),
});
export const deadLetterAck = z.object({ outcome, acked_seq: whole });

export const saveCheckpointBody = z.strictObject({
  lease,
  name: z.string(),
  value: z.unknown().optional(),
  expected_version: whole.describe('Of the value it replaces; 0 if nothing was saved'),
});
export const checkpointQuery = z.strictObject({ name: z.string() });

const refused = z.object({ outcome: outcome.exclude(['ACCEPTED']) });
const accepted = z.literal('ACCEPTED');
export const savedAnswer = z.union([
  z.object({ outcome: accepted, value: z.object({ version: whole, stored: z.boolean() }) }),
  refused,
]);
export const checkpointAnswer = z.union([
  z.object({ outcome: accepted, value: z.object({ value: z.unknown(), version: whole }) }),
  refused,
]);

const values = z.record(z.string(), z.unknown());
const runSpec = z.object({
  task_name: z.string(),
  task_version: whole,
  yaml: z.string(),
  args: values,
  args_template: z.unknown().describe('Templates that the executor renders; null if there are none'),
  when_expr: z.string().describe('Empty if there is none'),
  job_config: values,
  connectors: z.record(
    z.string(),
    z.object({ id: whole, name: z.string(), type: z.string(), config: z.unknown() }),
  ),
  run: values,
  timeout_ms: whole.describe('0 for none'),
  metrics: z.array(
    z.object({
      backend: z.string(),
      config: values,
      own: z
        .object({ task_id: fromOne.nullable(), tags: z.record(z.string(), z.string()).optional() })
        .optional()
        .describe('A backend of the task’s own, written to by the executor'),
    }),
  ),
  secrets: z.array(z.string()).describe('Values to redact in the run'),
  replay: z
    .object({ step_id: z.string(), letters: fromOne })
    .nullable()
    .describe(
      'Set if dead letters are replayed: they go to this step again, and only the steps after it run',
    ),
  tasks: z.record(z.string(), z.string()).describe('YAML of the tasks that `run_task` steps run, by name'),
  foreach: z
    .object({ items_expr: z.string(), concurrency: fromOne })
    .nullable()
    .describe(
      'Set if the task runs once for each item of the list that `items_expr` gives; `args_template` then reads `item` and `index`',
    ),
  keeps_parts: z.boolean().describe('Whether the run may offer parts of a partitioned extract'),
  help: z
    .object({ run_id: fromOne, attempt: fromOne, step_id: z.string(), order: z.unknown() })
    .nullable()
    .describe('Set if the run only works on parts of another run'),
});

const partsMax = 1_000;
const endedPart = {
  number: fromOne,
  take: fromOne.describe('As it was given; an older take counts for nothing'),
  rows: whole.describe('Rows in the stage of the target'),
  error: z.string().describe('Why it is not staged; empty if it is'),
};
export const partsBody = z.strictObject({
  lease,
  step_id: z.string(),
  holding: z.array(fromOne).max(partsMax).describe('The parts the run works on now; it has lost all others'),
  offer: z
    .strictObject({
      digest: z.string().max(200).describe('Equal for equal plans'),
      labels: z
        .array(z.string())
        .min(1)
        .max(partsMax)
        .describe('The condition of each part; parts are numbered from 1 in this order'),
      helpers: whole.describe('Maximum other slots to work on them'),
      order: z.unknown().describe('What these need in addition to the specification'),
    })
    .nullable()
    .describe('For the partitioning run, before it takes any: withdraws the offers of an earlier attempt'),
  ended: z.strictObject({ ...endedPart, steps: z.array(stepResult).max(partsMax) }).nullable(),
  wants: z.boolean().describe('It could work on one more'),
});
const partsReply = z.object({
  part: z
    .object({ number: fromOne, take: fromOne })
    .nullable()
    .describe('The part to work on; null: none now, retry later'),
  left: whole.describe('Parts that are not staged yet'),
  is_closed: z.boolean().describe('Nothing left to do'),
  others: z
    .array(z.object({ ...endedPart, steps: z.array(stepResult) }))
    .describe('For the partitioning run, once none is left: those staged by others'),
});
export const partsAnswer = z.union([z.object({ outcome: accepted, value: partsReply }), refused]);
export const replayRowsQuery = z.strictObject({
  after: z.coerce.number().int().min(0).default(0).describe('The dead letter of the last row received'),
});
const replayRows = z.object({ rows: z.array(z.object({ letter_id: fromOne, item: z.unknown() })) });
export const replayRowsAnswer = z.union([z.object({ outcome: accepted, value: replayRows }), refused]);
export const runSpecAnswer = z.union([z.object({ outcome: accepted, value: runSpec }), refused]);

const metricText = z.string().max(METRIC_TEXT_CHARS_MAX);
const measured = {
  name: metricText.min(1),
  kind: z.enum(['counter', 'gauge', 'timing']),
  value: z.number(),
  tags: z
    .record(metricText, metricText)
    .refine((tags) => Object.keys(tags).length <= METRIC_TAGS_MAX, `Give at most ${METRIC_TAGS_MAX} tags`)
    .describe(`At most ${METRIC_TAGS_MAX}`),
  at,
};
const POINTS_MAX = 10_000;

export const metricBatch = z
  .strictObject({ lease, batch_seq: fromOne, metrics: z.array(z.strictObject(measured)) })
  .describe('What one run measured; a repeated batch counts once');

export const metricPoints = z
  .strictObject({
    points: z
      .array(
        z.strictObject({
          run_id: fromOne,
          attempt: fromOne,
          batch_seq: fromOne,
          index: whole.describe('Its position in the batch'),
          task_id: fromOne.nullable(),
          task_name: metricText,
          ...measured,
        }),
      )
      .max(POINTS_MAX),
  })
  .describe('What the metrics backend `http` posts; needs no session. A repeated point counts once');

export const metricAck = z
  .object({ run_id: fromOne, attempt: fromOne, outcome, batch_seq: fromOne })
  .meta({ examples: [{ run_id: 7, attempt: 1, outcome: 'ACCEPTED', batch_seq: 4 }] });
export const pointsAck = z.object({ stored: whole.describe('Number of stored points') });
