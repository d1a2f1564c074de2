import { EMPTYING_MODES } from '../../language/task/steps/load/load-step.ts';
import { type Batch, ConnectorError, type WriteRequest, type Writer } from '../driver.ts';
import type { Committed } from '../load-request.ts';
import { ComputedColumns } from '../sql/load/computed-columns.ts';
import { requireKeyOfMode, uniqueKey } from '../sql/load/load-key.ts';
import { rowShapes } from '../sql/load/row-shapes.ts';
import { requireKeys } from '../sql/row-batch.ts';
import { cancelled } from '../sql/session-turns.ts';
import type { WiderColumn } from '../types/type-bounds.ts';
import { Losses } from '../values/losses.ts';
import { findColumn, findTable, type MysqlTable, type TableName, tableNameOf } from './introspect.ts';
import type { CellRules } from './load/cell-text.ts';
import { DirectLoad } from './load/direct-load.ts';
import { createMarks, findMark, saveMark } from './load/load-marks.ts';
import type { LoadPlan } from './load/load-plan.ts';
import type { PutWay } from './load/put-rows.ts';
import { emptyTarget, ReplacingLoad } from './load/replacing-load.ts';
import { StagedLoad } from './load/staged-load.ts';
import { keyColumns, missingColumns, uniqueIndexes } from './load/table/load-table.ts';
import { changingTriggers } from './load/table/other-tables.ts';
import { changedMeanwhile } from './load/table/table-lock.ts';
import { requireColumnNames, requireTableName } from './load/table/target-names.ts';
import { takeMissing } from './load/take-missing.ts';
import { isServerError, type KeyColumns, mysqlFault } from './mysql-fault.ts';
import type { Session, SessionPool } from './session-pool.ts';

type Load = DirectLoad | StagedLoad | ReplacingLoad;

/** Server errors after which the transaction is gone: a deadlock, and a lock that was waited for too long. */
const LOST: ReadonlySet<number> = new Set([1205, 1213]);

/**
 * One load into one table, visible from `commit` on. It has a session of its own; when the process dies the server rolls back, and
 * temporary tables go with the session.
 *
 * States: `fresh` until the first batch, `loading` in the transaction, `ended` after commit, abort, or a lost session.
 */
class MysqlWriter implements Writer {
  readonly alreadyDone: { readonly rows: number } | null;
  readonly #session: Session;
  readonly #request: WriteRequest;
  readonly #name: TableName;
  readonly #way: PutWay;
  readonly #rules: CellRules;
  #state: 'fresh' | 'loading' | 'ended' = 'fresh';
  #load: Load | null = null;
  #keys: KeyColumns = new Map();
  #target: MysqlTable | null = null;
  readonly #computed: ComputedColumns;
  readonly #wider: WiderColumn[] = [];
  #rows = 0;
  #left = 0;
  #failure: ConnectorError | null = null;

  constructor(session: Session, request: WriteRequest, { name, way, rules, done }: Opened) {
    this.#session = session;
    this.#request = request;
    this.#name = name;
    this.#way = way;
    this.#rules = rules;
    this.alreadyDone = done;
    this.#computed = new ComputedColumns(request);
    if (done !== null) this.#end();
  }

  async write(batch: Batch): Promise<void> {
    this.#requireUsable();
    if (batch.rows.length === 0) return;
    const { mode, key } = this.#request;
    requireKeys(batch, key);
    requireColumnNames(batch.columns.map(({ name }) => name));
    try {
      const load = await this.#begin(batch);
      const target = this.#target;
      if (target !== null)
        this.#computed.without(batch.columns, (column) => findColumn(target, column)?.generated === true);
      const shapes = rowShapes(batch, mode === 'delete' ? [] : uniqueKey(this.#request), mode);
      await load.put(shapes);
      this.#rows += batch.rows.length;
      // Of the records of one key that were put together, the first was taken and the others left.
      if (mode === 'insert_only')
        this.#left += batch.rows.length - shapes.reduce((sum, shape) => sum + shape.batch.rows.length, 0);
      this.#way.losses.keep();
    } catch (error) {
      this.#way.losses.restart();
      throw await this.#faultOf(error);
    }
  }

  async widen(columns: readonly WiderColumn[]): Promise<void> {
    this.#requireUsable();
    this.#wider.push(...columns);
    try {
      await this.#load?.widen(columns);
    } catch (error) {
      throw await this.#faultOf(error);
    }
  }

  async commit(isComplete = false): Promise<Committed> {
    if (this.alreadyDone !== null) return this.alreadyDone;
    this.#requireUsable();
    const { mode, loadId, allowEmpty, signal, missing = null } = this.#request;
    const empties = EMPTYING_MODES.includes(mode);
    const takesMissing = isComplete && missing !== null;
    if (this.#rows === 0 && !(allowEmpty && empties) && !takesMissing) {
      await this.abort();
      return { rows: 0 };
    }
    let left = 0;
    let deleted = 0;
    try {
      if (this.#rows > 0) left = (await this.#load?.finish(takesMissing)) ?? 0;
      else if (empties) await emptyTarget(this.#session, this.#name, this.#request);
      if (takesMissing) deleted = await this.#takeMissing();
      if (mode === 'append')
        await saveMark(this.#session.client, { loadId, name: this.#name, rows: this.#rows });
      await this.#session.client.query('COMMIT');
    } catch (error) {
      await this.abort();
      throw signal.aborted ? cancelled(error) : this.#commitFault(error);
    }
    if (this.#rows === 0) await this.#load?.tidy().catch(() => undefined);
    this.#end();
    const rows = this.#rows - left - this.#left;
    return { rows, ...(takesMissing && { deleted }), ...this.#way.losses.counts };
  }

  /** A change of a column commits by itself: it is told of where the rows are taken back. */
  #commitFault(error: unknown): ConnectorError {
    const fault = changedMeanwhile(error) ?? mysqlFault(error, 'commit', this.#keys);
    const { changed = [] } = this.#load ?? {};
    if (changed.length === 0) return fault;
    const names = changed.map((name) => `"${name}"`).join(', ');
    const message = `${fault.message}. No row was loaded; the wider types of ${names} stay`;
    return new ConnectorError(fault.fault, message, { cause: fault, column: fault.column });
  }

  async #takeMissing(): Promise<number> {
    if (this.#load instanceof StagedLoad) return this.#load.takeMissing();
    await this.#session.client.query('START TRANSACTION');
    return takeMissing(this.#session, { request: this.#request, name: this.#name }, null);
  }

  async abort(): Promise<void> {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    // A session that cannot even roll back is closed by `release`, and the server rolls back.
    await this.#session.client
      .query('ROLLBACK')
      .then(() => this.#load?.tidy())
      .catch(() => undefined);
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

  /** What commits by itself comes first, then the transaction of the load. */
  async #begin(batch: Batch): Promise<Load> {
    if (this.#load !== null) return this.#load;
    const session = this.#session;
    const { mode, object, columnsAreFixed = false } = this.#request;
    await requireTableName(session.client, this.#name);
    const target = await findTable(session, this.#name);
    if (target?.kind === 'view') throw new ConnectorError('CONFIG', `"${object}" is a view; name a table`);
    this.#target = target;
    if (target !== null) {
      this.#keys = keyColumns(await uniqueIndexes(session, this.#name));
      await this.#tellTriggers();
    }
    const [request, way, rules] = [this.#request, this.#way, this.#rules];
    const plan: LoadPlan = { request, name: this.#name, target, way, rules };
    if (EMPTYING_MODES.includes(mode)) {
      this.#load = await ReplacingLoad.open(session, plan, batch);
      await this.#load.widen(this.#wider);
      return this.#load;
    }
    if (mode === 'append') await createMarks(session.client, this.#name);
    const isWhole = target !== null && missingColumns(target, batch.columns).length === 0;
    const load =
      mode === 'append' && columnsAreFixed && isWhole
        ? new DirectLoad(session, plan, target)
        : await StagedLoad.open(session, plan, batch);
    if (this.#wider.length > 0) await load.widen(this.#wider);
    await session.client.query('START TRANSACTION');
    this.#state = 'loading';
    this.#load = load;
    return load;
  }

  /** What a trigger changes is no longer what the rows say. None can leave a row out, but by an error. */
  async #tellTriggers(): Promise<void> {
    const { object, mode, log } = this.#request;
    if (log === undefined || mode === 'delete') return;
    const names = await changingTriggers(this.#session.client, this.#name);
    if (names.length === 0) return;
    const list = names.map((name) => `"${name}"`).join(', ');
    log('warn', `Rows of "${object}" may be changed as they are written: the table has the trigger ${list}`);
  }

  /** The load takes a batch back by itself; one whose session or target has failed is over. */
  async #faultOf(error: unknown): Promise<ConnectorError> {
    if (this.#request.signal.aborted) return this.#fail(cancelled(error));
    const fault = changedMeanwhile(error) ?? mysqlFault(error, 'write', this.#keys);
    if (this.#failure !== null) return this.#failure;
    const isLost = LOST.has(Number((error as { errno?: unknown }).errno));
    const isOurs = isServerError(error) || error instanceof ConnectorError || fault.fault === 'DATA';
    if (fault.fault === 'DATA' && isOurs && !isLost) return fault;
    await this.#session.client
      .query('ROLLBACK')
      .then(() => this.#load?.tidy())
      .catch(() => undefined);
    return this.#fail(fault);
  }

  #fail(fault: ConnectorError): ConnectorError {
    this.#failure = fault;
    // Closing the session takes the whole load back.
    this.#end();
    return fault;
  }
}

interface Opened {
  readonly name: TableName;
  readonly way: PutWay;
  readonly rules: CellRules;
  readonly done: { readonly rows: number } | null;
}

/** Of a load that is part of another one. */
interface WriterOptions {
  /** The name of the target in messages. */
  readonly shown?: string;
  /** Has the session before anything else. */
  readonly prepare?: (session: Session) => Promise<void>;
}

/** Opens a session for the load; it takes no lock before the first batch. */
export async function openMysqlWriter(
  pool: SessionPool,
  request: WriteRequest,
  { shown = request.object, prepare }: WriterOptions = {},
): Promise<Writer> {
  requireKeyOfMode(request);
  const name = tableNameOf(request.object, pool.database);
  const session = await pool.open(request.signal);
  try {
    await prepare?.(session);
    const { loadId, lossy = new Map() } = request;
    const done = request.mode === 'append' ? await findMark(session, { loadId, name }) : null;
    const losses = new Losses();
    const rules = { object: shown, lossy, losses, zeroDates: pool.zeroDates };
    return new MysqlWriter(session, request, { name, way: { bulk: pool.mayBulkLoad, losses }, rules, done });
  } catch (error) {
    session.release(true);
    throw request.signal.aborted ? cancelled(error) : mysqlFault(error, 'read');
  }
}
