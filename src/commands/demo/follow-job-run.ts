import { sleep } from '../../base/clock.ts';
import type { Client } from '../../client/create-client.ts';

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
  api: Client,
  jobId: number,
  onUpdate: (jobRun: JobRunRecord) => void,
  signal: AbortSignal,
): Promise<JobRunRecord> {
  const { id } = await api.POST('/api/jobs/{id}/runs', { params: { path: { id: jobId } }, body: {} });
  for (;;) {
    const record = await api.GET('/api/job-runs/{id}', { params: { path: { id } } });
    // A run of a job has a key; only one without a job has none.
    const runs = record.runs.map((run) => ({ ...run, task_key: run.task_key ?? run.task_name }));
    const jobRun: JobRunRecord = { ...record, runs };
    onUpdate(jobRun);
    if (!isActive(jobRun.status)) return jobRun;
    await sleep(POLL_MS, signal);
    signal.throwIfAborted();
  }
}
