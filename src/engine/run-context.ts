import type { Clock } from '../base/clock.ts';
import type { ConnectContext, Driver } from '../drivers/driver.ts';

/** What a run depends on; the same for all runs of a process, except the signal. */
export interface RunContext {
  readonly drivers: { get(type: string): Driver | undefined };
  readonly connectContext: ConnectContext;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** First interval between two progress reports, default 10 s. Longer runs report less often. */
  readonly gaugesEveryMs?: number;
  /** Aborts to cancel the run: nothing more is pulled, open loads are abandoned, and the run ends `cancelled`. */
  readonly signal: AbortSignal;
}
