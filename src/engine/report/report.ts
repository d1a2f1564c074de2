/** The engine's own words for what it reports; the executor turns them into the contract's. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface RunFailure {
  readonly code: string;
  readonly message: string;
  /** Empty for the task itself. */
  readonly stepId: string;
}

export interface StepResult {
  readonly stepId: string;
  readonly kind: string;
  readonly status: 'success' | 'warning' | 'error' | 'skipped' | 'cancelled';
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly rowsFailed: number;
  readonly rowsSkipped: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attempts: number;
  readonly error: string;
}

export interface DeadLetter {
  readonly stepId: string;
  /** The row as the failing step saw it. */
  readonly item: unknown;
  readonly code: string;
  readonly message: string;
  /** In a replay, the dead letter that the row comes from; absent where that is not known. */
  readonly replayOf?: number;
}
