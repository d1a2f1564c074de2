import { type Batch, ConnectorError } from '../../driver.ts';
import { findColumn, type MysqlTable } from '../introspect.ts';
import type { Session } from '../session-pool.ts';
import { cellFor } from './cell-text.ts';
import { missingColumns, settable } from './load-table.ts';
import { type PutTarget, putRows, putTarget } from './put-rows.ts';
import type { LoadPlan } from './staged-load.ts';

/** An append whose columns are all there and stay so: its rows go to the target itself, inside the caller's transaction. */
export class DirectLoad {
  readonly #session: Session;
  readonly #plan: LoadPlan;
  readonly #target: MysqlTable;
  #put: { readonly shape: string; readonly target: PutTarget } | null = null;

  constructor(session: Session, plan: LoadPlan, target: MysqlTable) {
    this.#session = session;
    this.#plan = plan;
    this.#target = target;
  }

  async put(batch: Batch): Promise<void> {
    const { client } = this.#session;
    const back = () => client.query('ROLLBACK TO SAVEPOINT batch');
    await client.query('SAVEPOINT batch');
    try {
      await putRows(client, this.#plan.way, this.#targetFor(batch), batch.rows, back);
    } catch (error) {
      await back().catch(() => undefined);
      throw error;
    }
  }

  /** A load that may get wider columns is none of these. */
  async widen(): Promise<void> {
    throw new ConnectorError('CONFIG', 'The columns of the load were given as fixed');
  }

  get changed(): readonly string[] {
    return [];
  }

  async finish(): Promise<number> {
    return 0;
  }

  async tidy(): Promise<void> {}

  #targetFor(batch: Batch): PutTarget {
    const shape = JSON.stringify(batch.columns.map(({ name, type }) => [name, type]));
    if (this.#put?.shape === shape) return this.#put.target;
    const [missing] = missingColumns(this.#target, batch.columns);
    if (missing !== undefined)
      throw new ConnectorError(
        'CONFIG',
        `The rows have the new column "${missing.name}" in the middle of the load`,
      );
    const target = putInto(this.#target, batch);
    this.#put = { shape, target };
    return target;
  }
}

/** The way of a batch's rows into a table that has all of its columns. */
export function putInto(table: MysqlTable, batch: Batch): PutTarget {
  const columns = settable(table, batch.columns);
  const names = columns.map((column) => column.name);
  const cells = columns.map((column) => {
    const there = findColumn(table, column.name);
    return cellFor(column, there?.declared.toLowerCase() ?? '', there?.isJson ?? false);
  });
  return putTarget(table.name.sql, names, cells);
}
