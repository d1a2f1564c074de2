import { type Problem, validationError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { nextTime, nextTimes } from '../../language/cron/next-times.ts';
import { type CronSchedule, parseCron } from '../../language/cron/parse-cron.ts';
import { previousTime } from '../../language/cron/previous-time.ts';
import { findZone } from '../../language/cron/zone.ts';
import { parseDuration } from '../../language/yaml/duration.ts';

/** Times within the last minute count as on time anyway. */
const CATCHUP_WINDOW_MIN_MS = 60_000;
/** Hex digits of a digest that a number holds exactly. */
const FRACTION_HEX_DIGITS = 12;

/** Times are scheduled from `start_at`, inclusive, to `end_at`, exclusive, in milliseconds since 1970; null: unbounded. */
export interface Bounds {
  readonly start_at: number | null;
  readonly end_at: number | null;
}

export interface Schedule extends Bounds {
  readonly cron: CronSchedule;
  readonly timezone: string;
}

export const UNBOUNDED: Bounds = { start_at: null, end_at: null };

/** The schedule of a cron expression in a zone; `VALIDATION_ERROR` with every problem at once. */
export function requireSchedule(
  cron: string,
  timezone: string,
  { start_at, end_at }: Bounds = UNBOUNDED,
): Schedule {
  const problems: Problem[] = [];
  const parsed = parseCron(cron);
  if (!parsed.ok) problems.push({ path: 'cron', message: parsed.problem });
  if (findZone(timezone) === null) {
    const message = `There is no time zone "${timezone}"; use a name such as "Europe/Berlin"`;
    problems.push({ path: 'timezone', message });
  }
  if (start_at !== null && end_at !== null && start_at >= end_at)
    problems.push({ path: 'end_at', message: '"end_at" must be later than "start_at"' });
  if (!parsed.ok || problems.length > 0) throw validationError(problems);
  return { cron: parsed.cron, timezone, start_at, end_at };
}

/** At most `count` scheduled times after `after`, ascending. */
export function nextScheduledTimes(schedule: Schedule, after: number, count: number): number[] {
  const { cron, timezone, start_at, end_at } = schedule;
  const from = start_at === null ? after : Math.max(after, start_at - 1);
  const times = nextTimes(cron, timezone, from, count);
  const end = end_at === null ? -1 : times.findIndex((time) => time >= end_at);
  return end < 0 ? times : times.slice(0, end);
}

/** The first scheduled time after `after`; null if there is none. */
export function nextScheduled(schedule: Schedule, after: number): number | null {
  return nextScheduledTimes(schedule, after, 1)[0] ?? null;
}

/** The last scheduled time at or before `at`; null if there is none within nine years. */
export function lastScheduled({ cron, timezone, start_at, end_at }: Schedule, at: number): number | null {
  const last = previousTime(cron, timezone, end_at === null ? at + 1 : Math.min(at + 1, end_at));
  return last === null || (start_at !== null && last < start_at) ? null : last;
}

/** The jitter of a trigger. */
export interface Jitter {
  readonly id: number;
  readonly jitter_seconds: number;
}

/**
 * The delay of a run after its scheduled time `at`, in whole milliseconds. Deterministic, so that every control plane agrees;
 * less than the time to the schedule's next one (`next`, null: none), so that runs stay in order.
 */
export function startDelay({ id, jitter_seconds }: Jitter, at: number, next: number | null): number {
  const jitterMs = jitter_seconds * 1_000;
  const room = next === null ? jitterMs : Math.min(jitterMs, next - at);
  if (room <= 0) return 0;
  const fraction =
    Number.parseInt(sha256(`${id}/${at}`).slice(0, FRACTION_HEX_DIGITS), 16) / 16 ** FRACTION_HEX_DIGITS;
  return Math.floor(fraction * room);
}

/** `startDelay` if the next time is not known yet. Bounds do not matter: the last time has as much room as any other. */
export function delayOf({ cron, timezone }: Schedule, jitter: Jitter, at: number): number {
  return jitter.jitter_seconds === 0 ? 0 : startDelay(jitter, at, nextTime(cron, timezone, at));
}

/** A catch-up window (`6h`) in milliseconds; null if it is not one. */
export function catchupWindowMs(text: string): number | null {
  const ms = parseDuration(text);
  return ms === null || ms < CATCHUP_WINDOW_MIN_MS ? null : ms;
}
