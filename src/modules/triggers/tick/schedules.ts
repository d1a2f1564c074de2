import { nextTime } from '../../../language/cron/next-times.ts';
import { previousTime } from '../../../language/cron/previous-time.ts';
import type { Catchup, TriggerRow } from '../trigger.ts';
import { catchupWindowMs, requireSchedule, type Schedule, startDelay } from '../trigger-schedule.ts';
import { planTick, type TickPlan } from './tick-plan.ts';

/** The cron times of one pass. Many triggers share an expression, and evaluating one costs a tenth of a millisecond. */
export class Schedules {
  readonly #now: number;
  readonly #known = new Map<string, Schedule>();
  readonly #plans = new Map<string, Promise<TickPlan>>();
  readonly #previous = new Map<string, number | null>();
  readonly #next = new Map<string, number | null>();

  constructor(now: number) {
    this.#now = now;
  }

  plan(row: TriggerRow): Promise<TickPlan> {
    const first = row.next_run_at ?? this.#now;
    const { catchup, catchup_window } = row;
    // With jitter each trigger has its own moments.
    const own = row.jitter_seconds === 0 ? '' : row.id;
    return remembered(this.#plans, [scheduleKey(row), catchup, catchup_window, first, own], () => {
      const windowMs = catchup_window === null ? null : catchupWindowMs(catchup_window);
      const startsAt = (at: number) => at + this.delay(row, at);
      const rules = { catchup: catchup as Catchup, windowMs, startsAt };
      return planTick(this.#schedule(row), rules, first, this.#now);
    });
  }

  /** The scheduled time preceding `at`. */
  previous(row: TriggerRow, at: number): number | null {
    return remembered(this.#previous, [row.cron, row.timezone, at], () =>
      previousTime(this.#schedule(row).cron, row.timezone, at),
    );
  }

  /** How long after its scheduled time `at` the trigger's run starts, in milliseconds. */
  delay(row: TriggerRow, at: number): number {
    if (row.jitter_seconds === 0) return 0;
    const next = remembered(this.#next, [row.cron, row.timezone, at], () =>
      nextTime(this.#schedule(row).cron, row.timezone, at),
    );
    return startDelay(row, at, next);
  }

  #schedule(row: TriggerRow): Schedule {
    return remembered(this.#known, [scheduleKey(row)], () => requireSchedule(row.cron, row.timezone, row));
  }
}

function scheduleKey({ cron, timezone, start_at, end_at }: TriggerRow): string {
  return [cron, timezone, start_at, end_at].join('\n');
}

function remembered<T>(known: Map<string, T>, parts: readonly unknown[], make: () => T): T {
  const key = parts.join('\n');
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found as T;
  const made = make();
  known.set(key, made);
  return made;
}
