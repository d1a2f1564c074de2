import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catchup } from '../trigger.ts';
import { lastScheduled, nextScheduledTimes, type Schedule } from '../trigger-schedule.ts';

/**
 * A time handled at most this late is on time; later, it was missed. The same as Quartz's misfire threshold:
 * https://www.quartz-scheduler.org/documentation/quartz-2.3.0/configuration/ConfigRAMJobStore.html.
 */
export const LATE_MAX_MS = 60_000;
/** `catchup: all` catches up on this many of the newest missed times; earlier ones are counted as missed. */
export const CATCHUP_RUNS_MAX = 100;
/** Missed times are counted one by one up to here, a day of every minute; then the older part of the gap is passed over. */
export const MISSED_COUNT_MAX = 1_500;

const TIMES_PER_TURN_MAX = 64;

export interface CatchupRules {
  readonly catchup: Catchup;
  /** Times missed longer ago are never caught up on; null: whatever their age. */
  readonly windowMs: number | null;
  /** When the run of a scheduled time is to start: at it or later, and before the next one. */
  readonly startsAt: (at: number) => number;
}

/** The decision about a due trigger. */
export interface TickPlan {
  /** The scheduled time to fire now; null if all due times were missed and are not caught up on. */
  readonly fire: number | null;
  /** The number of times skipped by this. */
  readonly missed: number;
  /** The time to handle after this one: if it has already passed, the trigger stays due. Null if there is none. */
  readonly next: number | null;
  /** The first time that is not due yet, for a trigger that skips everything else. */
  readonly future: number | null;
}

/**
 * Decides what a trigger does when its next time `first` is due. Pure, except that it yields to other work: a cron expression
 * costs tens of microseconds for each time that has passed.
 */
export async function planTick(
  schedule: Schedule,
  { catchup, windowMs, startsAt }: CatchupRules,
  first: number,
  now: number,
): Promise<TickPlan> {
  const { newest, count, future } = await dueTimes(schedule, startsAt, first, now);
  let onTimeFrom = newest.length;
  for (const time of newest.toReversed()) {
    if (startsAt(time) < now - LATE_MAX_MS) break;
    onTimeFrom -= 1;
  }
  const onTime = newest.slice(onTimeFrom);
  const late = newest.slice(0, onTimeFrom).filter((time) => windowMs === null || time >= now - windowMs);
  const latest = onTime.length > 0 ? onTime : late.slice(-1);
  const wanted = { none: onTime, latest, all: [...late, ...onTime] }[catchup];
  const missed = count - wanted.length;
  return { fire: wanted[0] ?? null, missed, next: wanted[1] ?? future, future };
}

interface DueTimes {
  /** At most `CATCHUP_RUNS_MAX`, ascending, all to be started by now. */
  readonly newest: readonly number[];
  readonly count: number;
  readonly future: number | null;
}

async function dueTimes(
  schedule: Schedule,
  startsAt: CatchupRules['startsAt'],
  first: number,
  now: number,
): Promise<DueTimes> {
  const { newest, count, future } = await passedTimes(schedule, first, now);
  const last = newest.at(-1);
  // Each starts before the next is scheduled, so only the last can have to wait.
  if (last === undefined || startsAt(last) <= now) return { newest, count, future };
  return { newest: newest.slice(0, -1), count: count - 1, future: last };
}

/** All times scheduled from `first` to now. */
async function passedTimes(schedule: Schedule, first: number, now: number): Promise<DueTimes> {
  let newest = [first];
  let [count, last, size] = [1, first, 1];
  let passedOver = false;
  for (;;) {
    const times = nextScheduledTimes(schedule, last, size);
    for (const time of times) {
      if (time > now) return { newest, count, future: time };
      newest.push(time);
      if (newest.length > CATCHUP_RUNS_MAX) newest.shift();
      [count, last] = [Math.min(count + 1, MISSED_COUNT_MAX), time];
    }
    if (times.length < size) return { newest, count, future: null };
    if (count >= MISSED_COUNT_MAX && !passedOver) {
      passedOver = true;
      const averageGapMs = (last - first) / count;
      const end = lastScheduled(schedule, now) ?? last;
      const from = end - Math.ceil(CATCHUP_RUNS_MAX * averageGapMs);
      if (from > last) [newest, count, last] = [[], MISSED_COUNT_MAX - CATCHUP_RUNS_MAX, from];
    }
    size = Math.min(size * 2, TIMES_PER_TURN_MAX);
    await nextTurn();
  }
}
