import type { Logger } from '../../base/logger.ts';
import type { ServerMeter } from '../../base/server-meter.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import {
  closeSla,
  type DueJobRun,
  hasRerunSucceeded,
  lockSlaDue,
  selectSlaDueIds,
} from './job-run-lateness-store.ts';

const DUE_MAX = 200;

/** A job run that has not succeeded within its SLA. */
export interface LateJobRun extends Omit<DueJobRun, 'sla_at' | 'status'> {
  /** Milliseconds since 1970. */
  readonly sla_at: number;
}

/** Tells the rooms above, in the same transaction, of a job run that is late, once. */
export type OnJobRunLate = (tx: Tx, late: LateJobRun, now: number) => Promise<void>;

export interface JobRunLatenessDeps {
  readonly store: Store;
  readonly logger: Logger;
  readonly meter: ServerMeter;
  readonly onJobRunLate: OnJobRunLate;
}

/**
 * A pass of the sweeper: marks and reports job runs past their SLA, each once, whichever control plane comes first and whatever is
 * restarted in between; they continue. One that has failed is late too, unless a rerun of it succeeded in time. Returns how many
 * are late.
 */
export function createJobRunLateness({ store, logger, meter, onJobRunLate }: JobRunLatenessDeps) {
  return async (): Promise<number> => {
    const due = await selectSlaDueIds(store.read, await selectNow(store.read, store.dialect), DUE_MAX);
    if (due.length === 0) return 0;
    const late = await store.write(async (tx) => {
      const rows = await lockSlaDue(tx, store.dialect, due);
      if (rows.length === 0) return [];
      const found = await lateOf(tx, rows);
      const now = await selectNow(tx, store.dialect);
      const ids = found.map(({ id }) => id);
      await closeSla(
        tx,
        rows.map(({ id }) => id),
        { late: ids, now },
      );
      for (const one of found) await onJobRunLate(tx, one, now);
      return ids;
    });
    if (late.length === 0) return 0;
    meter.count('job_runs_late', late.length);
    logger.warn({ job_run_ids: late }, `job runs that have not succeeded within their SLA: ${late.length}`);
    return late.length;
  };
}

async function lateOf(tx: Tx, rows: readonly DueJobRun[]): Promise<LateJobRun[]> {
  const late: LateJobRun[] = [];
  for (const { status, sla_at, ...row } of rows) {
    const at = Number(sla_at);
    if (status === 'error' && (await hasRerunSucceeded(tx, row.id, at))) continue;
    late.push({ ...row, sla_at: at });
  }
  return late;
}
