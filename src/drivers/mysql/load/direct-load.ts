import { type Batch, ConnectorError } from '../../driver.ts';
import type { ShapedRows } from '../../sql/load/row-shapes.ts';
import { findColumn, type MysqlTable } from '../introspect.ts';
import type { Session } from '../session-pool.ts';
import { type CellRules, cellFor } from './cell-text.ts';
import type { LoadPlan } from './load-plan.ts';
import { type PutTarget, putRows, putTarget } from './put-rows.ts';
import { missingColumns, settable } from './table/load-table.ts';

/** An append whose columns are all there and stay so: its rows go to the target itself, inside the caller's transaction. */
export class DirectLoad {
  readonly #session: Session;
  readonly #plan: LoadPlan;
  readonly #target: MysqlTable;
  readonly #puts: PutTargets;

  constructor(session: Session, plan: LoadPlan, target: MysqlTable) {
    this.#session = session;
    this.#plan = plan;
    this.#target = target;
    this.#puts = new PutTargets(plan.rules);
  }

  async put(shapes: readonly ShapedRows[]): Promise<void> {
    const { client } = this.#session;
    await client.query('SAVEPOINT batch');
    try {
      for (const { batch } of shapes)
        await putShape(this.#session, this.#plan, this.#targetFor(batch), batch);
    } catch (error) {
      await client.query('ROLLBACK TO SAVEPOINT batch').catch(() => undefined);
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
    const [missing] = missingColumns(this.#target, batch.columns);
    if (missing !== undefined)
      throw new ConnectorError(
        'CONFIG',
        `The rows have the new column "${missing.name}" in the middle of the load`,
      );
    return this.#puts.into(this.#target, batch);
  }
}

/** Puts the rows of one shape in, inside a transaction. */
export async function putShape(
  { client }: Session,
  { way }: Pick<LoadPlan, 'way'>,
  target: PutTarget,
  batch: Batch,
): Promise<void> {
  await client.query('SAVEPOINT shape');
  await putRows(client, way, target, batch.rows, () => client.query('ROLLBACK TO SAVEPOINT shape'));
}

/** The ways of rows into a table that has all of their columns. */
export class PutTargets {
  readonly #rules: CellRules;
  #table: MysqlTable | null = null;
  readonly #known = new Map<string, PutTarget>();

  constructor(rules: CellRules) {
    this.#rules = rules;
  }

  into(table: MysqlTable, { columns }: Batch): PutTarget {
    if (this.#table !== table) this.#known.clear();
    this.#table = table;
    const shape = JSON.stringify(columns);
    const known = this.#known.get(shape);
    if (known !== undefined) return known;
    const given = settable(table, columns);
    const names = given.map((column) => column.name);
    const cells = given.map((column) => {
      const there = findColumn(table, column.name);
      if (there === undefined) throw new ConnectorError('CONFIG', `The table has no column "${column.name}"`);
      return cellFor(column, there, this.#rules);
    });
    const made = putTarget(table.name.sql, names, cells);
    this.#known.set(shape, made);
    return made;
  }
}
