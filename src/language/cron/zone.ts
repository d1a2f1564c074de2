import { LRUCache } from 'lru-cache';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
/** Hours whose offset a zone remembers. */
const HOURS_MAX = 2_000;

/** Making the format of a zone takes a hundred times as long as using it. */
const known = new LRUCache<string, Zone>({ max: 100 });

/**
 * A time zone of the IANA database: instants to wall-clock times and back. A wall time is milliseconds too, those of the same
 * digits in UTC.
 */
export interface Zone {
  readonly name: string;
  /** Wall time minus instant, in milliseconds. */
  offsetAt(instant: number): number;
}

/** What a wall time means: one instant, two (the clock was set back), or none (it was set forward past it). */
export type WallTime =
  | { readonly kind: 'exists'; readonly instants: readonly number[] }
  /** `end` is the first instant after the gap. */
  | { readonly kind: 'gap'; readonly end: number };

/** The zone of a name such as `Europe/Berlin` or `UTC`; null for a name that is none. Offsets such as `+02:00` are none. */
export function findZone(name: string): Zone | null {
  const zone = known.get(name) ?? makeZone(name);
  if (zone !== null) known.set(name, zone);
  return zone;
}

function makeZone(name: string): Zone | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return null;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
  const look = (instant: number): number => {
    const second = Math.floor(instant / SECOND_MS) * SECOND_MS;
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, sec = 0] = format
      .format(second)
      .split(/\D+/)
      .map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, sec) - second;
  };
  return { name, offsetAt: withHours(look) };
}

/** Remembers whole hours in which the offset does not change; `look` gives it for one instant. */
function withHours(look: (instant: number) => number): (instant: number) => number {
  /** By hour; null where the offset changes within it. */
  const hours = new Map<number, number | null>();
  return (instant) => {
    const hour = Math.floor(instant / HOUR_MS);
    let offset = hours.get(hour);
    if (offset === undefined) {
      const first = look(hour * HOUR_MS);
      offset = first === look((hour + 1) * HOUR_MS - SECOND_MS) ? first : null;
      if (hours.size >= HOURS_MAX) hours.clear();
      hours.set(hour, offset);
    }
    return offset ?? look(instant);
  };
}

export function wallTime(zone: Zone, wall: number): WallTime {
  // Offsets stay within 14 hours, so a day on either side lies before and after every instant in question.
  const before = zone.offsetAt(wall - DAY_MS);
  const after = zone.offsetAt(wall + DAY_MS);
  const instants = [...new Set([wall - before, wall - after])]
    .filter((instant) => instant + zone.offsetAt(instant) === wall)
    .sort((a, b) => a - b);
  if (instants.length > 0) return { kind: 'exists', instants };
  return { kind: 'gap', end: transitionWithin(zone, wall - DAY_MS, wall + DAY_MS) };
}

/** The first instant, to the second, that has the offset of `to`; the offset changes once between `from` and `to`. */
function transitionWithin(zone: Zone, from: number, to: number): number {
  const goal = zone.offsetAt(to);
  let low = Math.floor(from / SECOND_MS);
  let high = Math.floor(to / SECOND_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle * SECOND_MS) === goal) high = middle;
    else low = middle;
  }
  return high * SECOND_MS;
}
