import type { Clock } from '../base/clock.ts';
import type { ConnectContext, Driver } from '../drivers/driver.ts';

/** What a run stands on; the same for all runs of a process, but for the signal. */
export interface RunContext {
  readonly drivers: { get(type: string): Driver | undefined };
  readonly connectContext: ConnectContext;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Between two reports of how a run stands, at first; default 10 s. A longer run is told of more seldom. */
  readonly gaugesEveryMs?: number;
  /** Aborts to cancel the run: nothing more is pulled, open loads are abandoned, and the run ends `cancelled`. */
  readonly signal: AbortSignal;
}
