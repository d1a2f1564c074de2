import type { Clock } from '../base/clock.ts';
import type { ConnectContext, Driver } from '../drivers/driver.ts';
import type { SqlLimits } from '../drivers/duckdb/sql-limits.ts';

/** What a run depends on; the same for all runs of a process, except the signal. */
export interface RunContext {
  readonly drivers: { get(type: string): Driver | undefined };
  readonly connectContext: ConnectContext;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** First interval between two progress reports, default 10 s. Longer runs report less often. */
  readonly gaugesEveryMs?: number;
  /** A folder of this run alone, made when a query first needs disk, and removed by whoever gave it; absent or null: none may be used. */
  readonly spillFolder?: string | null;
  /** Default: `SQL_LIMITS`, with what `connectContext.sql` says. */
  readonly sqlLimits?: SqlLimits;
  /** Aborts to cancel the run: nothing more is pulled, open loads are abandoned, and the run ends `cancelled`. */
  readonly signal: AbortSignal;
}
