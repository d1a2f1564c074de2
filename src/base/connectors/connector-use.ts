/** What used a connector: a run, or a test of the connection. */
export const CONNECTOR_USE_SOURCES = ['run', 'test'] as const;
export type ConnectorUseSource = (typeof CONNECTOR_USE_SOURCES)[number];

export interface ConnectorUseError {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The fault of the driver, such as `UNAVAILABLE` or `AUTH`; `TIMEOUT` where it did not answer in time. */
  readonly code: string;
  readonly message: string;
}

/** Calls of one saved connector: of a run, or of a test. Times are milliseconds since 1970. */
export interface ConnectorUse {
  readonly connector_id: number;
  readonly calls: number;
  readonly errors: number;
  /** Time spent in its calls. */
  readonly ms: number;
  /** Of the last call that was answered; 0 for none. */
  readonly last_success_at: number;
  /** Of the first call since then that could not reach it, or was refused its credentials; 0 for none. */
  readonly unreachable_since: number;
  readonly last_error: ConnectorUseError | null;
}

/** Whether an error of this code says that the connector cannot be used at all. */
export function isUnreachable(code: string): boolean {
  return code === 'UNAVAILABLE' || code === 'AUTH' || code === 'TIMEOUT';
}

/** Its whole numbers from 0. */
export const USE_FIGURES = [
  'connector_id',
  'calls',
  'errors',
  'ms',
  'last_success_at',
  'unreachable_since',
] as const satisfies readonly (keyof ConnectorUse)[];

/** Of one run; more are not reported. */
export const CONNECTOR_USES_MAX = 1_000;

/** Two records of the same connector as one, whichever comes first. */
export function joinedUse(one: ConnectorUse, other: ConnectorUse): ConnectorUse {
  const last_success_at = Math.max(one.last_success_at, other.last_success_at);
  const since = [one.unreachable_since, other.unreachable_since].filter(
    (at) => at > 0 && at >= last_success_at,
  );
  return {
    connector_id: one.connector_id,
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    ms: one.ms + other.ms,
    last_success_at,
    unreachable_since: since.length === 0 ? 0 : Math.min(...since),
    last_error: laterError(one.last_error, other.last_error),
  };
}

function laterError(one: ConnectorUseError | null, other: ConnectorUseError | null) {
  if (one === null || other === null) return one ?? other;
  return other.at >= one.at ? other : one;
}
