import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AppError, validationError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/ids.ts';
import { canonicalJson } from '../../../base/json.ts';
import { previousTime } from '../../../language/cron/previous-time.ts';
import { nextScheduledTimes, type Schedule } from '../trigger-schedule.ts';
import {
  BACKFILL_TIMES_MAX,
  type BackfillOrder,
  isGoingOn,
  isWanted,
  NO_OUTCOME,
  PENDING,
  type Reprocess,
  type TimeOutcome,
} from './backfill.ts';

const TIMES_PER_TURN_MAX = 64;

/** A caller's request; times in milliseconds since 1970. */
export interface BackfillRequest {
  /** First scheduled time, inclusive. */
  readonly from: number;
  /** Exclusive; not in the future. */
  readonly to: number;
  readonly reprocess: Reprocess;
  readonly order: BackfillOrder;
  readonly max_active: number;
  readonly config_override: Readonly<Record<string, unknown>> | null;
}

/** A time of the schedule, with the previous one. */
export interface ScheduledTime {
  readonly at: number;
  readonly before: number | null;
}

export interface PlannedTime extends ScheduledTime, TimeOutcome {}

/** Exactly what would be submitted. `id` changes with any of it. */
export interface BackfillPlan {
  readonly id: string;
  /** In the order of their starts. */
  readonly times: readonly PlannedTime[];
  readonly warnings: readonly string[];
}

/** Every scheduled time within the bounds and those of the trigger; `VALIDATION_ERROR` for wrong bounds or too many times. */
export async function timesBetween(
  schedule: Schedule,
  { from, to }: Pick<BackfillRequest, 'from' | 'to'>,
  now: number,
): Promise<readonly ScheduledTime[]> {
  if (from >= to) throw validationError([{ path: 'to', message: '"to" must be later than "from"' }]);
  if (to > now)
    throw validationError([
      { path: 'to', message: '"to" must not be in the future: the trigger will run those times itself' },
    ]);
  const { cron, timezone } = schedule;
  const times: ScheduledTime[] = [];
  let last = from - 1;
  let before: number | null = null;
  for (;;) {
    const next = nextScheduledTimes(schedule, last, TIMES_PER_TURN_MAX);
    for (const at of next) {
      if (at >= to) return times;
      if (times.length === 0) before = previousTime(cron, timezone, at);
      if (times.length >= BACKFILL_TIMES_MAX) throw tooMany();
      times.push({ at, before });
      before = at;
    }
    if (next.length < TIMES_PER_TURN_MAX) return times;
    last = next.at(-1) ?? to;
    await nextTurn();
  }
}

function tooMany(): AppError {
  const message = `There are more than ${BACKFILL_TIMES_MAX} scheduled times from "from" to "to": choose a shorter range`;
  return validationError([{ path: 'from', message }]);
}

/** The times that the trigger itself will handle: those from its `next_run_at` on. */
export function withPending(
  times: readonly ScheduledTime[],
  outcomes: ReadonlyMap<number, TimeOutcome>,
  nextRunAt: number | null,
): ReadonlyMap<number, TimeOutcome> {
  if (nextRunAt === null) return outcomes;
  const own = times.filter(({ at }) => at >= nextRunAt && !outcomes.has(at));
  return new Map([...outcomes, ...own.map(({ at }) => [at, PENDING] as const)]);
}

/** Chooses the times of a backfill. Pure: the same request over the same state has the same id. `subject`: what else the id holds. */
export function planOf(
  request: BackfillRequest,
  times: readonly ScheduledTime[],
  outcomes: ReadonlyMap<number, TimeOutcome>,
  subject: Readonly<Record<string, unknown>>,
): BackfillPlan {
  const found = times.map((time) => ({ ...time, ...(outcomes.get(time.at) ?? NO_OUTCOME) }));
  const wanted = found.filter((time) => isWanted(request.reprocess, time));
  if (request.order === 'newest_first') wanted.reverse();
  const going = found.filter(isGoingOn).length;
  const warnings: string[] = [];
  if (going > 0)
    warnings.push(
      `${going} of the times ${going === 1 ? 'is' : 'are'} running, or will be run by the trigger or ` +
        'another backfill: left out',
    );
  const id = sha256(canonicalJson({ ...request, ...subject, times: wanted.map((time) => time.at) }));
  return { id: id.slice(0, 32), times: wanted, warnings };
}
