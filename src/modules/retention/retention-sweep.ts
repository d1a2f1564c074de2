import type { Logger } from '../../base/logger.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import { CALLS_KEPT_MS } from '../connector-health/connector-health.ts';
import { deleteCallsBefore, deleteStrayHealth } from '../connector-health/connector-health-store.ts';
import { DELETIONS_CHANNEL, markDeleted } from '../deletions/deletion-store.ts';
import { Pieces } from '../deletions/pieces.ts';
import {
  deleteAuditBefore,
  deleteBackfills,
  deleteConfigVersions,
  selectConfigVersionsOfJobs,
  selectOldBackfills,
} from './retention-store.ts';
import type { RunPruning } from './run-pruning.ts';

const DAY_MS = 86_400_000;
/** Of each job, the current one included. */
const CONFIG_VERSIONS_KEPT = 100;
const BACKFILLS_KEPT_MS = 365 * DAY_MS;
const LOOK_MAX = 100;

export interface RunRetentionSettings {
  /** Days that runs are kept after their end; 0: for good. */
  readonly run_days: number;
  readonly run_keep_last: number;
  /** 0: for good. */
  readonly audit_days: number;
}

export interface RetentionSweepDeps {
  readonly store: Store;
  readonly logger: Logger;
  readonly runPruning: RunPruning;
}

/** Deletes what is older than the settings say: runs, entries of the audit log, versions of configurations, backfills, calls of connectors. */
export async function sweepRetention(
  { store, logger, runPruning }: RetentionSweepDeps,
  settings: RunRetentionSettings,
  signal: AbortSignal,
): Promise<void> {
  const now = await selectNow(store.read, store.dialect);
  const pieces = new Pieces(store, signal);
  if (settings.run_days > 0) {
    const endedBefore = now - settings.run_days * DAY_MS;
    const rules = { endedBefore, keepLast: settings.run_keep_last, openDeadLetters: false };
    const { jobRuns, runs } = await runPruning.prune(rules, { signal });
    if (jobRuns + runs > 0) logger.info({ job_runs: jobRuns, runs }, 'old job runs and runs were deleted');
  }
  if (settings.audit_days > 0)
    await pieces.all((tx, limit) => deleteAuditBefore(tx, now - settings.audit_days * DAY_MS, limit));
  await pieces.all((tx, limit) => deleteCallsBefore(tx, now - CALLS_KEPT_MS, limit));
  await pieces.one(deleteStrayHealth);
  await sweepConfigVersions(pieces);
  await sweepBackfills(store, pieces, now);
}

async function sweepConfigVersions(pieces: Pieces): Promise<void> {
  for (let after = 0; ; ) {
    const jobs = await pieces.look((db) => selectConfigVersionsOfJobs(db, after, LOOK_MAX));
    for (const { id, config_version } of jobs) {
      const upTo = config_version - CONFIG_VERSIONS_KEPT;
      if (upTo > 0) await pieces.all((tx, limit) => deleteConfigVersions(tx, id, upTo, limit));
    }
    const last = jobs.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function sweepBackfills(store: Store, pieces: Pieces, now: number): Promise<void> {
  const ids = await pieces.look((db) => selectOldBackfills(db, now - BACKFILLS_KEPT_MS, LOOK_MAX));
  if (ids.length === 0) return;
  await pieces.one(async (tx) => {
    await deleteBackfills(tx, ids);
    await markDeleted(tx, 'backfill', ids, now);
  });
  store.notify(DELETIONS_CHANNEL);
}
