import type { DatabaseSync } from 'node:sqlite';
import { KEYED_MODES } from '../../../language/task/steps/load/load-step.ts';
import type { Batch, Column, WriteRequest } from '../../driver.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { ComputedColumns } from '../../sql/load/computed-columns.ts';
import { deleteMatching } from '../../sql/load/delete-matching.ts';
import { rowShapes } from '../../sql/load/row-shapes.ts';
import type { WiderColumn } from '../../types/type-bounds.ts';
import { Losses } from '../../values/losses.ts';
import type { CellRules } from '../cells/cell-writer.ts';
import { namesOf, requireDistinct } from '../fold-name.ts';
import { findTable, type SqliteTable } from '../introspect.ts';
import { createKeyStage, createStage, createTable } from './create-table.ts';
import { IgnoredRows } from './ignored-rows.ts';
import { addColumns, computedIn, requireUniqueKey, stageName } from './load-table.ts';
import { RowInserter } from './row-inserter.ts';
import { sqliteSession } from './sqlite-session.ts';
import { prepareVersions } from './version-stage.ts';
import { widenColumns } from './widen-columns.ts';

/** What became of the rows of a batch, besides those that are in. */
export interface PutRows {
  /** Changed nothing. */
  readonly left: number;
  /** A trigger of the table dropped them. */
  readonly dropped: number;
}

/** Where the rows of a load go in the end. */
export interface TargetPlace {
  readonly name: string;
  /** null where it is not there yet. */
  readonly target: SqliteTable | null;
  /** The load that is meant in messages, and whose keys may not become one. */
  readonly of: Pick<WriteRequest, 'object' | 'key'>;
}

/** Puts the rows of one load where they go: into the target, or into a stage, which it makes. */
export class TargetRows {
  readonly losses = new Losses();
  readonly #db: DatabaseSync;
  readonly #request: WriteRequest;
  readonly #name: string;
  readonly #target: SqliteTable | null;
  readonly #computed: ComputedColumns;
  readonly #rules: CellRules;
  /** Where the rows go. */
  #table: SqliteTable | null = null;
  /** Of the columns that came last, by the shapes of their rows. */
  #inserters: { readonly of: string; readonly byShape: Map<string, RowInserter> } | null = null;
  /** Gets the keys that came, where the others may be missing. */
  #keys: RowInserter | null = null;
  #ignored: IgnoredRows | null = null;
  /** Columns that have got wider types by now. */
  readonly #wider: WiderColumn[] = [];
  #hasRows = false;

  constructor(db: DatabaseSync, request: WriteRequest, { name, target, of }: TargetPlace) {
    const { object, key } = of;
    this.#db = db;
    this.#request = request;
    this.#name = name;
    this.#target = target;
    this.#computed = new ComputedColumns(request);
    this.#rules = { object, key, lossy: request.lossy, losses: this.losses };
  }

  /** Where the rows go; null where a batch was taken back, and before the first. */
  get table(): SqliteTable | null {
    return this.#table;
  }

  async put(batch: Batch): Promise<PutRows> {
    const { mode, key } = this.#request;
    requireDistinct(namesOf(batch.columns));
    this.losses.restart();
    this.#prepare(batch.columns);
    const isWhole = mode === 'delete' || mode === 'scd2';
    const shapes = isWhole ? [{ batch }] : rowShapes(batch, key, mode);
    let [written, ignored] = [0, 0];
    for (const { batch: part } of shapes) {
      const inserter = this.#inserterOf(part.columns);
      const changed = inserter.insert(part.rows);
      written += changed;
      if (!inserter.leavesRows) ignored += part.rows.length - changed;
      else if (changed < part.rows.length) ignored += this.#ignored?.count(part) ?? 0;
    }
    // Their keys came, whatever became of the rows.
    this.#keys?.insert(batch.rows);
    this.#hasRows = true;
    const left = mode === 'delete' ? await this.#deleteMatching() : 0;
    const dropped = isWhole || this.#table?.kind !== 'table' ? 0 : ignored;
    return { left: mode === 'insert_only' ? batch.rows.length - written - dropped : left, dropped };
  }

  /** The batch has been taken back, and with it what it made. */
  undo(): void {
    this.#inserters = null;
    this.#table = null;
    this.#keys = null;
  }

  widen(columns: readonly WiderColumn[]): void {
    this.#wider.push(...columns);
    this.#inserters = null;
    // An emptying load makes a table of its own, and leaves the target as it is until its end.
    const names = [...(this.#request.mode === 'replace' ? [] : [this.#name]), stageName(this.#name)];
    for (const name of names) {
      const table = findTable(this.#db, name);
      const wide = table === null ? null : widenColumns(this.#db, table, columns);
      if (wide !== null && wide.name === this.#table?.name) this.#table = wide;
    }
  }

  async #deleteMatching(): Promise<number> {
    if (this.#table === null || this.#target === null) return 0;
    const stage = quoteIdentifier(this.#table.name);
    const target = quoteIdentifier(this.#target.name);
    const left = await deleteMatching(sqliteSession(this.#db), { target, stage, key: this.#request.key });
    this.#db.exec(`DELETE FROM ${stage}`);
    return left;
  }

  /** Makes room for rows of these columns. */
  #prepare(columns: readonly Column[]): void {
    const of = JSON.stringify(columns.map(({ name, type }) => [name, type]));
    if (this.#inserters?.of === of) return;
    this.#inserters = { of, byShape: new Map() };
    const { mode, key, missing = null } = this.#request;
    if (mode === 'delete') {
      this.#table ??= createKeyStage(this.#db, this.#target as SqliteTable, key);
    } else if (mode === 'scd2') {
      const stage = prepareVersions(this.#db, this.#request, this.#name, columns);
      this.#widened(findTable(this.#db, this.#name) as SqliteTable);
      this.#table = this.#widened(stage);
    } else {
      let table = this.#table ?? this.#openTable(columns);
      if (addColumns(this.#db, table, columns)) table = findTable(this.#db, table.name) ?? table;
      if (KEYED_MODES.includes(mode)) requireUniqueKey(this.#db, table, key);
      this.#table = table;
      this.#ignored = IgnoredRows.of(this.#db, table, this.#rules);
      // After a batch that was taken back the keys of those before may be there.
      const keys =
        missing === null ? null : (findTable(this.#db, stageName(this.#name)) ?? this.#newKeyStage(table));
      this.#keys =
        keys === null
          ? null
          : this.#inserter(
              keys,
              columns.filter(({ name }) => key.includes(name)),
            );
    }
  }

  #newKeyStage(table: SqliteTable): SqliteTable {
    return createKeyStage(this.#db, table, this.#request.key);
  }

  /** After `prepare`. */
  #inserterOf(columns: readonly Column[]): RowInserter {
    const { mode, key } = this.#request;
    const table = this.#table as SqliteTable;
    const byShape = this.#inserters?.byShape;
    const shape = JSON.stringify(namesOf(columns));
    const known = byShape?.get(shape);
    if (known !== undefined) return known;
    const made =
      mode === 'delete'
        ? this.#inserter(
            table,
            columns.filter(({ name }) => key.includes(name)),
          )
        : mode === 'scd2'
          ? this.#inserter(table, columns)
          : new RowInserter(this.#db, table, {
              columns: this.#computed.without(columns, computedIn(table)),
              key,
              changesRows: mode !== 'insert_only',
              rules: this.#rules,
            });
    // Statements cost memory, and shapes that come once cost more than those that come again.
    if ((byShape?.size ?? 0) >= SHAPES_MAX) byShape?.clear();
    byShape?.set(shape, made);
    return made;
  }

  /** For rows of a stage, each of which is a new one. */
  #inserter(stage: SqliteTable, columns: readonly Column[]): RowInserter {
    return new RowInserter(this.#db, stage, { columns, key: [], changesRows: false, rules: this.#rules });
  }

  #openTable(columns: readonly Column[]): SqliteTable {
    const { mode, key } = this.#request;
    if (mode === 'replace') {
      // After a batch that was taken back the stage may be there already, with the rows of others.
      const stage = this.#hasRows ? findTable(this.#db, stageName(this.#name)) : null;
      return stage ?? this.#widened(createStage(this.#db, this.#target, stageName(this.#name), columns));
    }
    const known = findTable(this.#db, this.#name);
    if (known !== null) return known;
    createTable(this.#db, this.#name, columns, key);
    return this.#widened(findTable(this.#db, this.#name) as SqliteTable);
  }

  /** A table that a batch has made has the types of its rows, or those of the target. */
  #widened(table: SqliteTable): SqliteTable {
    return widenColumns(this.#db, table, this.#wider);
  }
}

const SHAPES_MAX = 64;
