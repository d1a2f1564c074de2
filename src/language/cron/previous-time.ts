import { nextTime } from './next-times.ts';
import type { CronSchedule } from './parse-cron.ts';

/** The 29th of February may be eight years away. */
const LOOK_BACK_MAX_MS = 9 * 366 * 86_400_000;

/**
 * The last instant before `beforeMs` at which the schedule fires in the zone; null where there is none in nine years. Schedules
 * only tell their next times: it looks back as far as the next one is ahead, then twice as far, and halves the span that it found.
 */
export function previousTime(cron: CronSchedule, timezone: string, beforeMs: number): number | null {
  const ahead = nextTime(cron, timezone, beforeMs);
  const nextBefore = (from: number) => {
    const next = nextTime(cron, timezone, from);
    return next !== null && next < beforeMs ? next : null;
  };
  let span = (ahead === null ? 60_000 : ahead - beforeMs) + 1;
  let found = nextBefore(beforeMs - span);
  let none = beforeMs;
  while (found === null) {
    if (span > LOOK_BACK_MAX_MS) return null;
    none = beforeMs - span;
    span *= 2;
    found = nextBefore(beforeMs - span);
  }
  for (;;) {
    const later = nextBefore(found);
    if (later === null) return found;
    const middle = Math.floor((found + none) / 2);
    const next = nextBefore(middle);
    if (next === null) none = middle;
    found = next ?? later;
  }
}
