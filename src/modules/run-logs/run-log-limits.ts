const MIB = 1_048_576;

/** What one run may log. */
export interface LogLimits {
  /** Kept of a run, all attempts together, as `lineBytes` counts; beyond it lines are counted and not kept. */
  readonly runBytesMax: number;
  /** Taken of one run, steadily. */
  readonly bytesPerSecond: number;
  /** Taken of one run at once, after it was silent. */
  readonly burstBytes: number;
}

export const LOG_LIMITS: LogLimits = {
  runBytesMax: 256 * MIB,
  bytesPerSecond: 16 * MIB,
  burstBytes: 32 * MIB,
};

/** The largest window: what an executor may send of a run before the next acknowledgement. */
export const LOG_WINDOW_BYTES_MAX = 8 * MIB;
