import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../base/clock.ts';
import { type Problem, validationError } from '../../base/errors.ts';
import { type CronSchedule, parseCron } from '../../language/cron/parse-cron.ts';
import { findZone } from '../../language/cron/zone.ts';
import type { Schema } from '../../store/schema.ts';

export type TriggerRow = Selectable<Schema['triggers']>;

/** What becomes of a time that comes while a run of the job, whoever started it, is going on. */
export const OVERLAPS = ['skip', 'queue_one', 'queue_all', 'cancel_running', 'allow'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** What becomes of times that passed while no control plane was there. */
export const CATCHUPS = ['none', 'latest', 'all'] as const;
export type Catchup = (typeof CATCHUPS)[number];

/**
 * What became of a scheduled time: `waiting` for the job to be idle, and then `started` or `skipped`; `failed` where the job
 * could not be started.
 */
export type TickOutcome = 'started' | 'waiting' | 'skipped' | 'failed';

export interface TriggerSettings {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly overlap: Overlap;
  readonly catchup: Catchup;
}

export interface Schedule {
  readonly cron: CronSchedule;
  readonly timezone: string;
}

/** The schedule of a cron expression in a zone; `VALIDATION_ERROR` with every problem at once. */
export function requireSchedule(cron: string, timezone: string): Schedule {
  const problems: Problem[] = [];
  const parsed = parseCron(cron);
  if (!parsed.ok) problems.push({ path: 'cron', message: parsed.problem });
  if (findZone(timezone) === null) {
    const message = `There is no time zone "${timezone}"; use a name such as "Europe/Berlin"`;
    problems.push({ path: 'timezone', message });
  }
  if (!parsed.ok || problems.length > 0) throw validationError(problems);
  return { cron: parsed.cron, timezone };
}

/** The trigger as the API gives it. */
export function toTrigger(row: TriggerRow) {
  return {
    id: row.id,
    job_id: row.job_id,
    name: row.name,
    cron: row.cron,
    timezone: row.timezone,
    enabled: row.enabled === 1,
    overlap: row.overlap as Overlap,
    catchup: row.catchup as Catchup,
    next_run_at: timestampOrNull(row.next_run_at),
    last_fired_at: timestampOrNull(row.last_fired_at),
    last_run_id: row.last_run_id,
    missed_count: row.missed_count,
    skipped_count: row.skipped_count,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
