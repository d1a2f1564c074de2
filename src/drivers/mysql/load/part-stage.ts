import { EMPTYING_MODES } from '../../../language/task/steps/load/load-step.ts';
import { type Column, ConnectorError, type Writer } from '../../driver.ts';
import type { Committed, PartedLoad, PartsRequest } from '../../load-request.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { requireKeyOfMode } from '../../sql/load/load-key.ts';
import {
  notWanted,
  publishedId,
  requireStagedRows,
  stageNameOf,
  stagePrefixOf,
  stagingWriter,
} from '../../sql/load/part-stage.ts';
import { sourceKey } from '../../sql/load/source-key.ts';
import { cancelled } from '../../sql/session-turns.ts';
import {
  findColumn,
  findTable,
  type MysqlTable,
  ownTablePrefix,
  type TableName,
  tableName,
  tableNameOf,
} from '../introspect.ts';
import { mysqlFault } from '../mysql-fault.ts';
import type { Session, SessionPool } from '../session-pool.ts';
import { openMysqlWriter } from '../write.ts';
import { createMarks, findMark } from './load-marks.ts';
import { orderColumn } from './merge-stage.ts';
import {
  endSessions,
  forgetStage,
  holdingStage,
  markSession,
  oldStages,
  setStageState,
  stagedRows,
  stageState,
} from './part-marks.ts';
import { publishStage } from './publish-parts.ts';
import {
  addColumns,
  asDeclared,
  createTable,
  missingColumns,
  settable,
  tableOptions,
} from './table/load-table.ts';
import { NewColumns } from './table/new-columns.ts';
import { requireNoOtherRows } from './table/other-tables.ts';
import { requireColumnNames, requireTableName } from './table/target-names.ts';

const STAGE_PREFIX = `${ownTablePrefix}parts_`;

/**
 * The parts of one load in a table beside the target, and their marks beside those of appends. A part is an append to that table: its
 * rows and its mark come in one transaction. What makes, renames or removes a table commits by itself here: the state of the stage is
 * marked before it, so that the next attempt ends what one that died has begun.
 */
class MysqlParts implements PartedLoad<Writer, Committed> {
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
    await withSession(this.#pool, signal, async (session) => {
      await createMarks(session.client, this.#name);
      await remove(session, this.#stage);
      for (const old of await oldStages(
        session.client,
        this.#name,
        stagePrefixOf(STAGE_PREFIX, this.#name.sql),
      ))
        await remove(session, old);
    });
    this.#columns = null;
  }

  async begin(signal: AbortSignal): Promise<void> {
    await withSession(this.#pool, signal, async (session) => {
      await createMarks(session.client, this.#name);
      const state = await stageState(session.client, this.#stage);
      if (state === 'over') await remove(session, this.#stage);
      if (state !== 'renaming') await setStageState(session.client, this.#stage, 'wanted');
    });
  }

  async openPart(name: string, signal: AbortSignal): Promise<Writer> {
    const { object, partsId, rowsMayFail, columnsAreFixed, lossy } = this.#request;
    const writer = await openMysqlWriter(
      this.#pool,
      {
        object: `${quoteIdentifier(this.#stage.database)}.${quoteIdentifier(this.#stage.name)}`,
        mode: 'append',
        key: [],
        loadId: `${partsId}/${name}`,
        allowEmpty: false,
        rowsMayFail,
        columnsAreFixed,
        ...(lossy && { lossy }),
        signal,
      },
      { shown: object, prepare: (session) => markSession(session, this.#stage) },
    );
    return stagingWriter(writer, this.#request, (columns) => this.#prepare(columns, signal));
  }

  async publish(rows: number, signal: AbortSignal): Promise<Committed> {
    return withSession(this.#pool, signal, async (session) => {
      const { client } = session;
      await createMarks(client, this.#name);
      const loadId = publishedId(this.#request);
      const done = await findMark(session, { loadId, name: this.#name });
      if (done === null) {
        const left = await holdingStage(client, this.#stage, async () => {
          await endSessions(client, this.#stage);
          await this.#requireRows(session, rows);
          const [request, name, stage] = [this.#request, this.#name, this.#stage];
          return publishStage(session, { request, name, stage, loadId, rows });
        });
        await remove(session, this.#stage);
        return { rows: rows - left };
      }
      await remove(session, this.#stage);
      return done;
    });
  }

  /** Once: the parts that fill the table wait for nobody else's. */
  #prepare(columns: readonly Column[], signal: AbortSignal): Promise<void> {
    this.#columns ??= withSession(this.#pool, signal, (session) => this.#create(session, columns)).catch(
      (error: unknown) => {
        this.#columns = null;
        throw error;
      },
    );
    return this.#columns;
  }

  async #create(session: Session, columns: readonly Column[]): Promise<void> {
    const { client } = session;
    const { object, mode, key } = this.#request;
    requireColumnNames(columns.map(({ name }) => name));
    await holdingStage(client, this.#stage, async () => {
      // The run that divides has begun and not ended: nobody who comes late leaves a stage behind.
      if ((await stageState(client, this.#stage)) !== 'wanted') throw notWanted(this.#request);
      if ((await findTable(session, this.#stage)) !== null) return;
      const target = await findTable(session, this.#name);
      if (target?.kind === 'view') throw new ConnectorError('CONFIG', `"${object}" is a view; name a table`);
      if (!EMPTYING_MODES.includes(mode))
        return createPartStage(session, this.#stage, { target, columns, key });
      if (target !== null) await requireNoOtherRows(client, this.#name, { object });
      const primary = target === null ? sourceKey(columns) : [];
      const added = new NewColumns(session, primary);
      const typed = (target === null ? columns : missingColumns(target, columns)).map((column) =>
        added.of(column),
      );
      if (target === null) {
        await createTable(session, this.#stage, typed, primary);
      } else {
        await client.query(`CREATE TABLE ${this.#stage.sql} LIKE ${target.name.sql}`);
        await addColumns(client, this.#stage, typed);
      }
    });
  }

  /** Marks and rows change together, so that another number means another attempt. */
  async #requireRows({ client }: Session, rows: number): Promise<void> {
    const staged = await stagedRows(client, this.#stage);
    requireStagedRows(this.#request, staged, rows);
  }
}

/** The columns of the rows with the types of the target, and the order in which they came. */
async function createPartStage(
  session: Session,
  stage: TableName,
  {
    target,
    columns,
    key,
  }: {
    readonly target: MysqlTable | null;
    readonly columns: readonly Column[];
    readonly key: readonly string[];
  },
): Promise<void> {
  const added = new NewColumns(session, key);
  const lines = settable(target, columns).map((column) => {
    const known = target === null ? undefined : findColumn(target, column.name);
    return `${asDeclared(known ?? added.of(column))} NULL DEFAULT NULL`;
  });
  await session.client.query(
    `CREATE TABLE ${stage.sql} (${quoteIdentifier(orderColumn)} bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
     ${lines.join(', ')}) ${tableOptions(session)}`,
  );
}

/** Each step can be the last of an attempt that dies: the next one begins with the first again. */
async function remove(session: Session, stage: TableName): Promise<void> {
  const { client } = session;
  await holdingStage(client, stage, async () => {
    if ((await stageState(client, stage)) === null && (await findTable(session, stage)) === null) return;
    await setStageState(client, stage, 'over');
    await endSessions(client, stage);
    await client.query(`DROP TABLE IF EXISTS ${stage.sql}`);
    await forgetStage(client, stage);
  });
}

/** A session of its own, whose statements may take long. */
async function withSession<T>(
  pool: SessionPool,
  signal: AbortSignal,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await pool.open(signal);
  try {
    return await use(session);
  } catch (error) {
    throw signal.aborted ? cancelled(error) : mysqlFault(error, 'write');
  } finally {
    session.release(true);
  }
}

export async function openMysqlParts(pool: SessionPool, request: PartsRequest): Promise<MysqlParts> {
  requireKeyOfMode(request);
  const name = tableNameOf(request.object, pool.database);
  const stage = tableName(name.database, stageNameOf(STAGE_PREFIX, name.sql, request));
  const done = await withSession(pool, request.signal, async (session) => {
    await requireTableName(session.client, name);
    const mark = await findMark(session, { loadId: publishedId(request), name });
    // What the attempt that has published was about to remove.
    if (mark !== null) await remove(session, stage);
    return mark;
  });
  return new MysqlParts(pool, request, { name, stage, done });
}
