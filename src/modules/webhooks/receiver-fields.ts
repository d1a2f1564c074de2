import { z } from 'zod';
import { labelText } from '../definitions/label.ts';
import { SUBSCRIBED_KINDS } from './webhook-event.ts';

const IDS_MAX = 1_000;
const LABELS_MAX = 50;
const DEAD_LETTERS_MAX = 1_000_000_000;

const events = z
  .union([z.literal('*'), z.array(z.enum(SUBSCRIBED_KINDS)).min(1).max(SUBSCRIBED_KINDS.length)])
  .describe('The kinds of event, or "*" for all, including future ones');

const ids = z.array(z.int().positive()).min(1).max(IDS_MAX).nullable();
const jobIds = ids
  .describe(
    'Only events of these jobs, and of those of template_ids and labels; null in all three: of everything',
  )
  .meta({ examples: [null] });
const templateIds = ids.describe('Likewise, of the jobs of these job templates').meta({ examples: [null] });
const labels = z
  .array(labelText)
  .min(1)
  .max(LABELS_MAX)
  .nullable()
  .describe('Likewise, of jobs with any of these labels: `name:value`, or `name` whatever its value')
  .meta({ examples: [null] });
const deadLettersOver = z
  .int()
  .min(0)
  .max(DEAD_LETTERS_MAX)
  .describe('dead_letters.exceeded is sent when a job has more open dead letters than this. Default 0');

/** What a receiver wants, in bodies of requests. */
export const wantedInput = {
  events,
  job_ids: jobIds.optional(),
  template_ids: templateIds.optional(),
  labels: labels.optional(),
  dead_letters_over: deadLettersOver.optional(),
  description: z.string().max(2_000).nullable().optional(),
  enabled: z.boolean().optional().describe('Default true'),
};

/** What every receiver has, in answers. */
export const receiverRecord = {
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  events: z.union([z.literal('*'), z.array(z.enum(SUBSCRIBED_KINDS))]),
  job_ids: z.array(z.number().int()).nullable(),
  template_ids: z.array(z.number().int()).nullable(),
  labels: z.array(z.string()).nullable(),
  dead_letters_over: z.number().int(),
  enabled: z.boolean(),
  last_success_at: z.string().nullable(),
  last_failure_at: z.string().nullable(),
  consecutive_failures: z.number().int().describe('Failed attempts since the last success'),
  failing_since: z.string().nullable(),
  disabled_reason: z.string().nullable().describe('Why the server disabled it'),
  version: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  updated_by: z.string().nullable(),
};

/** The same, as examples show it. */
export const receiverExample = {
  id: 3,
  name: 'on call',
  description: null,
  events: ['run.failing', 'run.recovered'],
  job_ids: null,
  template_ids: null,
  labels: null,
  dead_letters_over: 0,
  enabled: true,
  last_success_at: '2026-01-15T01:00:03.512Z',
  last_failure_at: null,
  consecutive_failures: 0,
  failing_since: null,
  disabled_reason: null,
  version: 1,
  created_at: '2026-01-10T12:00:00.000Z',
  updated_at: '2026-01-10T12:00:00.000Z',
  updated_by: 'ada@example.com',
};
