import type { CronSchedule } from './parse-cron.ts';
import { findZone, wallTime, type Zone } from './zone.ts';

const HOUR_MS = 3_600_000;
/** No clock has been set back by more since 1970. */
const SET_BACK_MAX_MS = 4 * HOUR_MS;
/** `nextTimes` gives at most this many. */
const TIMES_MAX = 1_000;

/**
 * The next instant after `afterMs` (milliseconds since 1970) at which the schedule fires in the zone; null where there is none.
 *
 * Where the clock is set forward, a time that it skips fires once, at the first instant after the gap; several such times
 * are one. Where it is set back, a time that comes twice fires the first time only. A schedule of every hour follows real
 * hours instead: it fires on both passes, and skipped times are gone with their hour (an hour that lost only its beginning
 * fires at the end of the gap). Throws `RangeError` for a zone that does not exist; `findZone` asks.
 */
export function nextTime(cron: CronSchedule, timezone: string, afterMs: number): number | null {
  return nextInZone(cron, zoneOf(timezone), afterMs);
}

/** The next `count` (at most 1,000) instants, in ascending order. */
export function nextTimes(cron: CronSchedule, timezone: string, afterMs: number, count: number): number[] {
  const zone = zoneOf(timezone);
  const times: number[] = [];
  let last: number | null = afterMs;
  while (times.length < Math.min(count, TIMES_MAX)) {
    last = nextInZone(cron, zone, last);
    if (last === null) break;
    times.push(last);
  }
  return times;
}

function zoneOf(timezone: string): Zone {
  const zone = findZone(timezone);
  if (zone === null)
    throw new RangeError(`There is no time zone "${timezone}"; use a name such as "Europe/Berlin"`);
  return zone;
}

function nextInZone(cron: CronSchedule, zone: Zone, afterMs: number): number | null {
  const offset = zone.offsetAt(afterMs);
  // When the clock is about to be set back, wall times that have passed come again.
  const setBack = Math.max(0, offset - zone.offsetAt(afterMs + SET_BACK_MAX_MS));
  const afterWall = afterMs + offset;
  let best = Number.POSITIVE_INFINITY;
  let wall = cron.nextWall(afterWall - setBack);
  while (wall !== null) {
    const next = firingsOf(cron, zone, wall).find((instant) => instant > afterMs);
    if (next !== undefined) best = Math.min(best, next);
    // Beyond the present wall time firings only ascend, so the first is the next.
    if (next !== undefined && wall > afterWall) break;
    wall = cron.nextWall(wall);
  }
  return best === Number.POSITIVE_INFINITY ? null : best;
}

/** The instants at which a matching wall time fires. */
function firingsOf(cron: CronSchedule, zone: Zone, wall: number): readonly number[] {
  const time = wallTime(zone, wall);
  if (time.kind === 'exists') return cron.everyHour ? time.instants : time.instants.slice(0, 1);
  if (!cron.everyHour) return [time.end];

  const endWall = time.end + zone.offsetAt(time.end);
  const hourOf = (at: number) => Math.floor(at / HOUR_MS);
  const rest = cron.nextWall(endWall - 1);
  const hourGoesOn = hourOf(wall) === hourOf(endWall) && (rest === null || hourOf(rest) !== hourOf(endWall));
  return hourGoesOn ? [time.end] : [];
}
