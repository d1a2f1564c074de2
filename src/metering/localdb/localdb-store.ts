import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { moveJournal, shrinkSqliteFile } from '../../base/files/sqlite-upkeep.ts';
import { metricsSql } from '../metrics-sql.ts';
import type { PackedPoints } from '../packed-points.ts';

/** Runs that one pass removes at most, so that writes continue in between. */
export const PRUNED_RUNS_MAX = 100;
const DAY_MS = 86_400_000;
/** Rows in one statement: beyond some dozens more of them gain nothing. */
const ROWS_PER_INSERT = 32;

export const LOCALDB_SQL = metricsSql({
  prefix: '',
  value: (n) => `?${n}`,
  byResultIndex: 'indexed by points_of_results',
});

/** The statements over a metrics file. Each call blocks its thread; `write` is one transaction, all or nothing. */
export class LocaldbStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  write(groups: readonly PackedPoints[]): void {
    this.#inTransaction(() => {
      const changed = new Map<string, { runId: number; attempt: number }>();
      for (const packed of groups) {
        this.#insert(packed);
        for (const { runId, taskId, taskName, at } of packed.runs)
          this.#prepared(RUN).run(runId, taskId, taskName, at);
        for (const one of packed.changed) changed.set(`${one.runId}.${one.attempt}`, one);
      }
      // Made anew from all points of the attempt, whatever came twice or out of order.
      const { deriveResult, deriveSteps, deriveConnectors } = LOCALDB_SQL;
      for (const { runId, attempt } of changed.values())
        for (const sql of [deriveResult, deriveSteps, deriveConnectors])
          this.#prepared(sql).run(runId, attempt);
    });
  }

  /** Rows of a statement of `LOCALDB_SQL`. */
  query(sql: string, values: readonly (number | string)[]): Record<string, unknown>[] {
    return this.#prepared(sql)
      .all(...values)
      .map((row) => ({ ...row }));
  }

  removeRuns(runIds: readonly number[]): void {
    this.#inTransaction(() => {
      for (const runId of runIds) this.#remove(runId);
    });
  }

  /** Removes runs of more than `days` ago, at most 100 in one call; returns how many. */
  prune(now: number, days: number): number {
    const runs = this.#prepared(LOCALDB_SQL.oldRuns).all(now - days * DAY_MS, PRUNED_RUNS_MAX);
    if (runs.length > 0) this.removeRuns(runs.map((run) => Number(run['run_id'])));
    return runs.length;
  }

  /** Gives some unused pages back to the disk; whether there are more. */
  shrink(): boolean {
    return shrinkSqliteFile(this.#database);
  }

  close(): void {
    try {
      moveJournal(this.#database);
    } catch {
      // The disk may be full: the next start reads the journal.
    }
    this.#database.close();
  }

  #insert(packed: PackedPoints): void {
    const whole = packed.length - (packed.length % ROWS_PER_INSERT);
    for (let at = 0; at < whole; at += ROWS_PER_INSERT)
      this.#prepared(POINTS).run(...valuesOf(packed, at, at + ROWS_PER_INSERT));
    for (let at = whole; at < packed.length; at++) this.#prepared(POINT).run(...valuesOf(packed, at, at + 1));
  }

  #remove(runId: number): void {
    for (const sql of LOCALDB_SQL.deletions) this.#prepared(sql).run(runId);
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }
}

function valuesOf(packed: PackedPoints, from: number, to: number): (number | string)[] {
  const values: (number | string)[] = [];
  for (let at = from; at < to; at++) {
    const place = [packed.runId[at], packed.attempt[at], packed.batchSeq[at], packed.index[at]];
    const what = [packed.at[at], packed.name[at], packed.kind[at], packed.value[at]];
    values.push(...([...place, ...what, packed.subject[at], packed.tagsJson[at]] as (number | string)[]));
  }
  return values;
}

const insertPoints = (rows: number) => `
  insert into points (run_id, attempt, batch_seq, idx, at, name, kind, value, subject, tags_json)
  values ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
  on conflict do update set at = excluded.at, name = excluded.name, kind = excluded.kind, value = excluded.value,
    subject = excluded.subject, tags_json = excluded.tags_json`;
const POINT = insertPoints(1);
const POINTS = insertPoints(ROWS_PER_INSERT);

const RUN = `
  insert into runs (run_id, task_id, task_name, at) values (?, ?, ?, ?)
  on conflict do update set task_id = excluded.task_id, task_name = excluded.task_name`;
