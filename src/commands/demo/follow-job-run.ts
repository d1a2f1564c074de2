import { sleep } from '../../base/clock.ts';
import type { ApiClient } from '../api-client.ts';

const POLL_MS = 250;

/** The parts of a task's run that the demo shows. */
export interface TaskRunRecord {
  readonly id: number;
  readonly task_key: string;
  readonly status: string;
  readonly started_at: string | null;
  readonly duration_ms: number | null;
  readonly items: { readonly in: number; readonly out: number; readonly failed: number };
  readonly error: { readonly code: string; readonly message: string; readonly step: string | null } | null;
  readonly progress: {
    readonly step_id: string;
    readonly rows_in: number;
    readonly rows_out: number;
    readonly rows_per_second: number;
  } | null;
}

export interface JobRunRecord {
  readonly id: number;
  readonly status: string;
  readonly duration_ms: number | null;
  readonly runs: readonly TaskRunRecord[];
}

const ACTIVE: readonly string[] = ['queued', 'running', 'cancelling'];

export function isActive(status: string): boolean {
  return ACTIVE.includes(status);
}

/** Starts the job and tells `onUpdate` how it goes, four times a second, until it has ended. */
export async function followJobRun(
  api: ApiClient,
  jobId: number,
  onUpdate: (jobRun: JobRunRecord) => void,
  signal: AbortSignal,
): Promise<JobRunRecord> {
  const { id } = await api.post<{ id: number }>(`/api/jobs/${jobId}/runs`, {});
  for (;;) {
    const jobRun = await api.get<JobRunRecord>(`/api/job-runs/${id}`);
    onUpdate(jobRun);
    if (!isActive(jobRun.status)) return jobRun;
    await sleep(POLL_MS, signal);
    signal.throwIfAborted();
  }
}
