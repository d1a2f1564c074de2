import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { shrinkSqliteFile } from '../../../base/files/sqlite-upkeep.ts';
import type { LogRetention } from '../run-log-retention.ts';

/** Lines deleted in one statement, so that no commit of new ones waits long. */
const DELETE_LINES_MAX = 5_000;
/** Attempts looked at in one step: those of active runs are passed over. */
const LOOK_MAX = 200;

const DELETE_RUN_SQL = `
  delete from run_logs where (run_id, attempt, seq) in
    (select run_id, attempt, seq from run_logs where run_id = ? limit ?)`;
const DELETE_ATTEMPT_SQL = `
  delete from run_logs where (run_id, attempt, seq) in
    (select run_id, attempt, seq from run_logs where run_id = ? and attempt = ? and seq <= ? limit ?)`;
/** Those that have lines are an index of their own, so that it costs nothing how many have none. */
export const OLDEST_SQL = `
  select run_id, attempt, acked_seq, bytes, last_at from run_log_cursors
  where (last_at, run_id, attempt) > (?, ?, ?) and pruned_seq < acked_seq
  order by last_at, run_id, attempt limit ?`;
const KEPT_SQL = 'select coalesce(sum(bytes), 0) as bytes from run_log_cursors where pruned_seq < acked_seq';
const PRUNED_SQL = 'update run_log_cursors set pruned_seq = acked_seq where run_id = ? and attempt = ?';
const ACTIVE_SQL = `select 1 from runs where id = ? and status in ('queued', 'running', 'cancelling')`;

interface Attempt {
  readonly run_id: number;
  readonly attempt: number;
  readonly acked_seq: number;
  readonly bytes: number;
  readonly last_at: number;
}

/** How far a sweep of retention has come. */
export interface PruneSweep {
  readonly retention: LogRetention;
  /** Above the bound: goes down with every attempt that is pruned. */
  excess: number;
  after: Pick<Attempt, 'last_at' | 'run_id' | 'attempt'>;
}

/**
 * Deletes lines of the log file, a bounded piece per call, so that appends run in between. The pages become free: new lines use
 * them, and `shrink` gives back what is far more than they need.
 */
export class LogPruning {
  readonly #logs: DatabaseSync;
  readonly #deleteRun: StatementSync;
  readonly #deleteCursors: StatementSync;
  readonly #deleteAttempt: StatementSync;
  readonly #oldest: StatementSync;
  readonly #kept: StatementSync;
  readonly #pruned: StatementSync;
  readonly #active: StatementSync;

  constructor(logs: DatabaseSync, state: DatabaseSync) {
    this.#logs = logs;
    this.#deleteRun = logs.prepare(DELETE_RUN_SQL);
    this.#deleteCursors = logs.prepare('delete from run_log_cursors where run_id = ?');
    this.#deleteAttempt = logs.prepare(DELETE_ATTEMPT_SQL);
    this.#oldest = logs.prepare(OLDEST_SQL);
    this.#kept = logs.prepare(KEPT_SQL);
    this.#pruned = logs.prepare(PRUNED_SQL);
    this.#active = state.prepare(ACTIVE_SQL);
  }

  /** Deletes some of these runs' logs in one commit, and takes from `runIds` those without any left; whether there are more. */
  forget(runIds: number[]): boolean {
    this.#logs.exec('begin immediate');
    try {
      for (let lines = 0; lines < DELETE_LINES_MAX; ) {
        const runId = runIds.at(-1);
        if (runId === undefined) break;
        const limit = DELETE_LINES_MAX - lines;
        const changes = Number(this.#deleteRun.run(runId, limit).changes);
        lines += changes;
        if (changes === limit) break;
        this.#deleteCursors.run(runId);
        runIds.pop();
      }
      this.#logs.exec('commit');
    } catch (error) {
      if (this.#logs.isTransaction) this.#logs.exec('rollback');
      throw error;
    }
    return runIds.length > 0;
  }

  /** Gives some unused pages back to the disk; whether there are more. */
  shrink(): boolean {
    return shrinkSqliteFile(this.#logs);
  }

  begin(retention: LogRetention): PruneSweep {
    const kept = retention.bytesMax === 0 ? 0 : (this.#kept.get() as { bytes: number }).bytes;
    return { retention, excess: kept - retention.bytesMax, after: { last_at: -1, run_id: 0, attempt: 0 } };
  }

  /** Deletes some lines of the oldest attempt that must go; whether there may be more. */
  step(sweep: PruneSweep): boolean {
    const { last_at, run_id, attempt } = sweep.after;
    const looked = this.#oldest.all(last_at, run_id, attempt, LOOK_MAX) as unknown as Attempt[];
    for (const oldest of looked) {
      if (!mustGo(oldest, sweep)) return false;
      if (this.#active.get(oldest.run_id) !== undefined) {
        sweep.after = oldest;
        continue;
      }
      this.#prune(oldest, sweep);
      return true;
    }
    return looked.length === LOOK_MAX;
  }

  #prune(oldest: Attempt, sweep: PruneSweep): void {
    const { run_id, attempt, acked_seq } = oldest;
    const { changes } = this.#deleteAttempt.run(run_id, attempt, acked_seq, DELETE_LINES_MAX);
    if (Number(changes) === DELETE_LINES_MAX) return;
    this.#pruned.run(run_id, attempt);
    sweep.excess -= oldest.bytes;
    sweep.after = oldest;
  }
}

function mustGo(attempt: Attempt, { retention, excess }: PruneSweep): boolean {
  return attempt.last_at < retention.before || (retention.bytesMax > 0 && excess > 0);
}
