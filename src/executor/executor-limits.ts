import { SQL_LIMITS } from '../drivers/duckdb/sql-limits.ts';

/** Every limit of the executor process; all must be above 0. Those of the control plane come with the registration. */
export interface ExecutorProcessLimits {
  /** Full jitter between attempts: 0 to a bound that doubles from `backoffMinMs` to `backoffMaxMs`. */
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** A session that is not attached after this long is given up. */
  readonly attachMs: number;
  /** A cancelled run is killed this long before its grace is over, so that its completion arrives in time. */
  readonly cancelMarginMs: number;
  /** Logs and metrics of an ended run are waited for this long before its completion is sent. */
  readonly handOverMs: number;
  /** Metrics among them for no longer than this: a backend that is away must not make runs slow. */
  readonly metricHandOverMs: number;
  /** The rest of a log is sent for this long after its completion was taken. */
  readonly lateLogsMs: number;
  /** Ended runs whose logs are still on their way; beyond it no new work is taken. */
  readonly flushingRunsMax: number;
  /** Heap of one runner. */
  readonly runnerHeapMbMax: number;
  /** Resident memory of one runner's process: its heap, and what drivers and the engine hold outside of it. */
  readonly runnerProcessMbMax: number;
  /** A runner is replaced after so many runs. */
  readonly runnerRunsMax: number;
  /** Idle runners beyond the one that is kept warm end after this long. */
  readonly runnerIdleMsMax: number;
  /** A runner must have read its task after this long. */
  readonly runnerPlanMsMax: number;
  /** A runner that is silent for this long counts as hung, whatever its run's own timeout. */
  readonly runnerSilenceMsMax: number;
  /** A runner is killed when its run has not ended this long after its timeout. */
  readonly timeoutMarginMs: number;
  /** Unacknowledged log of one run; see `LogSpool` for what happens beyond it. */
  readonly spoolBytesMax: number;
  /** How much of it is kept in memory; the rest is on disk. */
  readonly spoolMemoryBytesMax: number;
  /** A small log batch waits this long for more lines. */
  readonly logLingerMs: number;
  readonly metricBatchMax: number;
  readonly metricsHeldMax: number;
  readonly metricFlushMs: number;
}

const MB = 1024 * 1024;

export const EXECUTOR_PROCESS_LIMITS: ExecutorProcessLimits = Object.freeze({
  backoffMinMs: 200,
  backoffMaxMs: 5_000,
  attachMs: 10_000,
  cancelMarginMs: 500,
  handOverMs: 5_000,
  metricHandOverMs: 1_000,
  lateLogsMs: 5 * 60_000,
  flushingRunsMax: 32,
  runnerHeapMbMax: 512,
  runnerProcessMbMax: 1_024,
  runnerRunsMax: 50,
  runnerIdleMsMax: 30_000,
  runnerPlanMsMax: 60_000,
  runnerSilenceMsMax: 10 * 60_000,
  timeoutMarginMs: 5_000,
  spoolBytesMax: 64 * MB,
  spoolMemoryBytesMax: MB,
  logLingerMs: 20,
  metricBatchMax: 500,
  metricsHeldMax: 10_000,
  metricFlushMs: 5_000,
});

/** The limits of runners whose queries may use so much memory, in MB: what is beyond the usual is added to their process. */
export function withQueryMemory(
  limits: ExecutorProcessLimits,
  memoryMb = SQL_LIMITS.memoryMb,
): ExecutorProcessLimits {
  const more = Math.max(0, memoryMb - SQL_LIMITS.memoryMb);
  return { ...limits, runnerProcessMbMax: limits.runnerProcessMbMax + more };
}
