import { previousTime } from '../../language/cron/previous-time.ts';
import { planTick, type TickPlan } from './tick-plan.ts';
import { type Catchup, requireSchedule, type TriggerRow } from './trigger.ts';

/** What one pass asks of cron expressions. Many triggers have the same one, and an answer costs a tenth of a millisecond. */
export class Schedules {
  readonly #now: number;
  readonly #plans = new Map<string, Promise<TickPlan>>();
  readonly #previous = new Map<string, number | null>();

  constructor(now: number) {
    this.#now = now;
  }

  plan(row: TriggerRow): Promise<TickPlan> {
    const first = row.next_run_at ?? this.#now;
    const key = `${row.cron}\n${row.timezone}\n${row.catchup}\n${first}`;
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const schedule = requireSchedule(row.cron, row.timezone);
    const plan = planTick(schedule, row.catchup as Catchup, first, this.#now);
    this.#plans.set(key, plan);
    return plan;
  }

  /** The scheduled time before `at`. */
  previous(row: Pick<TriggerRow, 'cron' | 'timezone'>, at: number): number | null {
    const key = `${row.cron}\n${row.timezone}\n${at}`;
    const known = this.#previous.get(key);
    if (known !== undefined) return known;
    const { cron, timezone } = requireSchedule(row.cron, row.timezone);
    const previous = previousTime(cron, timezone, at);
    this.#previous.set(key, previous);
    return previous;
  }
}
