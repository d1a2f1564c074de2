/** One measurement, with the place in its run's reports that makes it the same when it is sent again. */
export interface MetricPoint {
  readonly run_id: number;
  readonly attempt: number;
  readonly batch_seq: number;
  /** Its position in the batch, from 0. */
  readonly index: number;
  /** null for a run without a stored task. */
  readonly task_id: number | null;
  readonly task_name: string;
  /** Such as `task.duration_ms`; `measurements.ts` has the names that every run reports. */
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'timing';
  /** Finite. */
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The same points; tags of their own win. */
export function withTags(
  points: readonly MetricPoint[],
  tags: Readonly<Record<string, string>>,
): MetricPoint[] {
  return points.map((point) => ({ ...point, tags: { ...tags, ...point.tags } }));
}

/**
 * Where measurements go. Opened by whoever stores them: the control plane for its own backends, an executor for those that a
 * task names itself.
 */
export interface MetricsBackend {
  /** Whether what was written is kept for certain. Only such a backend is waited for; the others never reject. */
  readonly durable: boolean;
  /**
   * Durable: settles once the points are kept; rejects where none of them were, and the same call may be made again. Else: settles
   * at once, whatever becomes of the points. Points that were written before change nothing.
   */
  write(points: readonly MetricPoint[]): Promise<void>;
  /** What is stored; null for a backend that only passes points on. */
  readonly stored: StoredMetrics | null;
  close(): Promise<void>;
}

/** Answers from a backend that keeps its points. A run counts once, by the result of its newest attempt. */
export interface StoredMetrics {
  /** One entry per UTC day with a result at or after `since` (milliseconds since 1970), in order. */
  daily(taskId: number, since: number): Promise<DailyResult[]>;
  summary(taskId: number, since: number): Promise<TaskSummary>;
  /** At most `limit` points, in the order of their reports. */
  run(runId: number, limit: number): Promise<RunMetrics>;
  /** Removes all that is known of these runs, at most some hundreds. */
  removeRuns(runIds: readonly number[]): Promise<void>;
}

export interface DailyResult {
  /** `2026-01-15` */
  readonly day: string;
  /** Runs that ended `success` or `warning`. */
  readonly success: number;
  readonly error: number;
  /** Over the runs that are counted in `success` and `error`. */
  readonly avg_duration_ms: number;
  readonly total_items: number;
}

export interface TaskSummary {
  readonly totals: {
    readonly runs: number;
    readonly success: number;
    readonly warning: number;
    readonly error: number;
    readonly cancelled: number;
    readonly skipped: number;
    readonly items: number;
  };
  /** Milliseconds over all runs; null where there is none. Percentiles by nearest rank. */
  readonly durations: {
    readonly avg: number | null;
    readonly p50: number | null;
    readonly p95: number | null;
    readonly max: number | null;
  };
  readonly steps: readonly StepSummary[];
  readonly connectors: readonly ConnectorSummary[];
}

/** Sums over the attempts of a step; durations in milliseconds. */
export interface StepSummary {
  readonly step: string;
  readonly kind: string;
  readonly executions: number;
  readonly avg_duration_ms: number;
  readonly max_duration_ms: number;
  /** Time per item that came in; null where none did. */
  readonly avg_item_duration_ms: number | null;
  /** Of the time per item; over several runs the mean of each run's, weighted by items. null where it was not measured. */
  readonly item_p50_ms: number | null;
  readonly item_p95_ms: number | null;
  readonly item_max_ms: number | null;
  /** Most connector calls at one time; 0 where none was measured. */
  readonly in_flight_max: number;
  readonly rows_in: number;
  readonly rows_out: number;
  readonly errors: number;
  readonly skipped: number;
}

export interface ConnectorSummary {
  readonly connector: string;
  readonly type: string;
  readonly calls: number;
  readonly duration_ms: number;
  /** null where there was no call. */
  readonly avg_call_ms: number | null;
  readonly errors: number;
}

export interface RunMetrics {
  /** null until the run has reported its end. */
  readonly result: {
    readonly attempt: number;
    readonly status: string;
    readonly duration_ms: number;
    readonly items: number;
  } | null;
  readonly steps: readonly StepSummary[];
  readonly connectors: readonly ConnectorSummary[];
  readonly points: readonly Pick<MetricPoint, 'attempt' | 'name' | 'kind' | 'value' | 'tags' | 'at'>[];
}
