import { timestamp } from '../../base/clock.ts';
import { localTime } from '../../language/cron/local-time.ts';
import { nextTime } from '../../language/cron/next-times.ts';
import { nextScheduledTimes, type Schedule } from './trigger-schedule.ts';

const NOTES = {
  moved: 'The clock is set forward past this time: it comes once, at the first instant after',
  repeated: 'The clock is set back over this time: at a fixed hour it comes the first time only',
} as const;

/** The next `count` times of a schedule after `after`, as the API gives them. `jitterSeconds`: as of a trigger. */
export function previewTimes(schedule: Schedule, after: number, count: number, jitterSeconds: number) {
  const { cron, timezone } = schedule;
  return nextScheduledTimes(schedule, after, count).map((at) => {
    const next = jitterSeconds === 0 ? null : nextTime(cron, timezone, at);
    const roomMs = Math.min(jitterSeconds * 1_000, next === null ? Number.POSITIVE_INFINITY : next - at);
    const local = localTime(cron, timezone, at);
    const change = local?.change ?? null;
    return {
      at: timestamp(at),
      local: local?.text ?? timestamp(at),
      starts_by: timestamp(at + roomMs),
      note: change === null ? null : NOTES[change],
    };
  });
}
