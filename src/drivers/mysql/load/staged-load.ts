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
import type { WiderColumn } from '../../types/type-bounds.ts';
import { declaredType } from '../declared-type.ts';
import { findColumn, type MysqlTable, ownTablePrefix, type TableName, tableName } from '../introspect.ts';
import type { Session } from '../session-pool.ts';
import { cellFor } from './cell-text.ts';
import {
  addColumns,
  again,
  createTable,
  dropIfEmpty,
  missingColumns,
  requireUniqueKey,
  settable,
} from './load-table.ts';
import { orderColumn, type Settlement, settle } from './merge-stage.ts';
import { type PutTarget, type PutWay, putRows, putTarget } from './put-rows.ts';
import { takeMissing } from './take-missing.ts';
import { widenColumns } from './widen-columns.ts';

/** A temporary table for rows with the same columns and types; it takes no part in transactions, so that its rows outlive a rollback. */
interface Stage {
  readonly name: TableName;
  readonly columns: readonly Column[];
  /** How many columns had wider types than the target when it was made. */
  readonly wider: number;
  readonly put: PutTarget;
  /** The order of its newest row, and how many came. */
  last: number;
  rows: number;
}

export interface LoadPlan {
  readonly request: WriteRequest;
  readonly name: TableName;
  readonly target: MysqlTable | null;
  readonly way: PutWay;
}

/**
 * A load whose rows go to a stage, and batch by batch on to the target, inside one transaction: what the target refuses is met in its
 * own batch. A change of the target's columns would commit that transaction: where one is needed, or may come to be, the stages keep
 * their rows, and at the end the transaction is taken back, the target is changed, and all rows go to it again.
 */
export class StagedLoad {
  readonly #session: Session;
  readonly #plan: LoadPlan;
  readonly #hasOnlyKey: boolean;
  /** Columns that the target lacks, or all of a target that is not there yet, by their name without case. */
  readonly #added = new Map<string, Column>();
  /** Columns that have wider types in newer stages, by their name without case. */
  readonly #wider = new Map<string, WiderColumn>();
  readonly #stages: Stage[] = [];
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

  async put(batch: Batch): Promise<void> {
    const { client } = this.#session;
    const { way } = this.#plan;
    const target = this.#narrowTarget();
    const known = this.#stages.length;
    const addedBefore = new Map(this.#added);
    const stage = await this.#stageFor(batch);
    const remove = () =>
      client.query(`DELETE FROM ${stage.name.sql} WHERE ${quoteIdentifier(orderColumn)} > ${stage.last}`);
    try {
      if (target !== null) await client.query('SAVEPOINT batch');
      await putRows(client, way, stage.put, batch.rows, remove);
      const left =
        target === null || this.#settlesAtEnd
          ? 0
          : await this.#settle(target, stage, { after: stage.last, rows: batch.rows.length });
      const { rows } = await client.query(
        `SELECT MAX(${quoteIdentifier(orderColumn)}) FROM ${stage.name.sql}`,
      );
      stage.last = Number(rows[0]?.[0] ?? stage.last);
      stage.rows += batch.rows.length;
      this.#left += left;
      if (!this.#mayChange) await client.query(`DELETE FROM ${stage.name.sql}`);
    } catch (error) {
      await this.#undo(stage, known, remove);
      this.#added.clear();
      for (const [name, column] of addedBefore) this.#added.set(name, column);
      throw error;
    }
  }

  /** Gives the target all that it lacks, inside a transaction of the caller; gives how many rows changed nothing. */
  async finish(isComplete: boolean): Promise<number> {
    const { client } = this.#session;
    const { name, request, target } = this.#plan;
    if (target !== null && this.#added.size === 0 && this.#wider.size === 0)
      return this.#settlesAtEnd ? this.#settleAll(target, isComplete, this.#hasOnlyKey) : this.#left;
    await client.query('ROLLBACK');
    const added = [...this.#added.values()];
    if (target === null) {
      await createTable(client, name, added, uniqueKey(request));
      this.#made = true;
    } else if (added.length > 0) {
      await addColumns(client, name, added);
    }
    const made = await again(this.#session, name);
    const table = await widenColumns(this.#session, made, this.#wider.values());
    this.#changed = target === null ? [] : [...this.#wider.values()].map((column) => column.name);
    const isKeyed = request.key.length > 0 && request.mode !== 'delete';
    const hasOnlyKey = isKeyed && (await requireUniqueKey(this.#session, table, uniqueKey(request)));
    await client.query('START TRANSACTION');
    return this.#settleAll(table, isComplete, hasOnlyKey);
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
    if (this.#made) await dropIfEmpty(this.#session.client, this.#plan.name);
  }

  async #settle(
    target: MysqlTable,
    stage: Stage,
    part: Pick<Settlement, 'after' | 'rows'> & Partial<Pick<Settlement, 'isComplete'>>,
    hasOnlyKey = this.#hasOnlyKey,
  ): Promise<number> {
    const columns = stage.put.names;
    await this.#noteKeys(target, stage, part.after);
    const settlement = { target, hasOnlyKey, stage: stage.name, columns, isComplete: false, ...part };
    return settle(this.#session.client, this.#plan.request, settlement);
  }

  /** Keys of rows that are taken back may stay: then rows have failed, and none is taken for missing. */
  async #noteKeys(target: MysqlTable, stage: Stage, after: number): Promise<void> {
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

  async #undo(stage: Stage, known: number, remove: () => Promise<unknown>): Promise<void> {
    const { client } = this.#session;
    if (this.#plan.target !== null) await client.query('ROLLBACK TO SAVEPOINT batch').catch(() => undefined);
    if (known === this.#stages.length) {
      await remove().catch(() => undefined);
    } else {
      this.#stages.pop();
      await client.query(`DROP TEMPORARY TABLE IF EXISTS ${stage.name.sql}`).catch(() => undefined);
    }
  }

  /** The stage of rows with these columns; where rows have keys their order counts, and an older stage is not taken up again. */
  async #stageFor(batch: Batch): Promise<Stage> {
    const { request, target } = this.#plan;
    const all = settable(target, batch.columns);
    const columns = request.mode === 'delete' ? all.filter(({ name }) => request.key.includes(name)) : all;
    const shape = shapeOf(columns);
    const candidates = request.key.length > 0 ? this.#stages.slice(-1) : this.#stages;
    const isFit = ({ columns, wider }: Stage) => shapeOf(columns) === shape && wider === this.#wider.size;
    const found = candidates.find(isFit);
    if (found !== undefined) return found;
    if (columns.length === 0) throw new ConnectorError('CONFIG', 'The rows have no columns for the table');
    const stage = await this.#createStage(columns);
    this.#stages.push(stage);
    return stage;
  }

  async #createStage(columns: readonly Column[]): Promise<Stage> {
    const { request, name, target } = this.#plan;
    const stage = tableName(name.database, `${ownTablePrefix}stage_${randomHex(6)}`);
    const declared = columns.map((column) => {
      const there = target === null ? undefined : findColumn(target, column.name);
      const wider = this.#wider.get(column.name.toLowerCase())?.to;
      if (there !== undefined) {
        const collation = there.collation === null ? '' : ` COLLATE ${there.collation}`;
        return { sql: `${wider ?? there.declared}${collation}`, isJson: there.isJson };
      }
      // A column that comes again is of the type of its first rows.
      const folded = column.name.toLowerCase();
      const first = this.#added.get(folded) ?? column;
      this.#added.set(folded, first);
      return {
        sql: wider ?? declaredType(first.type, uniqueKey(request).includes(column.name)),
        isJson: first.type === 'json',
      };
    });
    const lines = columns.map(
      ({ name }, i) => `${quoteIdentifier(name)} ${declared[i]?.sql} NULL DEFAULT NULL`,
    );
    await this.#session.client.query(
      `CREATE TEMPORARY TABLE ${stage.sql} (${quoteIdentifier(orderColumn)} bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
       ${lines.join(', ')}) ENGINE = MyISAM DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
    );
    const cells = columns.map((column, i) => {
      const { sql = '', isJson = false } = declared[i] ?? {};
      return cellFor(column, sql.toLowerCase(), isJson);
    });
    const names = columns.map((column) => column.name);
    const put = putTarget(stage.sql, names, cells);
    return { name: stage, columns, wider: this.#wider.size, put, last: 0, rows: 0 };
  }
}

function shapeOf(columns: readonly Column[]): string {
  return JSON.stringify(columns.map(({ name, type }) => [name, type]));
}

function requireTarget({ object, key }: WriteRequest, target: MysqlTable | null): void {
  if (target === null) throw new AbsentResourceError(`There is no table "${object}" to delete rows from`);
  const missing = key.find((name) => findColumn(target, name) === undefined);
  if (missing === undefined) return;
  throw new ConnectorError('CONFIG', `The table "${object}" has no key column "${missing}"`);
}
