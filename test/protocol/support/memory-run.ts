import { randomHex } from '../../../src/base/ids.ts';
import type { PartsAsk } from '../../../src/base/run-parts.ts';
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
  readonly partsAsks: PartsAsk[];
}

/** A run in the queue, with this specification. */
export function newRun(run_id: number, spec: Partial<RunSpec>): MemoryRun {
  return {
    spec: {
      task_name: 'load',
      task_version: 1,
      yaml: 'steps: []',
      args: {},
      args_template: null,
      when_expr: '',
      job_config: {},
      connectors: {},
      run: { id: run_id },
      timeout_ms: 0,
      metrics: [],
      secrets: [],
      replay: null,
      tasks: {},
      keeps_parts: true,
      foreach: null,
      help: null,
      ...spec,
    },
    lease: { run_id, attempt: 1, epoch: 0, token: randomHex(8) },
    holder: null,
    status: 'queued',
    completion: null,
    cancel: null,
    lines: [],
    metrics: new Map(),
    progress: [],
    checkpoints: new Map(),
    deadLetters: [],
    replayRows: [],
    partsAsks: [],
  };
}
