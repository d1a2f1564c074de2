import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../../base/ids.ts';
import { EMPTYING_MODES, KEYED_MODES } from '../../../language/task/steps/load/load-step.ts';
import { type Column, ConnectorError } from '../../driver.ts';
import type { PartsRequest } from '../../load-request.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { foldName } from '../fold-name.ts';
import { findTable, ownTablePrefix, type SqliteColumn, type SqliteTable } from '../introspect.ts';
import { createStage } from './create-table.ts';
import {
  findColumn,
  orderColumn,
  requiredColumns,
  requireForeignKeys,
  requireUniqueKey,
  swapStage,
} from './load-table.ts';
import { strictly, typeFor } from './made-type.ts';

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
    `CREATE TABLE ${quoteIdentifier(stage)} (${[...lines, `${order} INTEGER PRIMARY KEY`].join(', ')})${strictly(target)}`,
  );
}

/** Gives the rows of the stage to the target, inside the caller's transaction; gives how many of them were left alone. */
export function giveParts(db: DatabaseSync, parts: StagedParts): number {
  const { request, name, stage } = parts;
  const target = findTable(db, name);
  const staged = findTable(db, stage);
  const isEmptying = EMPTYING_MODES.includes(request.mode);
  if (staged === null || (isEmptying && isEmpty(db, staged))) {
    if (isEmptying && request.allowEmpty && target !== null) {
      empty(db, target);
      requireForeignKeys(db, target.name);
    }
    return 0;
  }
  if (request.mode === 'replace') {
    swapStage(db, target, name, stage);
    return 0;
  }
  const given = staged.columns.filter((column) => column.name !== orderColumn && !column.generated);
  const table = target === null ? createTarget(db, parts, given) : withColumns(db, target, given);
  const names = given.map((column) => column.name);
  if (KEYED_MODES.includes(request.mode)) return merge(db, table, staged, { ...request, names });
  if (isEmptying) empty(db, table);
  insertAll(db, table, staged, names);
  if (isEmptying) requireForeignKeys(db, table.name);
  return 0;
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
  names: readonly string[],
): void {
  const list = quoteList(names);
  db.exec(
    `INSERT INTO ${quoteIdentifier(target.name)} (${list}) SELECT ${list} FROM ${quoteIdentifier(stage.name)} ORDER BY ${order}`,
  );
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

interface Merge {
  readonly mode: PartsRequest['mode'];
  readonly key: readonly string[];
  /** Columns of the rows. */
  readonly names: readonly string[];
}

/** When a key comes twice, its last row counts, or its first where rows that are there are left alone. */
function merge(
  db: DatabaseSync,
  target: SqliteTable,
  stage: SqliteTable,
  { mode, key, names }: Merge,
): number {
  requireUniqueKey(db, target, key);
  const [into, from, list] = [quoteIdentifier(target.name), quoteIdentifier(stage.name), quoteList(names)];
  const same = key.map((name) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
  const isThere = `EXISTS (SELECT 1 FROM ${into} AS t WHERE ${same})`;
  const changed = names.filter((name) => !key.includes(name));
  const insert = (where: string, conflict: string) =>
    Number(
      db
        .prepare(
          `INSERT INTO ${into} (${list}) SELECT ${list} FROM ${from} AS s WHERE ${where} ORDER BY ${order}
           ON CONFLICT (${quoteList(key)}) ${conflict}`,
        )
        .run().changes,
    );
  const doUpdate = (values: (column: string) => string) =>
    changed.map((name) => `${quoteIdentifier(name)} = ${values(quoteIdentifier(name))}`).join(', ');
  const update = changed.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${doUpdate((c) => `excluded.${c}`)}`;
  if (mode === 'insert_only') {
    const all = Number(db.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.['n'] ?? 0);
    return all - insert(`NOT ${isThere}`, 'DO NOTHING');
  }
  const given = new Set(names.map(foldName));
  if (requiredColumns(target).every((column) => given.has(foldName(column.name)))) {
    insert('true', update);
    return 0;
  }
  // SQLite refuses a row that lacks what a new one needs before it sees that its key is there.
  if (changed.length > 0) {
    const index = quoteIdentifier(`${ownTablePrefix}index_${sha256(stage.name).slice(0, 12)}`);
    db.exec(`CREATE INDEX ${index} ON ${from} (${quoteList(key)})`);
    const last = key.map((name) => `x.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
    db.exec(
      `UPDATE ${into} AS t SET ${doUpdate((c) => `s.${c}`)} FROM ${from} AS s
       WHERE ${same} AND s.${order} = (SELECT max(x.${order}) FROM ${from} AS x WHERE ${last})`,
    );
  }
  insert(`NOT ${isThere}`, update);
  return 0;
}
