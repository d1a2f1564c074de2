import { randomHex } from '../../../base/ids.ts';
import {
  AbsentResourceError,
  type Batch,
  type Column,
  ConnectorError,
  type WriteRequest,
} from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { requireVersioned, uniqueKey } from '../../sql/load/load-key.ts';
import type { ShapedRows } from '../../sql/load/row-shapes.ts';
import type { WiderColumn } from '../../types/type-bounds.ts';
import { findColumn, findTable, type MysqlTable, ownTablePrefix, tableName } from '../introspect.ts';
import type { Session } from '../session-pool.ts';
import type { LoadPlan } from './load-plan.ts';
import { orderColumn, type Settlement, settle } from './merge-stage.ts';
import { putRows } from './put-rows.ts';
import { createStage, isOtherwise, type RowStage, readColumns, restage } from './row-stage.ts';
import {
  addColumns,
  again,
  createTable,
  dropIfEmpty,
  missingColumns,
  requireUniqueKey,
  settable,
} from './table/load-table.ts';
import { NewColumns } from './table/new-columns.ts';
import { changingTable, lockTable, lookingAgain } from './table/table-lock.ts';
import { widenColumns } from './table/widen-columns.ts';
import { takeMissing } from './take-missing.ts';

/** What is done to take a batch back, the last of it first. */
type Undo = (() => Promise<unknown>)[];

/**
 * A load whose rows go to a stage, and batch by batch on to the target, inside one transaction: what the target refuses is met in its
 * own batch. A change of the target's columns would commit that transaction: where one is needed, or may come to be, the stages keep
 * their rows, and at the end the transaction is taken back, the target is changed, and all rows go to it again.
 */
export class StagedLoad {
  readonly #session: Session;
  readonly #plan: LoadPlan;
  readonly #hasOnlyKey: boolean;
  /** Columns that the target lacks, or all of a target that is not there yet. */
  readonly #added: NewColumns;
  /** Columns that have wider types in newer stages, by their name without case. */
  readonly #wider = new Map<string, WiderColumn>();
  readonly #stages: RowStage[] = [];
  readonly #mayChange: boolean;
  /** Which versions rows make depends on all of them: they wait in their stages. */
  #settlesAtEnd: boolean;
  /** The keys that came, where others may be missing. */
  #seen: string | null = null;
  #left = 0;
  #made = false;
  #changed: readonly string[] = [];

  private constructor(session: Session, plan: LoadPlan, hasOnlyKey: boolean) {
    this.#session = session;
    this.#plan = plan;
    this.#hasOnlyKey = hasOnlyKey;
    const { request, target } = plan;
    this.#added = new NewColumns(session, uniqueKey(request));
    this.#settlesAtEnd = request.mode === 'scd2';
    this.#mayChange =
      this.#settlesAtEnd ||
      (request.mode !== 'delete' && (target === null || request.columnsAreFixed !== true));
  }

  /** Prepares the target where that commits by itself; the caller begins its transaction after this. */
  static async open(session: Session, plan: LoadPlan, first: Batch): Promise<StagedLoad> {
    const { request, target } = plan;
    const isMerge = request.key.length > 0 && request.mode !== 'delete';
    if (request.mode === 'delete') requireTarget(request, target);
    if (target !== null) requireVersioned(request, (name) => findColumn(target, name) !== undefined);
    const key = uniqueKey(request);
    const isKeyThere = target !== null && key.every((name) => findColumn(target, name) !== undefined);
    const hasOnlyKey = isMerge && isKeyThere && (await requireUniqueKey(session, target, key));
    const isFixed = target !== null && missingColumns(target, first.columns).length === 0;
    const { columnsAreFixed = false } = request;
    const exact = { ...request, columnsAreFixed: columnsAreFixed && isFixed };
    return new StagedLoad(session, { ...plan, request: exact }, hasOnlyKey);
  }

  /** The target gets the types at the end, as it does new columns. */
  async widen(columns: readonly WiderColumn[]): Promise<void> {
    const { request, target } = this.#plan;
    for (const column of columns) this.#wider.set(column.name.toLowerCase(), column);
    // Without these columns no row can go on before that.
    const isNeeded = ({ name }: WiderColumn) =>
      request.key.includes(name) || (target !== null && findColumn(target, name)?.notNull === true);
    if (columns.some(isNeeded)) this.#settlesAtEnd = true;
  }

  async put(shapes: readonly ShapedRows[]): Promise<void> {
    const { client } = this.#session;
    const target = this.#narrowTarget();
    const [added, left] = [this.#added.all.length, this.#left];
    const undo: Undo = [];
    try {
      if (target !== null) await client.query('SAVEPOINT batch');
      for (const { batch } of shapes) await this.#putShape(target, batch, undo);
    } catch (error) {
      if (this.#plan.target !== null)
        await client.query('ROLLBACK TO SAVEPOINT batch').catch(() => undefined);
      for (const back of undo.reverse()) await back().catch(() => undefined);
      this.#added.cutTo(added);
      this.#left = left;
      throw error;
    }
  }

  async #putShape(target: MysqlTable | null, batch: Batch, undo: Undo): Promise<void> {
    const { client } = this.#session;
    const stage = await this.#stageFor(batch, undo);
    const { last, rows } = stage;
    const order = quoteIdentifier(orderColumn);
    const remove = () => client.query(`DELETE FROM ${stage.name.sql} WHERE ${order} > ${last}`);
    undo.push(async () => {
      Object.assign(stage, { last, rows });
      await remove();
    });
    await putRows(client, this.#plan.way, stage.put, batch.rows, remove);
    if (target !== null && !this.#settlesAtEnd)
      this.#left += await this.#settle(target, stage, { after: last, rows: batch.rows.length });
    const { rows: found } = await client.query(`SELECT MAX(${order}) FROM ${stage.name.sql}`);
    stage.last = Number(found[0]?.[0] ?? last);
    stage.rows += batch.rows.length;
    if (!this.#mayChange) await client.query(`DELETE FROM ${stage.name.sql}`);
  }

  /** Gives the target all that it lacks, inside a transaction of the caller; gives how many rows changed nothing. */
  async finish(isComplete: boolean): Promise<number> {
    const { client } = this.#session;
    const { name, target, request } = this.#plan;
    if (target !== null && this.#added.all.length === 0 && this.#wider.size === 0)
      return this.#settlesAtEnd ? this.#settleAll(target, isComplete, this.#hasOnlyKey) : this.#left;
    // The stages keep the rows, so that all of it can be done again where another load has changed the table in between.
    return lookingAgain(async () => {
      await client.query('ROLLBACK');
      // Rows that find others by their keys lock what is between them: two such loads would wait for each other.
      if (request.key.length > 0) await lockTable(client, name);
      const { table, hasOnlyKey } = await changingTable(client, name, () => this.#change());
      await this.#refit(table);
      await client.query('START TRANSACTION');
      return this.#settleAll(table, isComplete, hasOnlyKey);
    });
  }

  /** Makes the table, or gives it what it still lacks. */
  async #change(): Promise<{ readonly table: MysqlTable; readonly hasOnlyKey: boolean }> {
    const session = this.#session;
    const { name, request, target } = this.#plan;
    const added = this.#added.all;
    const there = await findTable(session, name);
    if (there !== null) {
      await addColumns(session.client, name, missingColumns(there, added));
    } else {
      if (target !== null) await again(session, name);
      await createTable(session, name, added, uniqueKey(request));
      this.#made = true;
    }
    const made = await again(session, name);
    const table = await widenColumns(session, made, this.#wider.values());
    this.#changed = target === null ? [] : [...this.#wider.values()].map((column) => column.name);
    const isKeyed = request.key.length > 0 && request.mode !== 'delete';
    const hasOnlyKey = isKeyed && (await requireUniqueKey(session, table, uniqueKey(request)));
    return { table, hasOnlyKey };
  }

  /** Another load may have made the table, or columns of it, with other types. */
  async #refit(table: MysqlTable): Promise<void> {
    for (const [at, stage] of this.#stages.entries()) {
      if (!isOtherwise(stage, table)) continue;
      const made = await createStage(this.#session, this.#place, readColumns(stage), {
        target: table,
        added: this.#added,
        wider: new Map(),
      });
      this.#stages[at] = await restage(this.#session, stage, made, this.#plan.way);
    }
  }

  async #settleAll(table: MysqlTable, isComplete: boolean, hasOnlyKey: boolean): Promise<number> {
    let left = 0;
    for (const stage of this.#stages) {
      const all = { after: 0, rows: stage.rows, isComplete };
      left += await this.#settle(table, stage, all, hasOnlyKey);
    }
    return left;
  }

  /** Takes away the rows of the target whose key did not come; gives how many. */
  takeMissing(): Promise<number> {
    return takeMissing(this.#session, this.#plan, this.#seen);
  }

  /** Columns that the target has with wider types, whatever becomes of the rows. */
  get changed(): readonly string[] {
    return this.#changed;
  }

  /** The target without columns whose new rows do not fit it yet. */
  #narrowTarget(): MysqlTable | null {
    const { target } = this.#plan;
    if (target === null || this.#wider.size === 0) return target;
    const columns = target.columns.filter(({ name }) => !this.#wider.has(name.toLowerCase()));
    return { ...target, columns };
  }

  /** After the rollback: a table that this load has made goes again. */
  async tidy(): Promise<void> {
    if (!this.#made) return;
    const { client } = this.#session;
    await changingTable(client, this.#plan.name, () => dropIfEmpty(client, this.#plan.name));
  }

  async #settle(
    target: MysqlTable,
    stage: RowStage,
    part: Pick<Settlement, 'after' | 'rows'> & Partial<Pick<Settlement, 'isComplete'>>,
    hasOnlyKey = this.#hasOnlyKey,
  ): Promise<number> {
    const columns = stage.put.names;
    await this.#noteKeys(target, stage, part.after);
    const settlement = { target, hasOnlyKey, stage: stage.name, columns, isComplete: false, ...part };
    return settle(this.#session.client, this.#plan.request, settlement);
  }

  /** Keys of rows that are taken back may stay: then rows have failed, and none is taken for missing. */
  async #noteKeys(target: MysqlTable, stage: RowStage, after: number): Promise<void> {
    const { key, missing } = this.#plan.request;
    if (!missing) return;
    const { client } = this.#session;
    const list = quoteList(key);
    if (this.#seen === null) {
      const seen = tableName(target.name.database, `${ownTablePrefix}seen_${randomHex(6)}`).sql;
      await client.query(
        `CREATE TEMPORARY TABLE ${seen} (INDEX (${list})) ENGINE = InnoDB SELECT ${list} FROM ${target.name.sql} LIMIT 0`,
      );
      this.#seen = seen;
    }
    await client.query(
      `INSERT INTO ${this.#seen} (${list}) SELECT ${list} FROM ${stage.name.sql} WHERE ${quoteIdentifier(orderColumn)} > ${after}`,
    );
  }

  /** The stage of rows with these columns; where rows have keys their order counts, and an older stage is not taken up again. */
  async #stageFor(batch: Batch, undo: Undo): Promise<RowStage> {
    const { request, target } = this.#plan;
    const all = settable(target, batch.columns);
    const columns = request.mode === 'delete' ? all.filter(({ name }) => request.key.includes(name)) : all;
    const shape = shapeOf(columns);
    const candidates = request.key.length > 0 && this.#mayChange ? this.#stages.slice(-1) : this.#stages;
    const isFit = ({ columns, wider }: RowStage) => shapeOf(columns) === shape && wider === this.#wider.size;
    const found = candidates.find(isFit);
    if (found !== undefined) return found;
    if (columns.length === 0) throw new ConnectorError('CONFIG', 'The rows have no columns for the table');
    const types = { target, added: this.#added, wider: this.#wider };
    const stage = await createStage(this.#session, this.#place, columns, types);
    this.#stages.push(stage);
    undo.push(async () => {
      this.#stages.splice(this.#stages.indexOf(stage), 1);
      await this.#session.client.query(`DROP TEMPORARY TABLE IF EXISTS ${stage.name.sql}`);
    });
    return stage;
  }

  get #place() {
    return { database: this.#plan.name.database, rules: this.#plan.rules };
  }
}

function shapeOf(columns: readonly Column[]): string {
  return JSON.stringify(columns);
}

function requireTarget({ object, key }: WriteRequest, target: MysqlTable | null): void {
  if (target === null) throw new AbsentResourceError(`There is no table "${object}" to delete rows from`);
  const missing = key.find((name) => findColumn(target, name) === undefined);
  if (missing === undefined) return;
  throw new ConnectorError('CONFIG', `The table "${object}" has no key column "${missing}"`);
}
