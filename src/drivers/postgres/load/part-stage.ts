import type { ClientBase } from 'pg';
import { EMPTYING_MODES, KEYED_MODES } from '../../../language/task/steps/load-step.ts';
import { type Column, ConnectorError, type Writer } from '../../driver.ts';
import { type Committed, type PartedLoad, type PartsRequest, partStageDays } from '../../load-request.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { requireKeyOfMode } from '../../sql/load/load-key.ts';
import {
  notWanted,
  publishedId,
  requireStagedRows,
  stageNameOf,
  stagePrefixOf,
  stagingWriter,
} from '../../sql/load/part-stage.ts';
import { findTable, type PostgresTable, type TableName, tableName, tableNameOf } from '../introspect.ts';
import type { SessionPool } from '../session-pool.ts';
import { declaredType } from '../value-type.ts';
import { lockWaitMs, openPostgresWriter } from '../write.ts';
import { createMarks, findMark, marksOf, saveMark } from './load-marks.ts';
import {
  addColumns,
  createTable,
  emptyTable,
  isReplaceable,
  orderColumn,
  partStagePrefix,
  requireUniqueKey,
  swapStage,
} from './load-table.ts';
import { mergeStage } from './merge-stage.ts';

/** In the place of a load's id: the stage is wanted. */
const STAGE_MARK = 'stage';

/**
 * The parts of one load in a table beside the target, and their marks beside those of appends. A part is an append to that table: its
 * rows and its mark come in one transaction. The table is logged, so that it outlives the server's own crashes with its marks.
 */
export class PostgresParts implements PartedLoad<Writer, Committed> {
  readonly alreadyDone: { readonly rows: number } | null;
  readonly #pool: SessionPool;
  readonly #request: PartsRequest;
  readonly #name: TableName;
  readonly #stage: TableName;
  #columns: Promise<void> | null = null;

  constructor(
    pool: SessionPool,
    request: PartsRequest,
    {
      name,
      stage,
      done,
    }: { readonly name: TableName; readonly stage: TableName; readonly done: { rows: number } | null },
  ) {
    this.#pool = pool;
    this.#request = request;
    this.#name = name;
    this.#stage = stage;
    this.alreadyDone = done;
  }

  async reset(signal: AbortSignal): Promise<void> {
    await this.#transaction(signal, async (client) => {
      await createMarks(client, this.#name.schema);
      const marks = marksOf(this.#name.schema);
      const { rows } = await client.query<{ object: string }>(
        `SELECT object FROM ${marks} WHERE load_id = '${STAGE_MARK}' AND starts_with(object, $1)
           AND loaded_at < now() - interval '${partStageDays} days'`,
        [stagePrefixOf(partStagePrefix, this.#name.sql)],
      );
      for (const object of new Set([this.#stage.name, ...rows.map((row) => row.object)]))
        await this.#remove(client, tableName(this.#name.schema, object));
    });
    this.#columns = null;
  }

  async begin(signal: AbortSignal): Promise<void> {
    await this.#transaction(signal, async (client) => {
      await createMarks(client, this.#name.schema);
      const mark = [STAGE_MARK, this.#stage.name];
      const marks = marksOf(this.#name.schema);
      await client.query(
        `INSERT INTO ${marks} (load_id, object, rows) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING`,
        mark,
      );
    });
  }

  async openPart(name: string, signal: AbortSignal): Promise<Writer> {
    const { partsId, rowsMayFail } = this.#request;
    const writer = await openPostgresWriter(this.#pool, this.#name.schema, {
      object: `${quoteIdentifier(this.#stage.schema)}.${quoteIdentifier(this.#stage.name)}`,
      mode: 'append',
      key: [],
      loadId: `${partsId}/${name}`,
      allowEmpty: false,
      rowsMayFail,
      signal,
    });
    return stagingWriter(writer, this.#request, (columns) => this.#prepare(columns, signal));
  }

  async publish(rows: number, signal: AbortSignal): Promise<Committed> {
    return this.#transaction(signal, async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${lockWaitMs}; SET LOCAL statement_timeout = 0`);
      await createMarks(client, this.#name.schema);
      const loadId = publishedId(this.#request);
      const done = await findMark(client, loadId, this.#name);
      if (done !== null) return done;
      const stage = await findTable(client, this.#stage);
      await endWriters(client, this.#stage);
      if (stage !== null) await client.query(`LOCK TABLE ${this.#stage.sql} IN ACCESS EXCLUSIVE MODE`);
      await this.#requireRows(client, rows);
      const left = await this.#give(client, stage);
      await saveMark(client, { loadId, name: this.#name, rows: rows - left });
      await this.#remove(client, this.#stage);
      return { rows: rows - left };
    });
  }

  /** Once, in a transaction of its own: the parts that fill the table wait for nobody else's. */
  #prepare(columns: readonly Column[], signal: AbortSignal): Promise<void> {
    this.#columns ??= this.#create(columns, signal).catch((error: unknown) => {
      this.#columns = null;
      throw error;
    });
    return this.#columns;
  }

  async #create(columns: readonly Column[], signal: AbortSignal): Promise<void> {
    await this.#transaction(signal, async (client) => {
      await createMarks(client, this.#name.schema);
      if ((await findTable(client, this.#stage)) !== null) return;
      // The run that divides has begun and not ended: nobody who comes late leaves a stage behind.
      if ((await findMark(client, STAGE_MARK, this.#stage)) === null) throw notWanted(this.#request);
      const target = await findTable(client, this.#name);
      if (target !== null && !['r', 'p', 'f'].includes(target.kind))
        throw new ConnectorError('CONFIG', `"${this.#request.object}" is a view; name a table`);
      await createPartStage(client, this.#stage, { mode: this.#request.mode, target, columns });
    });
  }

  /** Marks and rows change together, so that another number means another attempt. */
  async #requireRows(client: ClientBase, rows: number): Promise<void> {
    const found = await client.query<{ rows: string | null }>(
      `SELECT sum(rows) AS rows FROM ${marksOf(this.#name.schema)} WHERE object = $1 AND load_id <> '${STAGE_MARK}'`,
      [this.#stage.name],
    );
    const staged = Number(found.rows[0]?.rows ?? 0);
    requireStagedRows(this.#request, staged, rows);
  }

  /** How many rows of the stage were left alone. */
  async #give(client: ClientBase, stage: PostgresTable | null): Promise<number> {
    const { mode, key, allowEmpty } = this.#request;
    const known = await findTable(client, this.#name);
    const isEmptying = EMPTYING_MODES.includes(mode);
    if (stage === null || (isEmptying && (await isEmpty(client, stage)))) {
      if (isEmptying && allowEmpty && known !== null) await emptyTable(client, known);
      return 0;
    }
    const columns = stage.columns.filter(({ name, generated }) => name !== orderColumn && !generated);
    const names = columns.map(({ name }) => name);
    if (mode === 'replace') {
      const mayRename = stage.columns.every(({ name }) => name !== orderColumn);
      if (!mayRename)
        await client.query(`ALTER TABLE ${this.#stage.sql} DROP COLUMN ${quoteIdentifier(orderColumn)}`);
      await swapStage(client, known, this.#stage, this.#name, { columns: names, mayRename });
      return 0;
    }
    const target = known ?? (await this.#createTarget(client));
    const missing = columns.filter(({ name }) => !target.columns.some((column) => column.name === name));
    for (const { name, declared } of missing)
      await client.query(`ALTER TABLE ${target.name.sql} ADD COLUMN ${quoteIdentifier(name)} ${declared}`);
    if (KEYED_MODES.includes(mode)) {
      await requireUniqueKey(client, target, key);
      const merge = { target, stage: this.#stage, columns: names, key, changesRows: mode !== 'insert_only' };
      return mergeStage(client, merge);
    }
    if (mode === 'truncate_insert') await emptyTable(client, target);
    const list = quoteList(names);
    await client.query(
      `INSERT INTO ${target.name.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${this.#stage.sql}`,
    );
    return 0;
  }

  async #createTarget(client: ClientBase): Promise<PostgresTable> {
    const { key } = this.#request;
    await client.query(
      `CREATE TABLE ${this.#name.sql} (LIKE ${this.#stage.sql});
       ALTER TABLE ${this.#name.sql} DROP COLUMN ${quoteIdentifier(orderColumn)}${
         key.length === 0 ? '' : `, ADD PRIMARY KEY (${quoteList(key)})`
       }`,
    );
    return (await findTable(client, this.#name)) as PostgresTable;
  }

  async #remove(client: ClientBase, stage: TableName): Promise<void> {
    await endWriters(client, stage);
    await client.query(`DROP TABLE IF EXISTS ${stage.sql}`);
    await client.query(`DELETE FROM ${marksOf(stage.schema)} WHERE object = $1`, [stage.name]);
  }

  #transaction<T>(signal: AbortSignal, use: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.#pool.run(
      signal,
      async (client) => {
        await client.query('BEGIN');
        const result = await use(client);
        await client.query('COMMIT');
        return result;
      },
      'write',
    );
  }
}

interface PartStage {
  readonly mode: PartsRequest['mode'];
  readonly target: PostgresTable | null;
  readonly columns: readonly Column[];
}

/**
 * For a `replace` of a table that may be exchanged as a whole, one like it; else the columns of the rows with the types of the target,
 * and the order in which they came.
 */
async function createPartStage(
  client: ClientBase,
  stage: TableName,
  { mode, target, columns }: PartStage,
): Promise<void> {
  if (mode === 'replace' && target === null) return createTable(client, stage, columns, []);
  if (mode === 'replace' && target !== null && (await isReplaceable(client, target))) {
    await client.query(`CREATE TABLE ${stage.sql} (LIKE ${target.name.sql} INCLUDING ALL)`);
    const made = await findTable(client, stage);
    if (made !== null) await addColumns(client, made, columns);
    return;
  }
  const known = new Map(target?.columns.map((column) => [column.name, column]));
  const lines = columns
    .filter(({ name }) => known.get(name)?.generated !== true)
    .map(({ name, type }) => `${quoteIdentifier(name)} ${known.get(name)?.declared ?? declaredType(type)}`);
  const order = `${quoteIdentifier(orderColumn)} bigint GENERATED ALWAYS AS IDENTITY (CACHE 1000)`;
  await client.query(`CREATE TABLE ${stage.sql} (${[...lines, order].join(', ')})`);
}

/**
 * Whoever else holds the stage has lost its part to another, and may hold it for ever where its process is stopped. Sessions of other
 * roles are left alone.
 */
async function endWriters(client: ClientBase, stage: TableName): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(locks.pid) FROM pg_locks AS locks JOIN pg_stat_activity AS session USING (pid)
     WHERE locks.relation = to_regclass($1) AND locks.pid <> pg_backend_pid() AND locks.mode = 'RowExclusiveLock'
       AND session.usename = current_user`,
    [stage.sql],
  );
}

async function isEmpty(client: ClientBase, { name }: PostgresTable): Promise<boolean> {
  const { rows } = await client.query(`SELECT 1 FROM ${name.sql} LIMIT 1`);
  return rows.length === 0;
}

export async function openPostgresParts(
  pool: SessionPool,
  schema: string,
  request: PartsRequest,
): Promise<PostgresParts> {
  requireKeyOfMode(request);
  const name = tableNameOf(request.object, schema);
  const stage = tableName(name.schema, stageNameOf(partStagePrefix, name.sql, request));
  const done = await pool.run(request.signal, (client) => findMark(client, publishedId(request), name));
  return new PostgresParts(pool, request, { name, stage, done });
}
