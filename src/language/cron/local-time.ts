import type { CronSchedule } from './parse-cron.ts';
import { findZone, wallTime } from './zone.ts';

const MINUTE_MS = 60_000;

/**
 * What the clock did to a scheduled time. `moved`: it skips the time that the schedule names, and this is the first instant
 * after the gap. `repeated`: its digits come twice on that day.
 */
export type ClockChange = 'moved' | 'repeated';

export interface LocalTime {
  /** RFC 3339 with the zone's offset at that instant: `2026-03-29T03:00:00+02:00`. */
  readonly text: string;
  readonly change: ClockChange | null;
}

/** A time of a schedule (milliseconds since 1970) as the clocks of its zone show it; null for a zone that does not exist. */
export function localTime(cron: CronSchedule, timezone: string, at: number): LocalTime | null {
  const zone = findZone(timezone);
  if (zone === null) return null;
  const offset = zone.offsetAt(at);
  const wall = at + offset;
  const sign = offset < 0 ? '-' : '+';
  const minutes = Math.floor(Math.abs(offset) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  const text = `${new Date(wall).toISOString().slice(0, 19)}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  if (cron.nextWall(wall - 1) !== wall) return { text, change: 'moved' };
  const there = wallTime(zone, wall);
  const isRepeated = there.kind === 'exists' && there.instants.length > 1;
  return { text, change: isRepeated ? 'repeated' : null };
}
