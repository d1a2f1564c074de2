import { Counter, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import { RUN_END_STATUSES, type RunEndStatus } from '../base/run-report.ts';

/** From a twentieth of a second to half a day: runs differ that much. */
const DURATIONS = [0.05, 0.25, 1, 5, 30, 120, 600, 3_600, 43_200];
/** Beyond the limit, a newcomer takes the place of what has not run for so long. */
const FORGET_AFTER_MS = 86_400_000;
const FLOWS = ['in', 'out', 'failed'] as const;

/** What of a run's end is counted, and under which names; a run without a job has none of its own. */
export interface MeasuredEnd {
  readonly status: RunEndStatus;
  readonly job: string;
  readonly template: string;
  readonly task: string;
  /** From the start of its first attempt; null if it never started. */
  readonly seconds: number | null;
  readonly rows: Readonly<Record<(typeof FLOWS)[number], number>>;
}

type Owner = Pick<MeasuredEnd, 'job' | 'template' | 'task'>;
const OWNER = ['job', 'template', 'task'] as const;
const OTHER: Owner = { job: 'other', template: 'other', task: 'other' };

export interface RunMeterOptions {
  /** The most combinations of job, template and task that are told apart; the rest is `other`. */
  readonly seriesMax: number;
  readonly clock: Clock;
}

/** The figures of ended runs by whose they are: bounded in number, however many jobs come and go. */
export class RunMeter {
  readonly #options: RunMeterOptions;
  /** Those with series of their own, by their names, with when they last counted; the longest silent first. */
  readonly #owners = new Map<string, { readonly owner: Owner; readonly at: number }>();
  readonly #completed: Counter;
  readonly #durations: Histogram;
  readonly #rows: Counter;

  constructor(registry: Registry, options: RunMeterOptions) {
    this.#options = options;
    const registers = [registry];
    this.#completed = new Counter({
      name: 'headgate_runs_completed_total',
      help: 'Runs that ended, by how: success, warning, error, cancelled or skipped. Runs of nodes that were skipped without a start do not count.',
      labelNames: ['status', ...OWNER],
      registers,
    });
    this.#durations = new Histogram({
      name: 'headgate_run_duration_seconds',
      help: 'Duration of runs that ended, from the start of the first attempt, retries and the waits between them included.',
      labelNames: ['status', ...OWNER],
      buckets: DURATIONS,
      registers,
    });
    this.#rows = new Counter({
      name: 'headgate_run_rows_total',
      help: 'Rows of the last attempts of runs that ended: in, out, or failed.',
      labelNames: ['flow', ...OWNER],
      registers,
    });
  }

  ended({ status, seconds, rows, job, template, task }: MeasuredEnd): void {
    const owner = this.#known({ job, template, task });
    this.#completed.inc({ status, ...owner });
    if (seconds !== null) this.#durations.observe({ status, ...owner }, Math.max(0, seconds));
    for (const flow of FLOWS) this.#rows.inc({ flow, ...owner }, Math.max(0, rows[flow]));
  }

  #known(owner: Owner): Owner {
    const key = JSON.stringify([owner.job, owner.template, owner.task]);
    const at = this.#options.clock.now();
    const isNew = !this.#owners.delete(key);
    if (isNew && this.#owners.size >= this.#options.seriesMax && !this.#forgetSilent(at)) return OTHER;
    this.#owners.set(key, { owner, at });
    return owner;
  }

  /** Whether there is a place again. */
  #forgetSilent(now: number): boolean {
    const [oldest] = this.#owners;
    if (oldest === undefined || now - oldest[1].at < FORGET_AFTER_MS) return false;
    const [key, { owner }] = oldest;
    this.#owners.delete(key);
    for (const status of RUN_END_STATUSES) {
      this.#completed.remove({ status, ...owner });
      this.#durations.remove({ status, ...owner });
    }
    for (const flow of FLOWS) this.#rows.remove({ flow, ...owner });
    return true;
  }
}
