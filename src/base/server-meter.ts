/** What the server counts about itself. The first label set of a name decides its labels. */
export type ServerCounter =
  | 'log_lines'
  | 'log_bytes'
  | 'log_lines_dropped'
  | 'metric_points'
  | 'metric_points_dropped'
  | 'runs_claimed'
  | 'runs_retried'
  | 'leases_expired'
  | 'executors_lost'
  | 'assignments_expired'
  | 'triggers_fired'
  | 'job_runs_late'
  | 'webhooks_delivered'
  | 'webhook_attempts_failed'
  | 'webhooks_given_up';

/** Durations, in seconds. */
export type ServerHistogram =
  /** From when a run may be claimed until an executor has its lease. */
  | 'claim_latency'
  /** From the arrival of a log frame until its commit. */
  | 'log_ingest_lag'
  | 'log_commit'
  /** From the arrival of a metric batch until the backends have it. */
  | 'metric_ingest_lag'
  /** From a trigger's scheduled time, with its own delay, until its job run is there. */
  | 'trigger_lateness';

/** Where rooms tell what they do; shown at `GET /metrics`. Calls never throw and cost next to nothing. */
export interface ServerMeter {
  count(name: ServerCounter, by?: number): void;
  observe(name: ServerHistogram, seconds: number): void;
}

export const silentMeter: ServerMeter = { count: () => undefined, observe: () => undefined };
