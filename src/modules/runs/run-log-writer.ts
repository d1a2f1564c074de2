import type { Clock } from '../../base/clock.ts';
import type { LogAck, LogFrame } from '../../protocol/control-plane.ts';
import type { Store } from '../../store/store.ts';
import { PooledLogWriter } from './pooled-log-writer.ts';
import { ThreadLogWriter } from './thread-log-writer.ts';

/** Appends log frames; each promise settles after the commit that holds its lines. */
export interface RunLogWriter {
  /** `VALIDATION_ERROR` for a frame that cannot be decoded, `NOT_READY` where the store fails or too much waits: send it again. */
  append(frame: LogFrame): Promise<LogAck>;
  /** Deletes the lines of a run that has been deleted. Best effort: `NOT_READY` where the store fails. */
  forget(runId: number): Promise<void>;
  close(): Promise<void>;
}

export function createRunLogWriter(store: Store, _clock?: Clock): RunLogWriter {
  if (store.bulkFiles !== null) return new ThreadLogWriter(store.bulkFiles);
  return new PooledLogWriter(store);
}
