import { randomHex } from '../../../base/ids.ts';
import type { Batch, Column } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import type { ShapedRows } from '../../sql/load/row-shapes.ts';
import { sourceKey } from '../../sql/load/source-key.ts';
import type { WiderColumn } from '../../types/type-bounds.ts';
import { findTable, type MysqlTable, ownTablePrefix, type TableName, tableName } from '../introspect.ts';
import type { MysqlClient } from '../mysql-client.ts';
import type { Session } from '../session-pool.ts';
import { PutTargets, putShape } from './direct-load.ts';
import type { LoadPlan } from './load-plan.ts';
import {
  addColumns,
  addColumnsOf,
  again,
  createTable,
  missingColumns,
  requireSameTypes,
  settable,
} from './table/load-table.ts';
import { NewColumns } from './table/new-columns.ts';
import { requireNoOtherRows } from './table/other-tables.ts';
import { changingTable } from './table/table-lock.ts';
import { widenColumns } from './table/widen-columns.ts';

export const stagePrefix = `${ownTablePrefix}stage_`;
/** A stage this old, whose load is not alive, was left by a process that died. */
const staleStageHours = 24;

/** A load into a table beside the target, which takes its name, or fills it, at the end. */
export class ReplacingLoad {
  readonly #session: Session;
  readonly #plan: LoadPlan;
  readonly #added: NewColumns;
  readonly #puts: PutTargets;
  #stage: MysqlTable;
  readonly #given = new Set<string>();
  readonly #wider: WiderColumn[] = [];
  #changed: readonly string[] = [];

  private constructor(
    session: Session,
    plan: LoadPlan,
    { stage, added }: { readonly stage: MysqlTable; readonly added: NewColumns },
  ) {
    this.#session = session;
    this.#plan = plan;
    this.#stage = stage;
    this.#added = added;
    this.#puts = new PutTargets(plan.rules);
  }

  static async open(session: Session, plan: LoadPlan, first: Batch): Promise<ReplacingLoad> {
    const { client } = session;
    const { name, target, request } = plan;
    if (target !== null) await requireNoOtherRows(client, name, request);
    await dropStale(client, name.database);
    const stage = tableName(name.database, `${stagePrefix}${randomHex(6)}`);
    // As long as this session lives, no other load takes the stage for a dead one's.
    await client.query(`SELECT GET_LOCK('${stage.name}', 0)`);
    const key = target === null ? sourceKey(first.columns) : [];
    const added = new NewColumns(session, key);
    if (target === null) await createTable(session, stage, typesOf(added, first.columns), key);
    else await client.query(`CREATE TABLE ${stage.sql} LIKE ${target.name.sql}`);
    return new ReplacingLoad(session, plan, { stage: await again(session, stage), added });
  }

  async widen(columns: readonly WiderColumn[]): Promise<void> {
    this.#wider.push(...columns);
    this.#stage = await widenColumns(this.#session, this.#stage, columns);
  }

  /** Columns that the target has with wider types, whatever becomes of the rows. */
  get changed(): readonly string[] {
    return this.#changed;
  }

  async put(shapes: readonly ShapedRows[]): Promise<void> {
    const { client } = this.#session;
    const before = this.#stage;
    const added = this.#added.all.length;
    const columns = shapes.flatMap(({ batch }) => batch.columns);
    const missing = [...new Set(missingColumns(before, columns).map((column) => this.#added.of(column)))];
    // A change of a table commits: what is committed here is the stage's alone.
    if (missing.length > 0) {
      await addColumns(client, before.name, missing);
      this.#stage = await again(this.#session, before.name);
    }
    await client.query('START TRANSACTION');
    try {
      for (const { batch } of shapes)
        await putShape(this.#session, this.#plan, this.#puts.into(this.#stage, batch), batch);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      this.#added.cutTo(added);
      if (missing.length > 0) {
        const dropped = missing.map(({ name }) => `DROP COLUMN ${quoteIdentifier(name)}`);
        await client.query(`ALTER TABLE ${before.name.sql} ${dropped.join(', ')}`).catch(() => undefined);
        this.#stage = before;
      }
      throw error;
    }
    for (const { name } of settable(this.#stage, columns)) this.#given.add(name);
  }

  async finish(): Promise<number> {
    const { client } = this.#session;
    const { name, request, rules } = this.#plan;
    const stage = this.#stage.name;
    await changingTable(client, name, async () => {
      // Another load may have made it, or removed it.
      const target = await findTable(this.#session, name);
      if (target === null) {
        await client.query(`RENAME TABLE ${stage.sql} TO ${name.sql}`);
      } else if (request.mode === 'replace' && (await isReplaceable(client, name))) {
        const old = tableName(name.database, `${stagePrefix}${randomHex(6)}`);
        await client.query(`RENAME TABLE ${name.sql} TO ${old.sql}, ${stage.sql} TO ${name.sql}`);
        await client.query(`DROP TABLE ${old.sql}`);
      } else {
        await this.#refill(target, rules.object);
      }
    });
    return 0;
  }

  async tidy(): Promise<void> {
    await this.#session.client.query(`DROP TABLE IF EXISTS ${this.#stage.name.sql}`);
  }

  async #refill(target: MysqlTable, object: string): Promise<void> {
    const { client } = this.#session;
    const stage = this.#stage;
    await addColumnsOf(client, target, stage);
    const table = await widenColumns(this.#session, target, this.#wider);
    this.#changed = this.#wider.map(({ name }) => name);
    requireSameTypes(table, stage, object);
    const list = quoteList([...this.#given]);
    await client.query('START TRANSACTION');
    await emptyTable(client, target.name, object);
    await client.query(`INSERT INTO ${target.name.sql} (${list}) SELECT ${list} FROM ${stage.name.sql}`);
    await client.query('COMMIT');
    await client.query(`DROP TABLE ${stage.name.sql}`);
  }
}

function typesOf(added: NewColumns, columns: readonly Column[]) {
  return columns.map((column) => added.of(column));
}

/** A load of no rows that may empty its target. */
export async function emptyTarget(
  session: Session,
  name: TableName,
  { object }: { readonly object: string },
): Promise<void> {
  if ((await findTable(session, name)) === null) return;
  await session.client.query('START TRANSACTION');
  await emptyTable(session.client, name, object);
}

/** Inside a transaction. */
export async function emptyTable(client: MysqlClient, name: TableName, object: string): Promise<void> {
  await requireNoOtherRows(client, name, { object, holds: true });
  await client.query(`DELETE FROM ${name.sql}`);
}

/** True when nothing knows the table but by its name: no foreign key of its own or of others, no trigger, no history. */
export async function isReplaceable(client: MysqlClient, { database, name }: TableName): Promise<boolean> {
  const { rows } = await client.execute(
    `SELECT (SELECT count(*) FROM information_schema.key_column_usage
         WHERE (table_schema = ? AND table_name = ? AND referenced_table_name IS NOT NULL)
           OR (referenced_table_schema = ? AND referenced_table_name = ?))
       + (SELECT count(*) FROM information_schema.triggers WHERE event_object_schema = ? AND event_object_table = ?)
       + (SELECT count(*) FROM information_schema.tables
         WHERE table_schema = ? AND table_name = ? AND table_type <> 'BASE TABLE')`,
    [database, name, database, name, database, name, database, name],
  );
  return Number(rows[0]?.[0]) === 0;
}

async function dropStale(client: MysqlClient, database: string): Promise<void> {
  const { rows } = await client.execute(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = ? AND LEFT(table_name, ?) = ?
       AND create_time < NOW() - INTERVAL ${staleStageHours} HOUR AND IS_FREE_LOCK(table_name) = 1`,
    [database, String(stagePrefix.length), stagePrefix],
  );
  for (const [name] of rows)
    await client.query(`DROP TABLE IF EXISTS ${tableName(database, String(name)).sql}`);
}
