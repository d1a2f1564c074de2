import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EMPTYING_MODES, KEYED_MODES } from '../../language/task/steps/load/load-step.ts';
import {
  AbsentResourceError,
  type Batch,
  ConnectorError,
  type WriteRequest,
  type Writer,
} from '../driver.ts';
import type { Committed } from '../load-request.ts';
import { quoteIdentifier } from '../sql/identifier.ts';
import { requireKeys } from '../sql/row-batch.ts';
import type { WiderColumn } from '../types/type-bounds.ts';
import { findTable, isRowid, type SqliteTable, tableNameOf } from './introspect.ts';
import { saveMark } from './load/load-marks.ts';
import { requireForeignKeys, stageName, swapStage } from './load/load-table.ts';
import { takeWriteLock } from './load/prepare-handle.ts';
import { TargetRows } from './load/target-rows.ts';
import { applyVersions, takeMissing } from './load/version-stage.ts';
import { requireRunning } from './read.ts';
import { isRowidMismatch, sqliteFault } from './sqlite-fault.ts';

/**
 * One load into one table, in one transaction from its first batch to `commit`: readers see the old rows until then, and a
 * process that dies leaves the file as it was, with nothing to clean up. (Committing a stage in chunks was measured at half the
 * speed.) Between these it holds the file's only write lock; another load of the file waits for it at its first batch.
 *
 * States: `fresh` until the first batch, `loading` in the transaction, `ended` after commit, abort, or a failure that made
 * the engine give up the transaction.
 */
export class SqliteWriter implements Writer {
  readonly alreadyDone: { readonly rows: number } | null;
  readonly lockedPlace: string | null;
  readonly #db: DatabaseSync;
  readonly #request: WriteRequest;
  readonly #name: string;
  #state: 'fresh' | 'loading' | 'ended';
  #target: SqliteTable | null = null;
  #into: TargetRows;
  readonly #of: Pick<WriteRequest, 'object' | 'key'>;
  #rows = 0;
  /** Of these, how many changed nothing. */
  #left = 0;
  /** Of these, how many a trigger dropped. */
  #dropped = 0;
  #failure: ConnectorError | null = null;

  /** `of`: the load that is meant in messages, and whose keys may not become one. */
  constructor(
    db: DatabaseSync,
    request: WriteRequest,
    alreadyDone: { readonly rows: number } | null,
    of: Pick<WriteRequest, 'object' | 'key'>,
  ) {
    this.#db = db;
    this.#request = request;
    this.#name = tableNameOf(request.object);
    this.alreadyDone = alreadyDone;
    this.#of = of;
    this.#into = this.#rowsInto(null);
    this.#state = alreadyDone === null ? 'fresh' : 'ended';
    this.lockedPlace = alreadyDone === null ? db.location() : null;
    if (alreadyDone !== null) db.close();
  }

  async write(batch: Batch): Promise<void> {
    this.#requireUsable();
    if (batch.rows.length === 0) return;
    await this.#begin();
    try {
      requireKeys(batch, this.#request.key);
      this.#db.exec('SAVEPOINT batch');
      const { left, dropped } = await this.#into.put(batch);
      this.#db.exec('RELEASE batch');
      this.#into.losses.keep();
      this.#rows += batch.rows.length;
      this.#left += left;
      this.#dropped += dropped;
    } catch (error) {
      throw this.#undoBatch(error);
    }
    await nextTurn();
  }

  async widen(columns: readonly WiderColumn[]): Promise<void> {
    this.#requireUsable();
    await this.#begin();
    try {
      this.#into.widen(columns);
    } catch (error) {
      throw this.#fail(sqliteFault(error, 'write'));
    }
    await nextTurn();
  }

  async commit(isComplete = false): Promise<Committed> {
    if (this.alreadyDone !== null) return this.alreadyDone;
    this.#requireUsable();
    const { mode, allowEmpty, missing = null } = this.#request;
    const takesMissing = isComplete && missing !== null;
    const empties = EMPTYING_MODES.includes(mode);
    if (empties && this.#rows === 0 && !allowEmpty) {
      await this.abort();
      return { rows: 0 };
    }
    if (this.#state === 'fresh' && !empties && !takesMissing) {
      this.#end();
      return { rows: 0 };
    }
    await this.#begin();
    let deleted = 0;
    try {
      deleted = await this.#finish(takesMissing);
      this.#db.exec('COMMIT');
    } catch (error) {
      await this.abort();
      throw sqliteFault(error, 'commit');
    }
    this.#end();
    return {
      rows: this.#written,
      ...(takesMissing && { deleted }),
      ...(this.#dropped > 0 && { dropped: this.#dropped }),
      ...this.#into.losses.counts,
    };
  }

  async abort(): Promise<void> {
    if (this.#state === 'ended') return;
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    this.#end();
  }

  #requireUsable(): void {
    requireRunning(this.#request.signal);
    if (this.#failure !== null) throw this.#failure;
    if (this.#state === 'ended') throw new ConnectorError('CONFIG', 'The load has already ended');
  }

  get #written(): number {
    return this.#rows - this.#left - this.#dropped;
  }

  #end(): void {
    this.#state = 'ended';
    this.#into.undo();
    this.#db.close();
  }

  #rowsInto(target: SqliteTable | null): TargetRows {
    return new TargetRows(this.#db, this.#request, { name: this.#name, target, of: this.#of });
  }

  async #begin(): Promise<void> {
    if (this.#state !== 'fresh') return;
    await takeWriteLock(this.#db, this.#request.signal);
    this.#state = 'loading';
    this.#target = findTable(this.#db, this.#name);
    this.#into = this.#rowsInto(this.#target);
    if (this.#target !== null && this.#target.kind === 'view') {
      throw this.#fail(new ConnectorError('CONFIG', `"${this.#request.object}" is a view; name a table`));
    }
    const { mode, object } = this.#request;
    if (mode === 'delete' && this.#target === null)
      throw this.#fail(new AbsentResourceError(`There is no table "${object}" to delete rows from`));
    if (mode === 'truncate_insert' && this.#target !== null)
      this.#db.exec(`DELETE FROM ${quoteIdentifier(this.#target.name)}`);
  }

  /** Takes back the batch; where the engine has given up the whole load with it, the load has failed. */
  #undoBatch(error: unknown): ConnectorError {
    const fault = this.#faultOf(error);
    this.#into.undo();
    if (fault.fault === 'TARGET' || !this.#db.isTransaction) return this.#fail(fault);
    try {
      this.#db.exec('ROLLBACK TO batch; RELEASE batch');
    } catch {
      // There is no savepoint when the batch failed before it was set: nothing was written.
    }
    return fault;
  }

  #faultOf(error: unknown): ConnectorError {
    const fault = sqliteFault(error, 'write');
    const table = this.#into.table;
    if (table === null || !isRowidMismatch(error)) return fault;
    const column = table.columns.find((one) => isRowid(table, one))?.name;
    return new ConnectorError(fault.fault, fault.message, { cause: error, column });
  }

  #fail(fault: ConnectorError): ConnectorError {
    this.#failure = fault;
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    this.#end();
    return fault;
  }

  /** How many rows that no longer come have gone. */
  async #finish(takesMissing: boolean): Promise<number> {
    const { mode, loadId } = this.#request;
    const target = this.#target;
    if (mode === 'append') saveMark(this.#db, { loadId, object: this.#name, rows: this.#written });
    if (mode === 'scd2') this.#left += await applyVersions(this.#db, this.#request, this.#name, takesMissing);
    const deleted = takesMissing ? await takeMissing(this.#db, this.#request, this.#name) : 0;
    if (KEYED_MODES.includes(mode))
      this.#db.exec(`DROP TABLE IF EXISTS ${quoteIdentifier(stageName(this.#name))}`);
    if (mode === 'truncate_insert') requireForeignKeys(this.#db, target?.name ?? this.#name);
    if (mode === 'replace' && this.#rows > 0) swapStage(this.#db, target, this.#name, stageName(this.#name));
    else if (mode === 'replace' && target !== null) {
      this.#db.exec(`DELETE FROM ${quoteIdentifier(target.name)}`);
      requireForeignKeys(this.#db, target.name);
    }
    return deleted;
  }
}
