import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Lease, LogBatch } from '../../../protocol/control-plane.ts';
import { openSqliteFile } from '../../../store/sqlite/node-sqlite.ts';
import { judgeLogLease, type LogLeaseState } from '../run-log.ts';
import {
  type AppendOutcome,
  type AttemptLog,
  appendBatch,
  refusal,
  type StoreLine,
} from '../run-log-append.ts';
import { LogPruning } from './run-log-prune-sqlite.ts';

const LEASE_SQL = `
  select r.status, r.epoch, r.attempt, r.lease_token, r.acknowledged, a.epoch as attempt_epoch, a.lease_token as attempt_token,
         a.ended_at as attempt_ended_at
  from runs r left join run_attempts a on a.run_id = r.id and a.attempt = ?
  where r.id = ?`;
const CURSORS_SQL = 'select attempt, acked_seq, bytes, dropped from run_log_cursors where run_id = ?';
const MOVE_SQL = `
  insert into run_log_cursors (run_id, attempt, acked_seq, bytes, dropped, last_at) values (?, ?, ?, ?, ?, ?)
  on conflict (run_id, attempt) do update
    set acked_seq = excluded.acked_seq, bytes = excluded.bytes, dropped = excluded.dropped, last_at = excluded.last_at`;

/** Bytes that the journal holds before they move to the file: a page that every commit touches moves once for many. */
const CHECKPOINT_BYTES = 16 * 1_048_576;

interface CursorRow {
  readonly attempt: number;
  readonly acked_seq: number;
  readonly bytes: number;
  readonly dropped: number;
}

/** An attempt that the open transaction appends to. */
interface Appending {
  readonly lease: Lease;
  readonly log: AttemptLog;
  moved: boolean;
}

/**
 * The bulk writer of SQLite: it owns the only write handle of the log file and reads leases from the state file. Lives in a
 * thread of its own, because each call blocks its thread. One transaction takes many batches of many runs: `append` opens it,
 * and nothing of it may be acknowledged before `commit` returns.
 */
export class SqliteRunLogs {
  /** Deletes what is deleted or too old. Never within a transaction. */
  readonly pruning: LogPruning;
  readonly #logs: DatabaseSync;
  readonly #state: DatabaseSync;
  readonly #runBytesMax: number;
  readonly #lease: StatementSync;
  readonly #cursors: StatementSync;
  readonly #moveCursor: StatementSync;
  readonly #insert: LogInsert;
  /** By run. A lease is judged once in a transaction when it is good, and each time when it is not. */
  readonly #appending = new Map<number, Appending>();

  constructor(statePath: string, logsPath: string, runBytesMax: number, cacheMb: number) {
    this.#runBytesMax = runBytesMax;
    this.#state = openSqliteFile(statePath, { readOnly: true, cacheMb });
    this.#logs = openSqliteFile(logsPath, { readOnly: false, cacheMb });
    const { page_size } = this.#logs.prepare('pragma page_size').get() as { page_size: number };
    this.#logs.exec(`pragma wal_autocheckpoint = ${Math.round(CHECKPOINT_BYTES / page_size)}`);
    this.#lease = this.#state.prepare(LEASE_SQL);
    this.#cursors = this.#logs.prepare(CURSORS_SQL);
    this.#moveCursor = this.#logs.prepare(MOVE_SQL);
    this.#insert = new LogInsert(this.#logs);
    this.pruning = new LogPruning(this.#logs, this.#state);
  }

  /** Stores the new lines of a batch in the open transaction. Throws where the file fails: then `rollback`. */
  append(batch: LogBatch, now: number): AppendOutcome {
    if (!this.#logs.isTransaction) this.#logs.exec('begin immediate');
    const { lease } = batch;
    let appending = this.#appending.get(lease.run_id);
    if (appending === undefined || !isSameLease(appending.lease, lease)) {
      if (appending !== undefined) this.#writeCursor(appending, now);
      const state = (this.#lease.get(lease.attempt, lease.run_id) as LogLeaseState | undefined) ?? null;
      const outcome = judgeLogLease(state, lease, now);
      const log = this.#attemptLog(lease);
      if (outcome !== 'ACCEPTED') return refusal(outcome, log.ackedSeq);
      appending = { lease, log, moved: false };
      this.#appending.set(lease.run_id, appending);
    }
    const { log } = appending;
    const before = log.ackedSeq;
    this.#insert.of(lease.run_id, lease.attempt);
    const outcome = appendBatch(batch, log, this.#runBytesMax, this.#insert.add);
    if (log.ackedSeq !== before) appending.moved = true;
    return outcome;
  }

  /** What was appended since the last commit is durable when it returns. Throws where the file fails: then `rollback`. */
  commit(now: number): void {
    if (!this.#logs.isTransaction) return;
    this.#insert.flush();
    for (const appending of this.#appending.values()) this.#writeCursor(appending, now);
    this.#logs.exec('commit');
    this.#appending.clear();
  }

  /** Nothing of what was appended since the last commit is stored. */
  rollback(): void {
    this.#appending.clear();
    this.#insert.clear();
    // A full disk has rolled back by itself.
    if (this.#logs.isTransaction) this.#logs.exec('rollback');
  }

  close(): void {
    this.#logs.close();
    this.#state.close();
  }

  #attemptLog(lease: Lease): AttemptLog {
    const rows = this.#cursors.all(lease.run_id) as unknown as CursorRow[];
    const own = rows.find((row) => row.attempt === lease.attempt);
    return {
      ackedSeq: own?.acked_seq ?? 0,
      bytes: own?.bytes ?? 0,
      runBytes: rows.reduce((sum, row) => sum + row.bytes, 0),
      dropped: own?.dropped ?? 0,
    };
  }

  #writeCursor(appending: Appending, now: number): void {
    if (!appending.moved) return;
    const { lease, log } = appending;
    this.#moveCursor.run(lease.run_id, lease.attempt, log.ackedSeq, log.bytes, log.dropped, now);
    appending.moved = false;
  }
}

function isSameLease(one: Lease, other: Lease): boolean {
  return one.attempt === other.attempt && one.epoch === other.epoch && one.token === other.token;
}

/** Rows of one INSERT: more does not gain, fewer costs calls. The last rows of a transaction go by the smaller ones. */
const ROWS_PER_INSERT = [50, 10, 1] as const;
const ROWS_MAX = ROWS_PER_INSERT[0];
const COLUMNS = 8;
const INSERT =
  'insert into run_logs (run_id, attempt, seq, at, level, step_id, message, fields_json) values ';

/** Gathers the rows of a transaction, of whatever batch and run they are, into inserts of many rows. */
class LogInsert {
  readonly #statements: readonly StatementSync[];
  readonly #values = new Array<SQLInputValue>(ROWS_MAX * COLUMNS);
  #rows = 0;
  #runId = 0;
  #attempt = 0;

  constructor(database: DatabaseSync) {
    const group = '(?, ?, ?, ?, ?, ?, ?, ?)';
    this.#statements = ROWS_PER_INSERT.map((rows) =>
      database.prepare(INSERT + Array(rows).fill(group).join(', ')),
    );
  }

  /** Whose lines come next. */
  of(runId: number, attempt: number): void {
    this.#runId = runId;
    this.#attempt = attempt;
  }

  readonly add: StoreLine = (seq, at, level, stepId, message, fieldsJson) => {
    const values = this.#values;
    const start = this.#rows * COLUMNS;
    values[start] = this.#runId;
    values[start + 1] = this.#attempt;
    values[start + 2] = seq;
    values[start + 3] = at;
    values[start + 4] = level;
    values[start + 5] = stepId;
    values[start + 6] = message;
    values[start + 7] = fieldsJson;
    this.#rows += 1;
    if (this.#rows < ROWS_MAX) return;
    this.#statements[0]?.run(...values);
    this.#rows = 0;
  };

  /** Inserts what is left. */
  flush(): void {
    let row = 0;
    for (const [index, rows] of ROWS_PER_INSERT.entries()) {
      for (; this.#rows - row >= rows; row += rows)
        this.#statements[index]?.run(...this.#values.slice(row * COLUMNS, (row + rows) * COLUMNS));
    }
    this.#rows = 0;
  }

  /** Forgets what was not inserted. */
  clear(): void {
    this.#rows = 0;
  }
}
