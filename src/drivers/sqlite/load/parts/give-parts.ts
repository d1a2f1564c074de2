import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../../../base/ids.ts';
import { EMPTYING_MODES, KEYED_MODES } from '../../../../language/task/steps/load/load-step.ts';
import { type Column, ConnectorError } from '../../../driver.ts';
import type { PartsRequest } from '../../../load-request.ts';
import { quoteIdentifier, quoteList } from '../../../sql/identifier.ts';
import { foldName } from '../../fold-name.ts';
import { findTable, ownTablePrefix, type SqliteColumn, type SqliteTable } from '../../introspect.ts';
import { createStage } from '../create-table.ts';
import { mayDropRows } from '../ignored-rows.ts';
import {
  findColumn,
  orderColumn,
  requiredColumns,
  requireForeignKeys,
  requireUniqueKey,
  swapStage,
} from '../load-table.ts';
import { strictly, typeFor } from '../made-type.ts';
import { type StagedShape, shapeColumn, stagedShapes } from './part-shapes.ts';

/** The parts of a load, and where they are. */
export interface StagedParts {
  readonly request: PartsRequest;
  /** The target. */
  readonly name: string;
  readonly stage: string;
}

const order = quoteIdentifier(orderColumn);

/**
 * For a `replace`, the table that takes the place of the target; else the columns of the rows with the types of the target, and the order
 * in which they came.
 */
export function createPartStage(
  db: DatabaseSync,
  { request, name, stage }: StagedParts,
  columns: readonly Column[],
): void {
  const target = findTable(db, name);
  if (target?.kind === 'view')
    throw new ConnectorError('CONFIG', `"${request.object}" is a view; name a table`);
  if (request.mode === 'replace') {
    createStage(db, target, stage, columns);
    return;
  }
  const lines = columns.flatMap((column) => {
    const known = target === null ? undefined : findColumn(target, column.name);
    if (known?.generated === true) return [];
    return [`${quoteIdentifier(column.name)} ${known?.declared ?? typeFor(column, target?.strict)}`];
  });
  db.exec(
    `CREATE TABLE ${quoteIdentifier(stage)} (${[...lines, `${order} INTEGER PRIMARY KEY`, `${quoteIdentifier(shapeColumn)} TEXT`].join(', ')})${strictly(target)}`,
  );
}

/** What became of the rows of a stage. */
export interface GivenRows {
  /** Were left alone. */
  readonly left: number;
  /** A trigger of the target dropped them. */
  readonly dropped: number;
}

/** Gives the rows of the stage to the target, inside the caller's transaction. */
export function giveParts(db: DatabaseSync, parts: StagedParts): GivenRows {
  const { request, name, stage } = parts;
  const target = findTable(db, name);
  const staged = findTable(db, stage);
  const isEmptying = EMPTYING_MODES.includes(request.mode);
  if (staged === null || (isEmptying && isEmpty(db, staged))) {
    if (isEmptying && request.allowEmpty && target !== null) {
      empty(db, target);
      requireForeignKeys(db, target.name);
    }
    return { left: 0, dropped: 0 };
  }
  if (request.mode === 'replace') {
    swapStage(db, target, name, stage);
    return { left: 0, dropped: 0 };
  }
  const own: readonly string[] = [orderColumn, shapeColumn];
  const given = staged.columns.filter((column) => !own.includes(column.name) && !column.generated);
  const table = target === null ? createTarget(db, parts, given) : withColumns(db, target, given);
  if (KEYED_MODES.includes(request.mode)) return mergeAll(db, table, staged, request);
  if (isEmptying) empty(db, table);
  let dropped = count(db, staged);
  for (const shape of stagedShapes(db, staged, [])) dropped -= insertAll(db, table, staged, shape);
  if (isEmptying) requireForeignKeys(db, table.name);
  return { left: 0, dropped };
}

function count(db: DatabaseSync, { name }: SqliteTable, where = '1 = 1'): number {
  return Number(
    db.prepare(`SELECT count(*) AS n FROM ${quoteIdentifier(name)} AS s WHERE ${where}`).get()?.['n'],
  );
}

function isEmpty(db: DatabaseSync, { name }: SqliteTable): boolean {
  return db.prepare(`SELECT 1 FROM ${quoteIdentifier(name)} LIMIT 1`).get() === undefined;
}

function empty(db: DatabaseSync, { name }: SqliteTable): void {
  db.exec(`DELETE FROM ${quoteIdentifier(name)}`);
}

function insertAll(
  db: DatabaseSync,
  target: SqliteTable,
  stage: SqliteTable,
  { names, where }: StagedShape,
): number {
  const list = quoteList(names);
  const insert = db.prepare(
    `INSERT INTO ${quoteIdentifier(target.name)} (${list}) SELECT ${list} FROM ${quoteIdentifier(stage.name)} AS s WHERE ${where('s')} ORDER BY ${order}`,
  );
  return Number(insert.run().changes);
}

function createTarget(
  db: DatabaseSync,
  { request, name }: StagedParts,
  columns: readonly SqliteColumn[],
): SqliteTable {
  const { key } = request;
  const lines = columns.map((column) => declaration(column) + (key.includes(column.name) ? ' NOT NULL' : ''));
  if (key.length > 0) lines.push(`PRIMARY KEY (${quoteList(key)})`);
  db.exec(`CREATE TABLE ${quoteIdentifier(name)} (${lines.join(', ')})`);
  return findTable(db, name) as SqliteTable;
}

function withColumns(db: DatabaseSync, target: SqliteTable, columns: readonly SqliteColumn[]): SqliteTable {
  const missing = columns.filter((column) => findColumn(target, column.name) === undefined);
  for (const column of missing)
    db.exec(`ALTER TABLE ${quoteIdentifier(target.name)} ADD COLUMN ${declaration(column)}`);
  return missing.length === 0 ? target : (findTable(db, target.name) as SqliteTable);
}

function declaration({ name, declared }: SqliteColumn): string {
  return `${quoteIdentifier(name)} ${declared}`;
}

interface Merge extends StagedShape {
  readonly mode: PartsRequest['mode'];
  readonly key: readonly string[];
}

function mergeAll(
  db: DatabaseSync,
  target: SqliteTable,
  stage: SqliteTable,
  { mode, key }: PartsRequest,
): GivenRows {
  requireUniqueKey(db, target, key);
  let left = 0;
  for (const shape of stagedShapes(db, stage, key)) left += merge(db, target, stage, { ...shape, mode, key });
  if (!mayDropRows(db, target)) return { left, dropped: 0 };
  const into = quoteIdentifier(target.name);
  const same = key.map((name) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
  const dropped = count(db, stage, `NOT EXISTS (SELECT 1 FROM ${into} AS t WHERE ${same})`);
  return { left: mode === 'insert_only' ? left - dropped : left, dropped };
}

/** When a key comes twice, its last row counts, or its first where rows that are there are left alone. */
function merge(
  db: DatabaseSync,
  target: SqliteTable,
  stage: SqliteTable,
  { mode, key, names, where }: Merge,
): number {
  const [into, from, list] = [quoteIdentifier(target.name), quoteIdentifier(stage.name), quoteList(names)];
  const same = key.map((name) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
  const isThere = `EXISTS (SELECT 1 FROM ${into} AS t WHERE ${same})`;
  const changed = names.filter((name) => !key.includes(name));
  const insert = (which: string, conflict: string) =>
    Number(
      db
        .prepare(
          `INSERT INTO ${into} (${list}) SELECT ${list} FROM ${from} AS s WHERE ${where('s')} AND ${which} ORDER BY ${order}
           ON CONFLICT (${quoteList(key)}) ${conflict}`,
        )
        .run().changes,
    );
  const doUpdate = (values: (column: string) => string) =>
    changed.map((name) => `${quoteIdentifier(name)} = ${values(quoteIdentifier(name))}`).join(', ');
  const update = changed.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${doUpdate((c) => `excluded.${c}`)}`;
  if (mode === 'insert_only') return count(db, stage, where('s')) - insert(`NOT ${isThere}`, 'DO NOTHING');
  const given = new Set(names.map(foldName));
  if (requiredColumns(target).every((column) => given.has(foldName(column.name)))) {
    insert('1 = 1', update);
    return 0;
  }
  // SQLite refuses a row that lacks what a new one needs before it sees that its key is there.
  if (changed.length > 0) {
    const index = quoteIdentifier(`${ownTablePrefix}index_${sha256(stage.name).slice(0, 12)}`);
    db.exec(`CREATE INDEX IF NOT EXISTS ${index} ON ${from} (${quoteList(key)})`);
    const last = key.map((name) => `x.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
    db.exec(
      `UPDATE ${into} AS t SET ${doUpdate((c) => `s.${c}`)} FROM ${from} AS s
       WHERE ${same} AND ${where('s')} AND s.${order} = (SELECT max(x.${order}) FROM ${from} AS x WHERE ${last} AND ${where('x')})`,
    );
  }
  insert(`NOT ${isThere}`, update);
  return 0;
}
