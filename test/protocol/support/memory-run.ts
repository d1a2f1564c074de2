import type { DeadLetter } from '../../../src/base/run-report.ts';
import type {
  Cancel,
  Checkpoint,
  Completion,
  Lease,
  LogLine,
  MetricBatch,
  Progress,
  ReplayRows,
  RunSpec,
} from '../../../src/protocol/control-plane.ts';

/** A run as the control plane holds it; `epoch` and `token` are its newest lease's. */
export interface MemoryRun {
  readonly spec: RunSpec;
  lease: Lease;
  holder: number | null;
  status: 'queued' | 'assigned' | 'running' | 'ended';
  completion: Completion | null;
  cancel: Cancel | null;
  readonly lines: LogLine[];
  readonly metrics: Map<number, MetricBatch>;
  readonly progress: Progress[];
  readonly checkpoints: Map<string, Checkpoint>;
  readonly deadLetters: DeadLetter[];
  readonly replayRows: ReplayRows['rows'][number][];
}
