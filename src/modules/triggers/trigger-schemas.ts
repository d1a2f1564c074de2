import { z } from 'zod';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import { queryFlag } from '../../http/query-flag.ts';
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
        'paused: disabled by itself, see paused_reason; disabled: by hand; ended: enabled, but no time comes any more',
      ),
    next_run_at: z.string().nullable().describe('The next scheduled time'),
    next_start_at: z
      .string()
      .nullable()
      .describe('When its run starts: later than next_run_at by its jitter'),
    last_fired_at: z.string().nullable(),
    last_run_id: z.number().int().nullable().describe('The job run that was started last, also by hand'),
    last_status: z.enum(JOB_RUN_STATUSES).nullable().describe('Of that job run; null where it was deleted'),
    last_success_at: z
      .string()
      .nullable()
      .describe('When a scheduled run last ended well, also with warnings. Counted within a second or two'),
    consecutive_failures: z
      .number()
      .int()
      .describe(
        'Scheduled runs in a row that ended as error. Those started by hand, of backfills and reruns do not count, nor do ' +
          'cancelled ones; a success, also with warnings, and enabling it begin anew',
      ),
    paused_at: z.string().nullable(),
    paused_reason: z
      .enum(PAUSED_REASONS)
      .nullable()
      .describe('failures: as many in a row as pause_after_failures'),
    missed_count: z.number().int().describe('Times that passed while no server was there, and were given up'),
    skipped_count: z.number().int().describe('Times that came while the job was running, and were given up'),
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
const timezone = z.string().min(1).max(64).describe('A name of the IANA database; default UTC');
const timing = {
  jitter_seconds: z
    .int()
    .min(0)
    .max(JITTER_SECONDS_MAX)
    .optional()
    .describe(
      'Runs start up to so much later than scheduled, before the next time, so that not all start at once; how much is fixed ' +
        'for each trigger and time. scheduled_for stays the scheduled time. Default 0',
    ),
  start_at: bound
    .optional()
    .describe('No time before this one, which may be the first; null: no bound (default)')
    .meta({ examples: ['2026-01-15T00:00:00Z'] }),
  end_at: bound
    .optional()
    .describe('No time at or after this one; null: no bound (default)')
    .meta({ examples: ['2030-12-31T00:00:00Z'] }),
};
const settings = {
  name: z.string().trim().min(1).max(200).optional().describe('Default: the cron expression'),
  timezone: timezone.optional(),
  enabled: z.boolean().optional().describe('Default true'),
  overlap: z
    .enum(OVERLAPS)
    .optional()
    .describe(
      'While a run of the job is going on: skip the time (default), queue_one or queue_all of them, cancel_running ' +
        '(what goes on is cancelled, reason overlap, and the newest time starts after it), or allow one more run',
    ),
  catchup: z
    .enum(CATCHUPS)
    .optional()
    .describe('Of times missed while no server was there: run none (default), the latest, or all'),
  catchup_window: z
    .string()
    .max(20)
    .refine((text) => catchupWindowMs(text) !== null, {
      error: 'Write a duration of at least a minute, such as "30m", "6h" or "2d"',
    })
    .nullable()
    .optional()
    .describe(
      'A duration such as "6h": times missed longer ago are never made up for; null: whatever their age (default)',
    )
    .meta({ examples: ['6h'] }),
  ...timing,
  pause_after_failures: z
    .int()
    .min(1)
    .max(FAILURES_MAX)
    .nullable()
    .optional()
    .describe('Disable it after so many scheduled runs in a row that ended as error; null: never (default)'),
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
          local: z.string().describe('The same in the time zone, with its offset'),
          starts_by: z.string().describe('Its run starts between then and this'),
          note: z.string().nullable().describe('Where the clock is set forward or back over it'),
        }),
      )
      .describe('The same times in full'),
  })
  .meta({ id: 'TriggerPreview' });

export const triggerListQuery = pageQuery.extend({
  sort: definitionSort,
  job_id: z.coerce.number().int().optional(),
  enabled: queryFlag.optional(),
  state: z.enum(TRIGGER_STATES).optional().describe('Those in this state'),
});
