import type { ClientBase } from 'pg';
import { EMPTYING_MODES, KEYED_MODES } from '../../../language/task/steps/load/load-step.ts';
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
import { requireColumnNames } from '../names.ts';
import { openPostgresWriter } from '../open-writer.ts';
import type { SessionPool } from '../session-pool.ts';
import { createdType } from '../types/created-type.ts';
import { emptyTable, requireUntouchedOthers } from './empty-table.ts';
import { createMarks, findMark, marksOf, saveMark } from './load-marks.ts';
import { addColumns, createTable, hasUniqueKey, makeUniqueKey, sourceKey } from './load-table.ts';
import { type Merged, mergeStage } from './stage/merge-stage.ts';
import {
  isStageColumn,
  orderColumn,
  partStagePrefix,
  shapeColumn,
  stageColumns,
} from './stage/stage-columns.ts';
import { insertShapes } from './stage/stage-shapes.ts';
import { insertAll, isReplaceable, swapStage } from './stage/swap-stage.ts';
import { lockDefinition, lockWaitMs } from './table-lock.ts';

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
    const { partsId, rowsMayFail, columnsAreFixed, lossy } = this.#request;
    const writer = await openPostgresWriter(this.#pool, this.#name.schema, {
      object: `${quoteIdentifier(this.#stage.schema)}.${quoteIdentifier(this.#stage.name)}`,
      mode: 'append',
      key: [],
      loadId: `${partsId}/${name}`,
      allowEmpty: false,
      rowsMayFail,
      columnsAreFixed,
      ...(lossy === undefined ? {} : { lossy }),
      signal,
    });
    return stagingWriter(writer, this.#request, (columns) => this.#prepare(columns, signal));
  }

  async publish(rows: number, signal: AbortSignal): Promise<Committed> {
    return this.#transaction(signal, async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${lockWaitMs}; SET LOCAL statement_timeout = 0`);
      await lockDefinition(client, this.#name);
      await createMarks(client, this.#name.schema);
      const loadId = publishedId(this.#request);
      const done = await findMark(client, loadId, this.#name);
      if (done !== null) return done;
      const stage = await findTable(client, this.#stage);
      await endWriters(client, this.#stage);
      if (stage !== null) await client.query(`LOCK TABLE ${this.#stage.sql} IN ACCESS EXCLUSIVE MODE`);
      await this.#requireRows(client, rows);
      const { left, dropped } = await this.#give(client, stage, rows);
      const taken = rows - left - dropped;
      await saveMark(client, { loadId, name: this.#name, rows: taken });
      await this.#remove(client, this.#stage);
      return { rows: taken, ...(dropped > 0 && { dropped }) };
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
      // Other processes make it as well.
      await lockDefinition(client, this.#stage);
      if ((await findTable(client, this.#stage)) !== null) return;
      // The run that divides has begun and not ended: nobody who comes late leaves a stage behind.
      if ((await findMark(client, STAGE_MARK, this.#stage)) === null) throw notWanted(this.#request);
      const target = await findTable(client, this.#name);
      if (target !== null && !['r', 'p', 'f'].includes(target.kind))
        throw new ConnectorError('CONFIG', `"${this.#request.object}" is a view; name a table`);
      requireColumnNames(columns.map(({ name }) => name));
      if (target !== null && EMPTYING_MODES.includes(this.#request.mode))
        await requireUntouchedOthers(client, target);
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

  /** What became of the rows of the stage, where the target did not take them. */
  async #give(client: ClientBase, stage: PostgresTable | null, rows: number): Promise<Merged> {
    const { mode, key, allowEmpty } = this.#request;
    const known = await findTable(client, this.#name);
    const isEmptying = EMPTYING_MODES.includes(mode);
    if (stage === null || (isEmptying && (await isEmpty(client, stage)))) {
      if (isEmptying && allowEmpty && known !== null) await emptyTable(client, known);
      return ALL_TAKEN;
    }
    const columns = stage.columns.filter(({ name, generated }) => !isStageColumn(name) && !generated);
    const names = columns.map(({ name }) => name);
    const isShaped = stage.columns.some(({ name }) => name === shapeColumn);
    const insert = (target: TableName) =>
      isShaped
        ? insertShapes(client, target.sql, this.#stage, names)
        : insertAll(client, target, this.#stage, names);
    if (mode === 'replace') {
      if (isShaped && known === null) await dropStageColumns(client, this.#stage);
      const taken = await swapStage(client, known, this.#stage, this.#name, {
        insert: () => insert(this.#name),
        mayRename: !isShaped,
      });
      return { left: 0, dropped: taken === null ? 0 : rows - taken };
    }
    const target = known ?? (await this.#createTarget(client));
    const missing = columns.filter(({ name }) => !target.columns.some((column) => column.name === name));
    for (const { name, declared } of missing)
      await client.query(`ALTER TABLE ${target.name.sql} ADD COLUMN ${quoteIdentifier(name)} ${declared}`);
    if (KEYED_MODES.includes(mode)) {
      if (!(await hasUniqueKey(client, target, key))) await makeUniqueKey(client, target, key);
      const merge = { target, stage: this.#stage, columns: names, key, changesRows: mode !== 'insert_only' };
      return mergeStage(client, merge);
    }
    if (mode === 'truncate_insert') await emptyTable(client, target);
    return { left: 0, dropped: rows - (await insert(target.name)) };
  }

  async #createTarget(client: ClientBase): Promise<PostgresTable> {
    const { key } = this.#request;
    await client.query(
      `CREATE TABLE ${this.#name.sql} (LIKE ${this.#stage.sql});
       ALTER TABLE ${this.#name.sql} ${DROPPED_COLUMNS}${key.length === 0 ? '' : `, ADD PRIMARY KEY (${quoteList(key)})`}`,
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

const ALL_TAKEN: Merged = { left: 0, dropped: 0 };
const DROPPED_COLUMNS = [orderColumn, shapeColumn]
  .map((name) => `DROP COLUMN ${quoteIdentifier(name)}`)
  .join(', ');

async function dropStageColumns(client: ClientBase, stage: TableName): Promise<void> {
  await client.query(`ALTER TABLE ${stage.sql} ${DROPPED_COLUMNS}`);
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
  if (mode === 'replace' && target === null) return createTable(client, stage, columns, sourceKey(columns));
  if (mode === 'replace' && target !== null && (await isReplaceable(client, target))) {
    await client.query(`CREATE TABLE ${stage.sql} (LIKE ${target.name.sql} INCLUDING ALL)`);
    const made = await findTable(client, stage);
    if (made !== null) await addColumns(client, made, columns);
    return;
  }
  const known = new Map(target?.columns.map((column) => [column.name, column]));
  const lines = columns
    .filter(({ name }) => known.get(name)?.generated !== true)
    .map(
      (column) =>
        `${quoteIdentifier(column.name)} ${known.get(column.name)?.declared ?? createdType(column)}`,
    );
  await client.query(`CREATE TABLE ${stage.sql} (${[...lines, ...stageColumns].join(', ')})`);
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
