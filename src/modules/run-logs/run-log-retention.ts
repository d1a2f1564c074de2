const DAY_MS = 86_400_000;

/** Which lines are too old, or too many. */
export interface LogRetention {
  /** Lines whose attempt was last heard of before this time, by the store's clock; 0 keeps all. */
  readonly before: number;
  /** Of all logs together, as `lineBytes` counts; the oldest go first. 0: no bound. */
  readonly bytesMax: number;
}

export interface LogRetentionSettings {
  /** Days that a log is kept after its last line; 0: for good. */
  readonly log_days: number;
  /** Bytes of all logs together; 0: no bound. */
  readonly log_bytes: number;
}

export function logRetentionOf(settings: LogRetentionSettings, now: number): LogRetention {
  return {
    before: settings.log_days === 0 ? 0 : now - settings.log_days * DAY_MS,
    bytesMax: settings.log_bytes,
  };
}
