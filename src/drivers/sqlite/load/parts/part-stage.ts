import type { DatabaseSync } from 'node:sqlite';
import type { Batch, Column, Writer } from '../../../driver.ts';
import { type Committed, type PartedLoad, type PartsRequest, partStageDays } from '../../../load-request.ts';
import { quoteIdentifier } from '../../../sql/identifier.ts';
import { requireKeyOfMode } from '../../../sql/load/load-key.ts';
import {
  notWanted,
  publishedId,
  requireStagedRows,
  stageNameOf,
  stagePrefixOf,
} from '../../../sql/load/part-stage.ts';
import { requireKeys } from '../../../sql/row-batch.ts';
import { SessionTurns } from '../../../sql/session-turns.ts';
import type { DatabaseFile } from '../../database-file.ts';
import { foldName, namesOf, requireDistinct } from '../../fold-name.ts';
import { findTable, ownTablePrefix, type SqliteTable, tableNameOf } from '../../introspect.ts';
import { openSqliteWriter } from '../../open-writer.ts';
import { requireRunning } from '../../read.ts';
import { sqliteFault } from '../../sqlite-fault.ts';
import { createMarks, findMark, MARKS, saveMark } from '../load-marks.ts';
import { computedIn, isReferenced } from '../load-table.ts';
import { prepareHandle, takeWriteLock } from '../prepare-handle.ts';
import { createPartStage, giveParts, type StagedParts } from './give-parts.ts';
import { withShapes } from './part-shapes.ts';

const STAGE_PREFIX = `${ownTablePrefix}parts_`;
/** In the place of a load's id: the stage is wanted. */
const STAGE_MARK = 'stage';

/**
 * The parts of one load in a table of the target's file, and their marks beside those of appends. A part is an append to that table: its
 * rows and its mark come in one transaction. SQLite has one writer at a time: parts are read side by side, and written one after another.
 */
class SqliteParts implements PartedLoad<Writer, Committed> {
  readonly alreadyDone: { readonly rows: number } | null;
  readonly #file: DatabaseFile;
  readonly #parts: StagedParts;
  /** In the place of waiting for the lock of the file, which ends some day. */
  readonly #turns = new SessionTurns(1);

  constructor(file: DatabaseFile, parts: StagedParts, done: { readonly rows: number } | null) {
    this.#file = file;
    this.#parts = parts;
    this.alreadyDone = done;
  }

  async reset(signal: AbortSignal): Promise<void> {
    const { name, stage } = this.#parts;
    await this.#transaction(signal, (db) => {
      createMarks(db);
      const old = db
        .prepare(
          `SELECT object FROM ${MARKS} WHERE load_id = '${STAGE_MARK}' AND substr(object, 1, length(?1)) = ?1
             AND loaded_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${partStageDays} days')`,
        )
        .all(stagePrefixOf(STAGE_PREFIX, foldName(name)));
      for (const object of new Set([stage, ...old.map((row) => String(row['object']))])) remove(db, object);
    });
  }

  async begin(signal: AbortSignal): Promise<void> {
    await this.#transaction(signal, (db) => {
      const mark = { loadId: STAGE_MARK, object: this.#parts.stage };
      if (findMark(db, mark) === null) saveMark(db, { ...mark, rows: 0 });
    });
  }

  async openPart(name: string, signal: AbortSignal): Promise<Writer> {
    const { request, stage } = this.#parts;
    const writer = await openSqliteWriter(
      this.#file,
      {
        object: quoteIdentifier(stage),
        mode: 'append',
        key: [],
        loadId: `${request.partsId}/${name}`,
        allowEmpty: false,
        rowsMayFail: request.rowsMayFail,
        ...(request.lossy && { lossy: request.lossy }),
        signal,
      },
      request,
    );
    let hasTurn = false;
    let open: OpenStage | null = null;
    const ended = async <T>(end: () => Promise<T>) => {
      try {
        return await end();
      } finally {
        if (hasTurn) this.#turns.leave();
        hasTurn = false;
      }
    };
    return {
      alreadyDone: writer.alreadyDone,
      write: async (batch: Batch) => {
        if (batch.rows.length > 0) {
          requireKeys(batch, request.key);
          if (!hasTurn) {
            await this.#turns.enter(signal);
            hasTurn = true;
          }
          open ??= await this.#prepare(batch.columns, signal);
        }
        return writer.write(open === null ? batch : staged(batch, open));
      },
      commit: () => ended(() => writer.commit()),
      abort: () => ended(() => writer.abort()),
    };
  }

  async publish(rows: number, signal: AbortSignal): Promise<Committed> {
    const { request, name, stage } = this.#parts;
    const isReplace = request.mode === 'replace';
    return this.#transaction(
      signal,
      (db) => {
        createMarks(db);
        const loadId = publishedId(request);
        const done = findMark(db, { loadId, object: name });
        if (done !== null) return done;
        requireRows(db, this.#parts, rows);
        const { left, dropped } = giveParts(db, this.#parts);
        const written = rows - left - dropped;
        saveMark(db, { loadId, object: name, rows: written });
        remove(db, stage);
        return { rows: written, ...(dropped > 0 && { dropped }) };
      },
      // Rows that others refer to may come again: whether they all have is looked at in the end.
      (db) => !isReplace && !(request.mode === 'truncate_insert' && isReferenced(db, name)),
    );
  }

  async #prepare(columns: readonly Column[], signal: AbortSignal): Promise<OpenStage> {
    const { request, name, stage } = this.#parts;
    return this.#transaction(signal, (db) => {
      const known = findTable(db, stage);
      // The run that divides has begun and not ended: nobody who comes late leaves a stage behind.
      if (known === null && findMark(db, { loadId: STAGE_MARK, object: stage }) === null)
        throw notWanted(request);
      if (known === null) createPartStage(db, this.#parts, columns);
      const target = findTable(db, name);
      return {
        // A `replace` fills the table that takes the place of the target, with the columns of that.
        shaped: request.mode === 'replace' ? null : findTable(db, stage),
        isComputed: (column) => target !== null && computedIn(target)(column),
      };
    });
  }

  async #transaction<T>(
    signal: AbortSignal,
    use: (db: DatabaseSync) => T,
    foreignKeys: (db: DatabaseSync) => boolean = () => false,
  ): Promise<T> {
    requireRunning(signal);
    const db = await this.#file.openWriting({ foreignKeys: false });
    try {
      prepareHandle(db);
      if (foreignKeys(db)) db.exec('PRAGMA foreign_keys = ON');
      await takeWriteLock(db, signal);
      const result = use(db);
      db.exec('COMMIT');
      return result;
    } catch (error) {
      throw sqliteFault(error, 'write');
    } finally {
      if (db.isOpen) db.close();
    }
  }
}

/** The stage that a part is written to. */
interface OpenStage {
  /** null where its rows need not tell which columns they have. */
  readonly shaped: SqliteTable | null;
  /** Whether the target computes the column. */
  readonly isComputed: (column: string) => boolean;
}

/** Rows as the stage takes them. */
function staged(batch: Batch, { shaped, isComputed }: OpenStage): Batch {
  requireDistinct(namesOf(batch.columns));
  if (shaped === null) return batch;
  const columns = batch.columns.filter(({ name }) => !isComputed(name));
  return withShapes({ ...batch, columns }, shaped);
}

/** Marks and rows change together, so that another number means another attempt. */
function requireRows(db: DatabaseSync, { request, stage }: StagedParts, rows: number): void {
  const found = db
    .prepare(`SELECT total(rows) AS rows FROM ${MARKS} WHERE object = ? AND load_id <> '${STAGE_MARK}'`)
    .get(stage);
  const staged = Number(found?.['rows'] ?? 0);
  requireStagedRows(request, staged, rows);
}

function remove(db: DatabaseSync, stage: string): void {
  db.exec(`DROP TABLE IF EXISTS ${quoteIdentifier(stage)}`);
  db.prepare(`DELETE FROM ${MARKS} WHERE object = ?`).run(stage);
}

export async function openSqliteParts(file: DatabaseFile, request: PartsRequest): Promise<SqliteParts> {
  requireRunning(request.signal);
  requireKeyOfMode(request);
  const name = tableNameOf(request.object);
  const stage = stageNameOf(STAGE_PREFIX, foldName(name), request);
  const done = (await file.exists())
    ? await file.reading((db) => findMark(db, { loadId: publishedId(request), object: name }))
    : null;
  return new SqliteParts(file, { request, name, stage }, done);
}
