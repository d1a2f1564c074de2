import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EMPTYING_MODES, KEYED_MODES } from '../../language/task/steps/load-step.ts';
import {
  AbsentResourceError,
  type Batch,
  ConnectorError,
  type WriteRequest,
  type Writer,
} from '../driver.ts';
import type { Committed } from '../load-request.ts';
import { quoteIdentifier } from '../sql/identifier.ts';
import { ComputedColumns } from '../sql/load/computed-columns.ts';
import { deleteMatching } from '../sql/load/delete-matching.ts';
import { requireKeys } from '../sql/row-batch.ts';
import type { WiderColumn } from '../types/type-bounds.ts';
import { findTable, isRowid, type SqliteTable, tableNameOf } from './introspect.ts';
import { saveMark } from './load/load-marks.ts';
import {
  addColumns,
  computedIn,
  createKeyStage,
  createStage,
  createTable,
  requireForeignKeys,
  requireUniqueKey,
  stageName,
  swapStage,
} from './load/load-table.ts';
import { takeWriteLock } from './load/prepare-handle.ts';
import { RowInserter } from './load/row-inserter.ts';
import { sqliteSession } from './load/sqlite-session.ts';
import { applyVersions, prepareVersions, takeMissing } from './load/version-stage.ts';
import { widenColumns } from './load/widen-columns.ts';
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
  /** Where the rows go: the target, or a stage. */
  #table: SqliteTable | null = null;
  #inserter: { readonly shape: string; readonly inserter: RowInserter } | null = null;
  /** Gets the keys that came, where the others may be missing. */
  #keys: RowInserter | null = null;
  /** Columns that have got wider types by now. */
  readonly #wider: WiderColumn[] = [];
  #rows = 0;
  /** Of these, how many changed nothing. */
  #left = 0;
  #failure: ConnectorError | null = null;
  readonly #computed: ComputedColumns;

  constructor(db: DatabaseSync, request: WriteRequest, alreadyDone: { readonly rows: number } | null) {
    this.#db = db;
    this.#request = request;
    this.#name = tableNameOf(request.object);
    this.alreadyDone = alreadyDone;
    this.#computed = new ComputedColumns(request);
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
      const left = await this.#putIn(batch);
      this.#db.exec('RELEASE batch');
      this.#rows += batch.rows.length;
      this.#left += left;
    } catch (error) {
      throw this.#undoBatch(error);
    }
    await nextTurn();
  }

  async widen(columns: readonly WiderColumn[]): Promise<void> {
    this.#requireUsable();
    await this.#begin();
    this.#wider.push(...columns);
    this.#inserter = null;
    try {
      // An emptying load makes a table of its own, and leaves the target as it is until its end.
      const names = [...(this.#request.mode === 'replace' ? [] : [this.#name]), stageName(this.#name)];
      for (const name of names) {
        const table = findTable(this.#db, name);
        const wide = table === null ? null : widenColumns(this.#db, table, columns);
        if (wide !== null && wide.name === this.#table?.name) this.#table = wide;
      }
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
    return { rows: this.#rows - this.#left, ...(takesMissing && { deleted }) };
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

  #end(): void {
    this.#state = 'ended';
    this.#inserter = null;
    this.#db.close();
  }

  async #begin(): Promise<void> {
    if (this.#state !== 'fresh') return;
    await takeWriteLock(this.#db, this.#request.signal);
    this.#state = 'loading';
    this.#target = findTable(this.#db, this.#name);
    if (this.#target !== null && this.#target.kind === 'view') {
      throw this.#fail(new ConnectorError('CONFIG', `"${this.#request.object}" is a view; name a table`));
    }
    const { mode, object } = this.#request;
    if (mode === 'delete' && this.#target === null)
      throw this.#fail(new AbsentResourceError(`There is no table "${object}" to delete rows from`));
    if (mode === 'truncate_insert' && this.#target !== null)
      this.#db.exec(`DELETE FROM ${quoteIdentifier(this.#target.name)}`);
  }

  /** How many rows changed nothing. */
  async #putIn(batch: Batch): Promise<number> {
    const { mode, key } = this.#request;
    const inserter = this.#inserterFor(batch);
    const written = inserter.insert(batch.rows);
    this.#keys?.insert(batch.rows);
    if (mode === 'insert_only') return batch.rows.length - written;
    if (mode !== 'delete' || this.#table === null || this.#target === null) return 0;
    const stage = quoteIdentifier(this.#table.name);
    const target = quoteIdentifier(this.#target.name);
    const left = await deleteMatching(sqliteSession(this.#db), { target, stage, key });
    this.#db.exec(`DELETE FROM ${stage}`);
    return left;
  }

  /** Takes back the batch; where the engine has given up the whole load with it, the load has failed. */
  #undoBatch(error: unknown): ConnectorError {
    const fault = this.#faultOf(error);
    this.#inserter = null;
    this.#table = null;
    this.#keys = null;
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
    const table = this.#table;
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

  #inserterFor(batch: Batch): RowInserter {
    const shape = JSON.stringify(batch.columns.map((column) => [column.name, column.type]));
    if (this.#inserter?.shape === shape) return this.#inserter.inserter;
    const inserter = this.#makeInserter(batch);
    this.#inserter = { shape, inserter };
    return inserter;
  }

  #makeInserter(batch: Batch): RowInserter {
    const { mode, missing = null } = this.#request;
    if (mode === 'delete') {
      this.#table ??= createKeyStage(this.#db, this.#target as SqliteTable, this.#request.key);
      return this.#keyInserter(batch, this.#table);
    }
    if (mode === 'scd2') {
      const stage = prepareVersions(this.#db, this.#request, this.#name, batch.columns);
      this.#widened(findTable(this.#db, this.#name) as SqliteTable);
      this.#table = this.#widened(stage);
      return new RowInserter(this.#db, this.#table, { columns: batch.columns, key: [], changesRows: false });
    }
    const inserter = this.#rowInserter(batch);
    // After a batch that was taken back the keys of those before may be there.
    const keys =
      missing === null ? null : (findTable(this.#db, stageName(this.#name)) ?? this.#newKeyStage());
    this.#keys = keys === null ? null : this.#keyInserter(batch, keys);
    return inserter;
  }

  #newKeyStage(): SqliteTable {
    return createKeyStage(this.#db, this.#table as SqliteTable, this.#request.key);
  }

  #rowInserter(batch: Batch): RowInserter {
    const { key, mode } = this.#request;
    let table = this.#table ?? this.#openTable(batch);
    if (addColumns(this.#db, table, batch.columns)) table = findTable(this.#db, table.name) ?? table;
    if (KEYED_MODES.includes(mode)) requireUniqueKey(this.#db, table, key);
    this.#table = table;
    const columns = this.#computed.without(batch.columns, computedIn(table));
    return new RowInserter(this.#db, table, { columns, key, changesRows: mode !== 'insert_only' });
  }

  #keyInserter(batch: Batch, stage: SqliteTable): RowInserter {
    const columns = batch.columns.filter(({ name }) => this.#request.key.includes(name));
    return new RowInserter(this.#db, stage, { columns, key: [], changesRows: false });
  }

  #openTable(batch: Batch): SqliteTable {
    if (this.#request.mode === 'replace') {
      // After a batch that was taken back the stage may be there already, with the rows of others.
      const stage = this.#rows > 0 ? findTable(this.#db, stageName(this.#name)) : null;
      return (
        stage ?? this.#widened(createStage(this.#db, this.#target, stageName(this.#name), batch.columns))
      );
    }
    const known = findTable(this.#db, this.#name);
    if (known !== null) return known;
    createTable(this.#db, this.#name, batch.columns, this.#request.key);
    return this.#widened(findTable(this.#db, this.#name) as SqliteTable);
  }

  /** A table that a batch has made has the types of its rows, or those of the target. */
  #widened(table: SqliteTable): SqliteTable {
    return widenColumns(this.#db, table, this.#wider);
  }

  /** How many rows that no longer come have gone. */
  async #finish(takesMissing: boolean): Promise<number> {
    const { mode, loadId } = this.#request;
    const target = this.#target;
    if (mode === 'append') saveMark(this.#db, { loadId, object: this.#name, rows: this.#rows });
    if (mode === 'scd2') this.#left += await applyVersions(this.#db, this.#request, this.#name, takesMissing);
    const deleted = takesMissing ? await takeMissing(this.#db, this.#request, this.#name) : 0;
    if (KEYED_MODES.includes(mode))
      this.#db.exec(`DROP TABLE IF EXISTS ${quoteIdentifier(stageName(this.#name))}`);
    if (mode === 'truncate_insert') requireForeignKeys(this.#db, target?.name ?? this.#name);
    if (mode === 'replace' && this.#rows > 0) swapStage(this.#db, target, this.#name, stageName(this.#name));
    else if (mode === 'replace' && target !== null)
      this.#db.exec(`DELETE FROM ${quoteIdentifier(target.name)}`);
    return deleted;
  }
}
