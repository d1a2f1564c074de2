import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';

const id = z.number().int();
const time = z.string();

const jobRunEnd = z.object({
  job_run_id: id,
  job_id: id,
  job_name: z.string(),
  trigger_id: id.nullable(),
  status: z.enum(['success', 'warning', 'error']),
  reason: z.string().describe('Why it was started, or why it ended'),
  scheduled_for: time.nullable(),
  ended_at: time,
});
const ended = jobRunEnd.meta({ id: 'JobRunEnd' });

const failing = jobRunEnd
  .extend({ since: time.describe('When the first failing job run ended') })
  .meta({ id: 'JobFailing' });

const recovered = failing
  .extend({
    first_failed_job_run_id: id,
    failed_job_runs: z.number().int().describe('The number of failed job runs in between'),
  })
  .meta({ id: 'JobRecovered' });

const triggerPaused = z
  .object({
    trigger_id: id,
    job_id: id,
    job_name: z.string(),
    trigger_name: z.string(),
    reason: z.string().describe('`failures` or `schema_change`'),
    consecutive_failures: z.number().int(),
    job_run_id: id.describe('The last failed job run; for `schema_change` the one that changed its target'),
  })
  .meta({ id: 'TriggerPaused' });

const late = z
  .object({
    trigger_id: id.nullable().describe('Null only for `sla`: of a job run that no trigger started'),
    trigger_name: z.string().nullable(),
    job_id: id,
    job_name: z.string(),
    due_at: time.describe(
      'When the run was due, or when it was put into the queue; for `sla`, when it should have succeeded',
    ),
    job_run_id: id.nullable().describe('The job run; null if the trigger has not fired'),
    reason: z
      .enum(['not_fired', 'not_started', 'sla'])
      .describe(
        '`not_fired`: no run was made; `not_started`: it waits in the queue; `sla`: it has not succeeded within the `sla` of its template',
      ),
  })
  .meta({ id: 'JobLate' });

const deadLetters = z
  .object({
    job_id: id,
    job_name: z.string(),
    open: z.number().int().describe('Open dead letters of the job'),
    over: z.number().int().describe('dead_letters_over of the receiver'),
  })
  .meta({ id: 'DeadLettersExceeded' });

const executorLost = z
  .object({ executor_id: id, executor_name: z.string(), last_seen_at: time })
  .meta({ id: 'ExecutorLost' });

const schemaChanged = z
  .object({
    run_id: id,
    job_run_id: id,
    job_id: id,
    job_name: z.string(),
    task_key: z.string(),
    changes: z
      .array(
        z.object({
          object: z.string(),
          column: z.string(),
          from: z.string().nullable().describe('Null for an added column'),
          to: z.string(),
        }),
      )
      .describe('The columns of targets that the run has added or given a wider type'),
  })
  .meta({ id: 'SchemaChanged' });

const test = z.object({ webhook_id: id }).meta({ id: 'WebhookTest' });

/** The data of each kind of event, kept thin: receivers read more by its ids. */
const EVENT_DATA = {
  'job_run.succeeded': ended,
  'job_run.failed': ended,
  'run.failing': failing,
  'run.recovered': recovered,
  'trigger.paused': triggerPaused,
  'job.late': late,
  'dead_letters.exceeded': deadLetters,
  'executor.lost': executorLost,
  'schema.changed': schemaChanged,
  'webhook.test': test,
} as const;

export type WebhookEventKind = keyof typeof EVENT_DATA;

/** One event, as passed to its emitter. */
export type WebhookEvent = {
  readonly [K in WebhookEventKind]: { readonly type: K; readonly data: z.infer<(typeof EVENT_DATA)[K]> };
}[WebhookEventKind];

const KINDS = Object.keys(EVENT_DATA) as WebhookEventKind[];

/** Kinds that a webhook can subscribe to. `webhook.test` is sent on request, to any webhook. */
export const SUBSCRIBED_KINDS = KINDS.filter((kind) => kind !== 'webhook.test') as Exclude<
  WebhookEventKind,
  'webhook.test'
>[];

export const eventKind = z
  .enum(KINDS as [WebhookEventKind, ...WebhookEventKind[]])
  .describe(
    'job_run.succeeded and job_run.failed: every end of a job run that was not cancelled; warnings count as success. ' +
      'run.failing: the first failure of a job since its last success, once. run.recovered: the first success after it. ' +
      'trigger.paused: a trigger was disabled because its runs failed too often in a row, or because a load with on_change: pause_trigger changed its target. ' +
      'schema.changed: a load with on_change: notify added columns to its target or gave them wider types. ' +
      'job.late: a trigger has not fired in time, or its run waits in the queue; or a job run has not succeeded within the sla ' +
      'of its template, once for each such run. dead_letters.exceeded: a job has more open ' +
      'dead letters than dead_letters_over. executor.lost: an executor fell silent. Otherwise each of the last three is sent once, until it ends',
  );

function payloadOf<K extends WebhookEventKind>(kind: K, name: string) {
  return z
    .object({
      type: z.literal(kind),
      timestamp: time.describe('When it happened'),
      data: EVENT_DATA[kind],
    })
    .meta({ id: name });
}

/** The body of a message. Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md. */
export const eventPayload = z
  .discriminatedUnion('type', [
    payloadOf('job_run.succeeded', 'JobRunSucceededEvent'),
    payloadOf('job_run.failed', 'JobRunFailedEvent'),
    payloadOf('run.failing', 'JobFailingEvent'),
    payloadOf('run.recovered', 'JobRecoveredEvent'),
    payloadOf('trigger.paused', 'TriggerPausedEvent'),
    payloadOf('job.late', 'JobLateEvent'),
    payloadOf('dead_letters.exceeded', 'DeadLettersExceededEvent'),
    payloadOf('executor.lost', 'ExecutorLostEvent'),
    payloadOf('schema.changed', 'SchemaChangedEvent'),
    payloadOf('webhook.test', 'WebhookTestEvent'),
  ])
  .meta({ id: 'WebhookPayload' });

export type WebhookPayload = z.infer<typeof eventPayload>;

/** The body of an event, exactly as signed and sent. */
export function bodyOf(event: WebhookEvent, now: number): string {
  return JSON.stringify({ type: event.type, timestamp: timestamp(now), data: event.data });
}
