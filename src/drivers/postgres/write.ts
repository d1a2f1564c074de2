import type { ClientBase } from 'pg';
import { EMPTYING_MODES, KEYED_MODES } from '../../language/task/steps/load/load-step.ts';
import { type Batch, ConnectorError, type WriteRequest, type Writer } from '../driver.ts';
import type { RowsCopy } from '../engine-file.ts';
import type { Committed } from '../load-request.ts';
import { ComputedColumns } from '../sql/load/computed-columns.ts';
import { requireKeys } from '../sql/row-batch.ts';
import { cancelled } from '../sql/session-turns.ts';
import type { WiderColumn } from '../types/type-bounds.ts';
import { Losses } from '../values/losses.ts';
import { findTable, type TableName } from './introspect.ts';
import { BatchCopies } from './load/batch-copies.ts';
import { createMarks, saveMark } from './load/load-marks.ts';
import { type LoadPlace, placeForShapes, preparePlace, widenPlace } from './load/load-place.ts';
import { widenColumns } from './load/load-table.ts';
import { replaceTarget } from './load/replace-target.ts';
import { applyStage, settleStage, takeMissing } from './load/stage/apply-stage.ts';
import { lockDefinition, lockWaitMs } from './load/table-lock.ts';
import { isDefinitionRace, isServerError, postgresFault } from './postgres-fault.ts';
import type { Session } from './session-pool.ts';
import { copyInto, lacksColumns, lacksKeys } from './transfer/copy-into.ts';
import { PostgresRowsCopy } from './transfer/postgres-rows-copy.ts';

/** How often a batch looks again at a table that another session has made or changed in the same moment. */
const looksMax = 4;

/**
 * One load into one table, in one transaction from its first batch to `commit`, on a session of its own; when the process dies the
 * server rolls it back, stage and all. Each batch is one COPY under a savepoint.
 *
 * States: `fresh` until the first batch, `loading` in the transaction, `ended` after commit, abort, or a lost session.
 */
export class PostgresWriter implements Writer {
  readonly alreadyDone: { readonly rows: number } | null;
  readonly #session: Session;
  readonly #request: WriteRequest;
  readonly #name: TableName;
  #state: 'fresh' | 'loading' | 'ended' = 'fresh';
  #place: LoadPlace | null = null;
  readonly #copies: BatchCopies;
  readonly #losses = new Losses();
  /** Columns that have got wider types by now. */
  readonly #wider: WiderColumn[] = [];
  #hasSavepoint = false;
  #rows = 0;
  /** Rows that were left out before they went, and rows that the target has dropped. */
  #left = 0;
  #dropped = 0;
  #failure: ConnectorError | null = null;
  readonly #computed: ComputedColumns;

  constructor(
    session: Session,
    request: WriteRequest,
    name: TableName,
    alreadyDone: { readonly rows: number } | null,
  ) {
    this.#session = session;
    this.#request = request;
    this.#name = name;
    this.alreadyDone = alreadyDone;
    this.#computed = new ComputedColumns(request);
    this.#copies = new BatchCopies(request, this.#losses);
    if (alreadyDone !== null) this.#end();
  }

  get #client(): ClientBase {
    return this.#session.client;
  }

  async write(batch: Batch): Promise<void> {
    this.#requireUsable();
    if (batch.rows.length === 0) return;
    requireKeys(batch, this.#request.key);
    const before = this.#place;
    try {
      await this.#begin();
      const shapes = this.#copies.shapesOf(batch);
      // One message for a batch like the one before: its savepoint takes the place of the last one.
      const isKnown = this.#copies.knows(shapes);
      if (!isKnown) await this.#prepare(batch, shapes);
      const prefix = isKnown ? 'RELEASE SAVEPOINT batch; SAVEPOINT batch; ' : '';
      const { sent, taken } = await this.#copies.write(this.#client, shapes, prefix);
      if (this.#settlesBatches && this.#place !== null)
        this.#place = await settleStage(this.#client, this.#request, this.#place);
      this.#rows += batch.rows.length;
      this.#dropped += sent - taken;
      // Of records with one key, all but the first were left out.
      if (this.#request.mode === 'insert_only') this.#left += batch.rows.length - sent;
      this.#losses.keep();
    } catch (error) {
      this.#place = before;
      this.#copies.forget();
      this.#losses.restart();
      throw await this.#undoBatch(error);
    }
  }

  async takeCopy(copy: RowsCopy, onRows: (rows: number) => void): Promise<number | null> {
    this.#requireUsable();
    const { mode } = this.#request;
    if (!(copy instanceof PostgresRowsCopy) || mode === 'delete' || mode === 'scd2') return null;
    try {
      await this.#begin();
      if (await lacksColumns(this.#client, this.#name, copy.columns)) return null;
      const sent = await this.#takeCopy(copy, onRows);
      if (sent !== null) return sent;
      await this.#client.query('ROLLBACK TO SAVEPOINT batch');
    } catch (error) {
      const fault = await this.#undoBatch(error);
      if (fault.fault !== 'DATA') throw fault;
    }
    this.#place = null;
    this.#copies.forget();
    return null;
  }

  /** null where the rows must come as batches: their types do not prove that each arrives as it is, or one of them has no key. */
  async #takeCopy(copy: PostgresRowsCopy, onRows: (rows: number) => void): Promise<number | null> {
    const { key } = this.#request;
    const batch = { columns: copy.columns, rows: [] };
    requireKeys(batch, key);
    await this.#prepare(batch, [batch]);
    const place = this.#place;
    const copied = place === null ? null : await copyInto(this.#client, place.table.name, copy, onRows);
    if (place === null || copied === null || (await lacksKeys(this.#client, place.table.name, key)))
      return null;
    if (this.#settlesBatches) this.#place = await settleStage(this.#client, this.#request, place);
    this.#rows += copied.sent;
    this.#dropped += copied.sent - copied.taken;
    return copied.sent;
  }

  async widen(columns: readonly WiderColumn[]): Promise<void> {
    this.#requireUsable();
    this.#copies.forget();
    try {
      await this.#begin();
      this.#wider.push(...columns);
      if (this.#place !== null) {
        this.#place = await widenPlace(this.#client, this.#request, this.#place, columns);
        return;
      }
      if (EMPTYING_MODES.includes(this.#request.mode)) return;
      await lockDefinition(this.#client, this.#name);
      const target = await findTable(this.#client, this.#name);
      if (target !== null) await widenColumns(this.#client, target, columns);
    } catch (error) {
      throw this.#fail(this.#request.signal.aborted ? cancelled(error) : postgresFault(error, 'write'));
    }
  }

  async commit(isComplete = false): Promise<Committed> {
    if (this.alreadyDone !== null) return this.alreadyDone;
    this.#requireUsable();
    const { mode, allowEmpty, missing = null } = this.#request;
    const takesMissing = isComplete && missing !== null;
    const isNothing = this.#rows === 0 && !(allowEmpty && EMPTYING_MODES.includes(mode)) && !takesMissing;
    if (isNothing) {
      await this.abort();
      return { rows: 0 };
    }
    let ended = { left: 0, dropped: 0, deleted: 0 };
    try {
      await this.#begin();
      ended = await this.#finish(takesMissing);
      await this.#client.query('COMMIT');
    } catch (error) {
      await this.abort();
      throw this.#request.signal.aborted ? cancelled(error) : postgresFault(error, 'commit');
    }
    this.#end();
    const { left, dropped, deleted } = ended;
    return {
      rows: this.#rows - left - dropped,
      ...(dropped > 0 && { dropped }),
      ...(takesMissing && { deleted }),
      ...this.#losses.counts,
    };
  }

  async abort(): Promise<void> {
    if (this.#state === 'ended') return;
    const wasLoading = this.#state === 'loading';
    this.#state = 'ended';
    // A session that cannot even roll back is closed by `release`, and the server rolls back.
    if (wasLoading) await this.#client.query('ROLLBACK').catch(() => undefined);
    this.#end();
  }

  #requireUsable(): void {
    if (this.#request.signal.aborted) throw cancelled(this.#request.signal.reason);
    if (this.#failure !== null) throw this.#failure;
    if (this.#state === 'ended') throw new ConnectorError('CONFIG', 'The load has already ended');
  }

  #end(): void {
    this.#state = 'ended';
    this.#session.release(true);
  }

  async #begin(): Promise<void> {
    if (this.#state !== 'fresh') return;
    await this.#client.query(
      `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${lockWaitMs}; SET LOCAL statement_timeout = 0${
        this.#request.rowsMayFail ? '; SET CONSTRAINTS ALL IMMEDIATE' : ''
      }`,
    );
    this.#state = 'loading';
  }

  /** Makes the place ready for a batch of these shapes, under the batch's savepoint. */
  async #prepare(batch: Batch, shapes: readonly Batch[]): Promise<void> {
    await this.#client.query(
      this.#hasSavepoint ? 'RELEASE SAVEPOINT batch; SAVEPOINT batch' : 'SAVEPOINT batch',
    );
    this.#hasSavepoint = true;
    const known = this.#place;
    const made = await this.#placeFor(batch);
    // A table that the batch has made, or a stage, has the types of the rows, or those of the target.
    const place = known === null ? await widenPlace(this.#client, this.#request, made, this.#wider) : made;
    this.#place = await placeForShapes(this.#client, place, shapes);
    if (this.#place !== known) this.#copies.forget();
    const { columns } = this.#place.target ?? this.#place.table;
    this.#computed.without(batch.columns, (column) =>
      columns.some((one) => one.generated && one.name === column),
    );
    this.#copies.prepare(this.#place, shapes);
  }

  /** Looks again where another session has made or changed the same table in the meantime. */
  async #placeFor(batch: Batch): Promise<LoadPlace> {
    for (let look = 1; ; look += 1) {
      try {
        return await preparePlace(this.#client, this.#request, this.#name, this.#place, batch);
      } catch (error) {
        if (look === looksMax || !isDefinitionRace(error)) throw error;
        await this.#client.query('ROLLBACK TO SAVEPOINT batch');
      }
    }
  }

  /** Takes back the batch; a load whose session or target has failed is over. */
  async #undoBatch(error: unknown): Promise<ConnectorError> {
    if (this.#request.signal.aborted) return this.#fail(cancelled(error));
    const fault = postgresFault(error, 'write');
    if (this.#failure !== null) return this.#failure;
    if (!isServerError(error) && fault.fault !== 'DATA' && fault.fault !== 'CONFIG') return this.#fail(fault);
    try {
      await this.#client.query(this.#hasSavepoint ? 'ROLLBACK TO SAVEPOINT batch' : 'SELECT 1');
    } catch (second) {
      return this.#fail(postgresFault(second, 'write'));
    }
    return fault.fault === 'DATA' ? fault : this.#fail(fault);
  }

  #fail(fault: ConnectorError): ConnectorError {
    this.#failure = fault;
    // Closing the session takes the whole load back.
    this.#end();
    return fault;
  }

  /** The rows of each batch go on from the stage to the target at once, so that one that the target refuses is met there. */
  get #settlesBatches(): boolean {
    const { mode, rowsMayFail = false } = this.#request;
    return rowsMayFail && KEYED_MODES.includes(mode) && mode !== 'scd2';
  }

  /** How many rows changed nothing or were dropped, and how many that no longer come have gone. */
  async #finish(takesMissing: boolean): Promise<Ended> {
    const { mode, loadId } = this.#request;
    const place = this.#place;
    const dropped = this.#dropped;
    if (mode === 'append') {
      await createMarks(this.#client, this.#name.schema);
      await saveMark(this.#client, { loadId, name: this.#name, rows: this.#rows - dropped });
      return { left: 0, dropped, deleted: 0 };
    }
    if (EMPTYING_MODES.includes(mode))
      return {
        left: 0,
        dropped: await replaceTarget(this.#client, this.#request, this.#name, place, this.#rows),
        deleted: 0,
      };
    const applied =
      place === null || this.#settlesBatches
        ? { left: place?.left ?? 0, dropped: place?.dropped ?? 0, seen: place?.seen ?? null }
        : await applyStage(this.#client, this.#request, place, takesMissing);
    const deleted = takesMissing
      ? await takeMissing(this.#client, this.#request, this.#name, applied.seen)
      : 0;
    return { left: this.#left + applied.left, dropped: applied.dropped, deleted };
  }
}

interface Ended {
  readonly left: number;
  readonly dropped: number;
  readonly deleted: number;
}
