import { z } from 'zod';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import { queryFlag } from '../../http/query-flag.ts';
import { nameField } from '../definitions/definition-fields.ts';
import { JOB_RUN_STATUSES } from '../job-runs/job-run.ts';
import { CATCHUPS, OVERLAPS, PAUSED_REASONS, TRIGGER_STATES } from './trigger.ts';
import { catchupWindowMs } from './trigger-schedule.ts';

const JITTER_SECONDS_MAX = 3_600;
const FAILURES_MAX = 100;
const PREVIEW_TIMES_MAX = 100;
const PREVIEW_TIMES_DEFAULT = 5;

const bound = z.iso.datetime({ offset: true }).nullable();

export const triggerRecord = z
  .object({
    id: z.number().int(),
    job_id: z.number().int(),
    name: z.string(),
    cron: z.string(),
    timezone: z.string(),
    enabled: z.boolean(),
    overlap: z.enum(OVERLAPS),
    catchup: z.enum(CATCHUPS),
    catchup_window: z.string().nullable(),
    jitter_seconds: z.number().int(),
    start_at: z.string().nullable(),
    end_at: z.string().nullable(),
    pause_after_failures: z.number().int().nullable(),
    state: z
      .enum(TRIGGER_STATES)
      .describe(
        'paused: disabled automatically, see paused_reason; disabled: manually; ended: enabled, but without further times',
      ),
    next_run_at: z.string().nullable().describe('The next scheduled time'),
    next_start_at: z.string().nullable().describe('When its run starts: next_run_at plus its jitter'),
    last_fired_at: z.string().nullable(),
    last_run_id: z.number().int().nullable().describe('The last started job run, including manual ones'),
    last_status: z
      .enum(JOB_RUN_STATUSES)
      .nullable()
      .describe('The status of that job run; null if it was deleted'),
    last_success_at: z
      .string()
      .nullable()
      .describe(
        'When a scheduled run last succeeded, possibly with warnings. Updated within a second or two',
      ),
    consecutive_failures: z
      .number()
      .int()
      .describe(
        'Scheduled runs in a row that failed. Manual runs, backfills and reruns do not count, nor do cancelled ' +
          'ones; a success, even with warnings, and enabling it reset the count',
      ),
    paused_at: z.string().nullable(),
    paused_reason: z
      .enum(PAUSED_REASONS)
      .nullable()
      .describe(
        'failures: pause_after_failures runs in a row failed; schema_change: a load with `on_change: pause_trigger` has changed the columns of its target',
      ),
    missed_count: z
      .number()
      .int()
      .describe('Scheduled times missed while no server was running, and skipped'),
    skipped_count: z
      .number()
      .int()
      .describe('Scheduled times reached while the job was running, and skipped'),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({
    id: 'Trigger',
    examples: [
      {
        id: 4,
        job_id: 2,
        name: 'every night',
        cron: '0 2 * * *',
        timezone: 'Europe/Berlin',
        enabled: true,
        overlap: 'skip',
        catchup: 'latest',
        catchup_window: '6h',
        jitter_seconds: 300,
        start_at: null,
        end_at: null,
        pause_after_failures: 5,
        state: 'active',
        next_run_at: '2026-01-16T01:00:00.000Z',
        next_start_at: '2026-01-16T01:03:41.207Z',
        last_fired_at: '2026-01-15T01:00:00.012Z',
        last_run_id: 31,
        last_status: 'success',
        last_success_at: '2026-01-15T01:04:10.481Z',
        consecutive_failures: 0,
        paused_at: null,
        paused_reason: null,
        missed_count: 0,
        skipped_count: 0,
        version: 1,
        created_at: '2026-01-10T12:00:00.000Z',
        updated_at: '2026-01-10T12:00:00.000Z',
      },
    ],
  });

const cron = z.string().min(1).max(200).describe('Five fields, or a nickname such as "@daily"');
const timezone = z.string().min(1).max(64).describe('An IANA time zone name; default UTC');
const timing = {
  jitter_seconds: z
    .int()
    .min(0)
    .max(JITTER_SECONDS_MAX)
    .optional()
    .describe(
      'The longest delay of a run after its scheduled time, so that not all start at once; the actual delay is fixed ' +
        'for each trigger and time, and ends before the next time. scheduled_for stays the scheduled time. Default 0',
    ),
  start_at: bound
    .optional()
    .describe('Inclusive start of the schedule; null: no bound (default)')
    .meta({ examples: ['2026-01-15T00:00:00Z'] }),
  end_at: bound
    .optional()
    .describe('Exclusive end of the schedule; null: no bound (default)')
    .meta({ examples: ['2030-12-31T00:00:00Z'] }),
};
const settings = {
  name: nameField.optional().describe('Default: the cron expression'),
  timezone: timezone.optional(),
  enabled: z.boolean().optional().describe('Default true'),
  overlap: z
    .enum(OVERLAPS)
    .optional()
    .describe(
      'While a run of the job is running: skip the time (default), queue_one or queue_all of them, cancel_running ' +
        '(it is cancelled, reason overlap, and the newest time starts after it), or allow one more run',
    ),
  catchup: z
    .enum(CATCHUPS)
    .optional()
    .describe(
      'Times missed while no server was running: run none (default), the latest, or all: the newest 100',
    ),
  catchup_window: z
    .string()
    .max(20)
    .refine((text) => catchupWindowMs(text) !== null, {
      error: 'Write a duration of at least a minute, such as "30m", "6h" or "2d"',
    })
    .nullable()
    .optional()
    .describe(
      'A duration such as "6h": times missed longer ago are never caught up on; null: whatever their age (default)',
    )
    .meta({ examples: ['6h'] }),
  ...timing,
  pause_after_failures: z
    .int()
    .min(1)
    .max(FAILURES_MAX)
    .nullable()
    .optional()
    .describe('Disable it after this many failed scheduled runs in a row; null: never (default)'),
};
export const triggerInput = z.strictObject({ cron, ...settings });
export const triggerChange = z.strictObject({ cron: cron.optional(), ...settings });

export const previewInput = z.strictObject({
  cron,
  timezone: timezone.default('UTC'),
  count: z.number().int().min(1).max(PREVIEW_TIMES_MAX).default(PREVIEW_TIMES_DEFAULT),
  after: z.iso.datetime({ offset: true }).optional().describe('Default: now'),
  ...timing,
});
export const triggerPreview = z
  .object({
    cron: z.string(),
    timezone: z.string(),
    times: z.array(z.string()),
    upcoming: z
      .array(
        z.object({
          at: z.string().describe('The scheduled time in UTC'),
          local: z.string().describe('The same time in the time zone, with its offset'),
          starts_by: z.string().describe('Its run starts no later than this'),
          note: z.string().nullable().describe('Set if the clock skips or repeats this time'),
        }),
      )
      .describe('The same times with details'),
  })
  .meta({ id: 'TriggerPreview' });

export const triggerListQuery = pageQuery.extend({
  sort: definitionSort,
  job_id: z.coerce.number().int().optional(),
  enabled: queryFlag.optional(),
  state: z.enum(TRIGGER_STATES).optional().describe('Only triggers in this state'),
});
