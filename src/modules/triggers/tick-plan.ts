import { setImmediate as nextTurn } from 'node:timers/promises';
import { nextTime, nextTimes } from '../../language/cron/next-times.ts';
import type { Catchup, Schedule } from './trigger.ts';

/**
 * A time that is reached at most this late is on time; later, it was missed. As long as Quartz's misfire threshold:
 * https://www.quartz-scheduler.org/documentation/quartz-2.3.0/configuration/ConfigRAMJobStore.html.
 */
export const LATE_MAX_MS = 60_000;
/** `catchup: all` makes up for this many of the newest missed times; those before them are counted as missed. */
export const CATCHUP_RUNS_MAX = 100;
/** Missed times are counted one by one up to here, a day of every minute; then the older part of the gap is passed over. */
export const MISSED_COUNT_MAX = 1_500;

const TIMES_PER_TURN_MAX = 64;

/** What to do with a trigger that is due. */
export interface TickPlan {
  /** The scheduled time to fire for now; null where all that is due was missed and is not made up for. */
  readonly fire: number | null;
  /** How many times are given up by this. */
  readonly missed: number;
  /** The time to handle after this one: it may have passed already, then the trigger stays due. Null where none comes. */
  readonly next: number | null;
  /** The first time after now, for a trigger that lets everything pass. */
  readonly future: number | null;
}

/**
 * Decides what a trigger does whose next time `first` has come. Pure but for giving way to other work: a cron expression costs
 * tens of microseconds for each time that has passed.
 */
export async function planTick(
  schedule: Schedule,
  catchup: Catchup,
  first: number,
  now: number,
): Promise<TickPlan> {
  const { newest, count, future } = await dueTimes(schedule, first, now);
  const onTime = newest.filter((time) => time >= now - LATE_MAX_MS);
  const last = newest.slice(-1);
  const wanted = { none: onTime, latest: onTime.length > 0 ? onTime : last, all: newest }[catchup];
  const missed = count - wanted.length;
  return { fire: wanted[0] ?? null, missed, next: wanted[1] ?? future, future };
}

interface DueTimes {
  /** At most `CATCHUP_RUNS_MAX`, ascending, all at or before now. */
  readonly newest: readonly number[];
  readonly count: number;
  readonly future: number | null;
}

async function dueTimes({ cron, timezone }: Schedule, first: number, now: number): Promise<DueTimes> {
  const newest = [first];
  let [count, last, size] = [1, first, 1];
  let passedOver = false;
  while (count < MISSED_COUNT_MAX || !passedOver) {
    const times = nextTimes(cron, timezone, last, size);
    for (const time of times) {
      if (time > now) return { newest, count, future: time };
      newest.push(time);
      if (newest.length > CATCHUP_RUNS_MAX) newest.shift();
      [count, last] = [count + 1, time];
    }
    if (times.length < size) return { newest, count, future: null };
    if (count >= MISSED_COUNT_MAX && !passedOver) {
      const averageGapMs = (last - first) / count;
      last = Math.max(last, now - Math.ceil(CATCHUP_RUNS_MAX * averageGapMs));
      count = MISSED_COUNT_MAX - CATCHUP_RUNS_MAX;
      passedOver = true;
    }
    size = Math.min(size * 2, TIMES_PER_TURN_MAX);
    await nextTurn();
  }
  return { newest, count, future: nextTime(cron, timezone, now) };
}
