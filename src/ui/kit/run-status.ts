const endedStatuses = new Set([
  'success',
  'succeeded',
  'completed',
  'failed',
  'error',
  'cancelled',
  'canceled',
  'skipped',
  'timed_out',
  'lost',
]);

/** The part of a run that the page reads; everything but the status may be missing. */
export interface RunPayload {
  readonly id?: number | string | null;
  readonly status: string;
  readonly progress?: {
    readonly rows?: number | null;
    readonly rows_per_second?: number | null;
    readonly step?: string | null;
    readonly ratio?: number | null;
  } | null;
  readonly started_at?: string | null;
  readonly ended_at?: string | null;
  readonly items?: { readonly in?: number; readonly out?: number; readonly failed?: number } | null;
}

/** Whether a run can still change. */
export function isActiveRun(run: RunPayload | null | undefined): boolean {
  return !!run && !run.ended_at && !endedStatuses.has(run.status);
}
