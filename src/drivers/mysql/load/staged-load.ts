import { randomHex } from '../../../base/ids.ts';
import {
  AbsentResourceError,
  type Batch,
  type Column,
  ConnectorError,
  type WriteRequest,
} from '../../driver.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { findColumn, type MysqlTable, ownTablePrefix, type TableName, tableName } from '../introspect.ts';
import type { Session } from '../session-pool.ts';
import { declaredType } from '../value-type.ts';
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
import { orderColumn, settle } from './merge-stage.ts';
import { type PutTarget, type PutWay, putRows, putTarget } from './put-rows.ts';

/** A temporary table for rows with the same columns; it takes no part in transactions, so that its rows outlive a rollback. */
interface Stage {
  readonly name: TableName;
  readonly columns: readonly Column[];
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
  readonly #stages: Stage[] = [];
  readonly #mayChange: boolean;
  #left = 0;
  #made = false;

  private constructor(session: Session, plan: LoadPlan, hasOnlyKey: boolean) {
    this.#session = session;
    this.#plan = plan;
    this.#hasOnlyKey = hasOnlyKey;
    const { request, target } = plan;
    this.#mayChange = request.mode !== 'delete' && (target === null || request.columnsAreFixed !== true);
  }

  /** Prepares the target where that commits by itself; the caller begins its transaction after this. */
  static async open(session: Session, plan: LoadPlan, first: Batch): Promise<StagedLoad> {
    const { request, target } = plan;
    const isMerge = request.key.length > 0 && request.mode !== 'delete';
    if (request.mode === 'delete') requireTarget(request, target);
    const isKeyThere = target !== null && request.key.every((name) => findColumn(target, name) !== undefined);
    const hasOnlyKey = isMerge && isKeyThere && (await requireUniqueKey(session, target, request.key));
    const isFixed = target !== null && missingColumns(target, first.columns).length === 0;
    const { columnsAreFixed = false } = request;
    const exact = { ...request, columnsAreFixed: columnsAreFixed && isFixed };
    return new StagedLoad(session, { ...plan, request: exact }, hasOnlyKey);
  }

  async put(batch: Batch): Promise<void> {
    const { client } = this.#session;
    const { target, way } = this.#plan;
    const known = this.#stages.length;
    const addedBefore = new Map(this.#added);
    const stage = await this.#stageFor(batch);
    const remove = () =>
      client.query(`DELETE FROM ${stage.name.sql} WHERE ${quoteIdentifier(orderColumn)} > ${stage.last}`);
    try {
      if (target !== null) await client.query('SAVEPOINT batch');
      await putRows(client, way, stage.put, batch.rows, remove);
      const left =
        target === null
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
  async finish(): Promise<number> {
    const { client } = this.#session;
    const { name, request, target } = this.#plan;
    if (target !== null && this.#added.size === 0) return this.#left;
    await client.query('ROLLBACK');
    const added = [...this.#added.values()];
    if (target === null) {
      await createTable(client, name, added, request.key);
      this.#made = true;
    } else {
      await addColumns(client, name, added);
    }
    const table = await again(this.#session, name);
    const isKeyed = request.key.length > 0 && request.mode !== 'delete';
    const hasOnlyKey = isKeyed && (await requireUniqueKey(this.#session, table, request.key));
    await client.query('START TRANSACTION');
    let left = 0;
    for (const stage of this.#stages)
      left += await this.#settle(table, stage, { after: 0, rows: stage.rows }, hasOnlyKey);
    return left;
  }

  /** After the rollback: a table that this load has made goes again. */
  async tidy(): Promise<void> {
    if (this.#made) await dropIfEmpty(this.#session.client, this.#plan.name);
  }

  #settle(
    target: MysqlTable,
    stage: Stage,
    { after, rows }: { readonly after: number; readonly rows: number },
    hasOnlyKey = this.#hasOnlyKey,
  ): Promise<number> {
    const columns = stage.put.names;
    const settlement = { target, hasOnlyKey, stage: stage.name, columns, after, rows };
    return settle(this.#session.client, this.#plan.request, settlement);
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
    const found = candidates.find((stage) => shapeOf(stage.columns) === shape);
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
      if (there !== undefined) {
        const collation = there.collation === null ? '' : ` COLLATE ${there.collation}`;
        return { sql: `${there.declared}${collation}`, isJson: there.isJson };
      }
      // A column that comes again is of the type of its first rows.
      const folded = column.name.toLowerCase();
      const first = this.#added.get(folded) ?? column;
      this.#added.set(folded, first);
      return {
        sql: declaredType(first.type, request.key.includes(column.name)),
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
    return { name: stage, columns, put: putTarget(stage.sql, names, cells), last: 0, rows: 0 };
  }
}

function shapeOf(columns: readonly Column[]): string {
  return JSON.stringify(columns.map(({ name, type }) => [name, type]));
}

function requireTarget({ object, key }: WriteRequest, target: MysqlTable | null): void {
  if (target === null) throw new AbsentResourceError(`There is no table "${object}" to delete rows from`);
  const missing = key.find((name) => findColumn(target, name) === undefined);
  if (missing === undefined) return;
  throw new ConnectorError('CONFIG', `The table "${object}" has no column "${missing}" to find rows by`);
}
