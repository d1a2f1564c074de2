import { type ServerMeter, silentMeter } from '../../base/server-meter.ts';
import type { LogAck, LogFrame } from '../../protocol/control-plane.ts';
import type { Store } from '../../store/store.ts';
import { PooledLogWriter } from './postgres/run-log-pooled-writer.ts';
import { LOG_LIMITS, type LogLimits } from './run-log-limits.ts';
import type { LogRetention } from './run-log-retention.ts';
import { mayHaveDueLogs } from './run-log-store.ts';
import type { RunSecrets } from './run-secrets.ts';
import { ThreadLogWriter } from './sqlite/run-log-thread-writer.ts';

/** Appends log frames; each promise settles after the commit that holds its lines. */
export interface RunLogWriter {
  /**
   * `VALIDATION_ERROR` for a frame that cannot be decoded, `RATE_LIMITED` for a run that ignores its window, `NOT_READY` where
   * the store fails or too much waits: send it again.
   */
  append(frame: LogFrame): Promise<LogAck>;
  /** Deletes the lines of runs that have been deleted, in pieces. `NOT_READY` where the store fails: call it again. */
  forget(runIds: readonly number[]): Promise<void>;
  /** Deletes what is too old or too much, in pieces; resolves when it is gone. `NOT_READY` where the store fails. */
  prune(retention: LogRetention): Promise<void>;
  close(): Promise<void>;
}

export interface RunLogWriterDeps {
  /** What runs must not show. */
  readonly secrets: RunSecrets;
  readonly meter?: ServerMeter;
  readonly limits?: LogLimits;
}

export function createRunLogWriter(store: Store, deps: RunLogWriterDeps): RunLogWriter {
  const { secrets, meter = silentMeter, limits = LOG_LIMITS } = deps;
  if (store.bulkFiles !== null) {
    const mayBeDue = (retention: LogRetention) => mayHaveDueLogs(store.logs, retention);
    return new ThreadLogWriter({ ...store.bulkFiles, limits }, { secrets, meter, mayBeDue });
  }
  return new PooledLogWriter(store, { secrets, meter, limits });
}
