import type { LogLevel } from '../../base/run-report.ts';

export type SourceLog = (level: LogLevel, message: string) => void;

/** How far a source that says itself what is new was read: JSON that means something to it alone. */
export interface SourceState {
  /** What `onState` was told by an earlier run whose rows were all loaded; null: none yet. */
  readonly saved: unknown;
  /** Told after the rows before it were given: the state once they are loaded, whole. */
  readonly onState: (state: unknown) => void;
}
