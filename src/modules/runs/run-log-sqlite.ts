import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Lease, LogAck, LogBatch } from '../../protocol/control-plane.ts';
import { openSqliteFile } from '../../store/node-sqlite.ts';
import { appendTo, judgeLogLease, type LogLeaseState, type LogRow, lengthOf } from './run-log.ts';

/** Rows of one INSERT: more does not gain, fewer costs calls. */
const ROWS_PER_INSERT = 50;
const COLUMNS = 8;
/** Lines deleted in one statement, so that no commit of new ones waits long. */
const DELETE_LINES_MAX = 5_000;

const LEASE_SQL = `
  select r.status, r.epoch, r.attempt, r.lease_token, r.acknowledged, a.epoch as attempt_epoch, a.lease_token as attempt_token,
         a.ended_at as attempt_ended_at
  from runs r left join run_attempts a on a.run_id = r.id and a.attempt = ?
  where r.id = ?`;

/** Pages that the journal holds before they move to the file: a page that every commit touches moves once for many. */
const CHECKPOINT_PAGES = 4_000;

/** An attempt that the open transaction appends to. */
interface Appending {
  readonly lease: Lease;
  ackedSeq: number;
  /** Of the lines that the stored cursor does not count yet. */
  bytes: number;
  moved: boolean;
}

/**
 * The bulk writer of SQLite: it owns the only write handle of the log file and reads leases from the state file. Lives in a
 * thread of its own, because each call blocks its thread. One transaction takes many batches of many runs: `append` opens it,
 * and nothing of it may be acknowledged before `commit` returns.
 */
export class SqliteRunLogs {
  readonly #logs: DatabaseSync;
  readonly #state: DatabaseSync;
  readonly #lease: StatementSync;
  readonly #cursor: StatementSync;
  readonly #moveCursor: StatementSync;
  readonly #forget: StatementSync;
  readonly #forgetCursors: StatementSync;
  readonly #insertMany: StatementSync;
  readonly #insertOne: StatementSync;
  /** By run. A lease is judged once in a transaction when it is good, and each time when it is not. */
  readonly #appending = new Map<number, Appending>();

  constructor(statePath: string, logsPath: string) {
    this.#state = openSqliteFile(statePath, { readOnly: true });
    this.#logs = openSqliteFile(logsPath, { readOnly: false });
    this.#logs.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#lease = this.#state.prepare(LEASE_SQL);
    this.#cursor = this.#logs.prepare(
      'select acked_seq from run_log_cursors where run_id = ? and attempt = ?',
    );
    this.#moveCursor = this.#logs.prepare(
      `insert into run_log_cursors (run_id, attempt, acked_seq, bytes) values (?, ?, ?, ?)
       on conflict (run_id, attempt) do update set acked_seq = excluded.acked_seq, bytes = run_log_cursors.bytes + excluded.bytes`,
    );
    this.#forget = this.#logs.prepare(
      `delete from run_logs where (run_id, attempt, seq) in
         (select run_id, attempt, seq from run_logs where run_id = ? limit ?)`,
    );
    this.#forgetCursors = this.#logs.prepare('delete from run_log_cursors where run_id = ?');
    const insert =
      'insert into run_logs (run_id, attempt, seq, at, level, step_id, message, fields_json) values ';
    const group = '(?, ?, ?, ?, ?, ?, ?, ?)';
    this.#insertMany = this.#logs.prepare(insert + Array(ROWS_PER_INSERT).fill(group).join(', '));
    this.#insertOne = this.#logs.prepare(insert + group);
  }

  /** Stores the new lines of a batch in the open transaction. Throws where the file fails: then `rollback`. */
  append(batch: LogBatch, now: number): LogAck {
    if (!this.#logs.isTransaction) this.#logs.exec('begin immediate');
    const { lease } = batch;
    let appending = this.#appending.get(lease.run_id);
    if (appending === undefined || !isSameLease(appending.lease, lease)) {
      if (appending !== undefined) this.#writeCursor(appending);
      const state = (this.#lease.get(lease.attempt, lease.run_id) as LogLeaseState | undefined) ?? null;
      const outcome = judgeLogLease(state, lease, now);
      const cursor = this.#cursor.get(lease.run_id, lease.attempt) as { acked_seq: number } | undefined;
      const ackedSeq = cursor?.acked_seq ?? 0;
      if (outcome !== 'ACCEPTED') return appendTo(batch, outcome, ackedSeq).ack;
      appending = { lease, ackedSeq, bytes: 0, moved: false };
      this.#appending.set(lease.run_id, appending);
    }
    const { ack, rows } = appendTo(batch, 'ACCEPTED', appending.ackedSeq);
    if (rows.length > 0) {
      appending.bytes += this.#insert(rows);
      appending.ackedSeq = ack.acked_seq;
      appending.moved = true;
    }
    return ack;
  }

  /** What was appended since the last commit is durable when it returns. Throws where the file fails: then `rollback`. */
  commit(): void {
    if (!this.#logs.isTransaction) return;
    for (const appending of this.#appending.values()) this.#writeCursor(appending);
    this.#logs.exec('commit');
    this.#appending.clear();
  }

  /** Nothing of what was appended since the last commit is stored. */
  rollback(): void {
    this.#appending.clear();
    // A full disk has rolled back by itself.
    if (this.#logs.isTransaction) this.#logs.exec('rollback');
  }

  /** Deletes some of a run's log; whether any is left. */
  forget(runId: number): boolean {
    const { changes } = this.#forget.run(runId, DELETE_LINES_MAX);
    if (Number(changes) === DELETE_LINES_MAX) return true;
    this.#forgetCursors.run(runId);
    return false;
  }

  close(): void {
    this.#logs.close();
    this.#state.close();
  }

  #writeCursor(appending: Appending): void {
    if (!appending.moved) return;
    const { lease, ackedSeq, bytes } = appending;
    this.#moveCursor.run(lease.run_id, lease.attempt, ackedSeq, bytes);
    appending.bytes = 0;
    appending.moved = false;
  }

  #insert(rows: readonly LogRow[]): number {
    let bytes = 0;
    let index = 0;
    const values = new Array<string | number | null>(ROWS_PER_INSERT * COLUMNS);
    for (; index + ROWS_PER_INSERT <= rows.length; index += ROWS_PER_INSERT) {
      for (let offset = 0; offset < ROWS_PER_INSERT; offset++) {
        bytes += fill(values, offset * COLUMNS, rows[index + offset] as LogRow);
      }
      this.#insertMany.run(...values);
    }
    const single = new Array<string | number | null>(COLUMNS);
    for (; index < rows.length; index++) {
      bytes += fill(single, 0, rows[index] as LogRow);
      this.#insertOne.run(...single);
    }
    return bytes;
  }
}

function fill(values: (string | number | null)[], at: number, row: LogRow): number {
  values[at] = row.run_id;
  values[at + 1] = row.attempt;
  values[at + 2] = row.seq;
  values[at + 3] = row.at;
  values[at + 4] = row.level;
  values[at + 5] = row.step_id;
  values[at + 6] = row.message;
  values[at + 7] = row.fields_json;
  return lengthOf(row);
}

function isSameLease(one: Lease, other: Lease): boolean {
  return one.attempt === other.attempt && one.epoch === other.epoch && one.token === other.token;
}
