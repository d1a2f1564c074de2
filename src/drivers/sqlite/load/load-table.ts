import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../../base/ids.ts';
import { type Column, ConnectorError } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { foldName } from '../fold-name.ts';
import { isRowid, ownTablePrefix, type SqliteColumn, type SqliteTable } from '../introspect.ts';
import { typeFor } from './made-type.ts';

/** Whatever a CREATE TABLE of the schema names its table as, up to the name's end. */
export const CREATED_NAME =
  /^CREATE TABLE\s+(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[^\s("]+)/i;

/** Whether the engine computes the column of this name. */
export function computedIn(table: SqliteTable): (name: string) => boolean {
  return (name) => findColumn(table, name)?.generated === true;
}

/** Column of the table with this name, as SQLite compares names. */
export function findColumn(table: SqliteTable, name: string): SqliteColumn | undefined {
  const folded = foldName(name);
  return table.columns.find((column) => foldName(column.name) === folded);
}

/** Columns that a row must give: not null, without a default, and not filled in by the engine. */
export function requiredColumns(table: SqliteTable): readonly SqliteColumn[] {
  return table.columns.filter((column) => {
    return column.notNull && !column.hasDefault && !column.generated && !isRowid(table, column);
  });
}

/** Adds the columns that the table lacks; true when there were some. */
export function addColumns(db: DatabaseSync, table: SqliteTable, columns: readonly Column[]): boolean {
  const missing = columns.filter((column) => findColumn(table, column.name) === undefined);
  for (const column of missing) {
    const added = `${quoteIdentifier(column.name)} ${typeFor(column, table.strict)}`;
    db.exec(`ALTER TABLE ${quoteIdentifier(table.name)} ADD COLUMN ${added}`);
  }
  return missing.length > 0;
}

/** Makes sure that the engine can tell by `key` whether a row is there: a primary key or a unique index of just these. */
export function requireUniqueKey(db: DatabaseSync, table: SqliteTable, key: readonly string[]): void {
  const wanted = key.map(foldName).sort();
  const same = (names: readonly string[]) => {
    const folded = names.map(foldName).sort();
    return folded.length === wanted.length && folded.every((name, i) => name === wanted[i]);
  };
  if (same(table.columns.filter((column) => column.keyPlace > 0).map((column) => column.name))) return;
  const indexes = db
    .prepare(`SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0`)
    .all(table.name);
  for (const index of indexes) {
    const columns = db.prepare('SELECT name FROM pragma_index_info(?)').all(String(index['name']));
    if (same(columns.map((column) => String(column['name'])))) return;
  }
  const name = `${ownTablePrefix}key_${sha256(`${table.name}\n${key.join('\n')}`).slice(0, 12)}`;
  try {
    db.exec(
      `CREATE UNIQUE INDEX ${quoteIdentifier(name)} ON ${quoteIdentifier(table.name)} (${quoteList(key)})`,
    );
  } catch (error) {
    const message = `The table "${table.name}" has several rows with the same key (${key.join(', ')}); a merge needs a unique one`;
    throw new ConnectorError('TARGET', message, { cause: error });
  }
}

/** The order in which rows came into a stage. */
export const orderColumn = `${ownTablePrefix}n`;

export function stageName(table: string): string {
  return `${ownTablePrefix}stage_${sha256(foldName(table)).slice(0, 12)}`;
}

/** True where a table refers to the rows of this one. */
export function isReferenced(db: DatabaseSync, table: string): boolean {
  const referring = db.prepare(
    `SELECT 1 FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
     WHERE t.type = 'table' AND f."table" = ? COLLATE NOCASE LIMIT 1`,
  );
  return referring.get(table) !== undefined;
}

/** Replaces the target by the stage, inside the caller's transaction. */
export function swapStage(db: DatabaseSync, target: SqliteTable | null, name: string, stage: string): void {
  const table = target?.name ?? name;
  swapTables(db, table, stage);
  requireForeignKeys(db, table);
}

/** Gives a table the name of another, which goes, where it is there; its indexes and triggers are made again. */
export function swapTables(db: DatabaseSync, table: string, made: string): void {
  const attached = db
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND type IN ('index', 'trigger') AND sql IS NOT NULL`,
    )
    .all(table) as { type: string; name: string; sql: string }[];
  db.exec(`DROP TABLE IF EXISTS ${quoteIdentifier(table)}`);
  db.exec(`ALTER TABLE ${quoteIdentifier(made)} RENAME TO ${quoteIdentifier(table)}`);
  for (const { type, name: attachedName, sql } of attached) {
    try {
      db.exec(sql);
    } catch (error) {
      throw new ConnectorError(
        'TARGET',
        `The new rows do not fit the ${type} "${attachedName}" of "${table}"`,
        { cause: error },
      );
    }
  }
}

/** After what happened with foreign keys off: before it counts, every reference from and to the table is looked at. */
export function requireForeignKeys(db: DatabaseSync, table: string): void {
  const referring = db
    .prepare(
      `SELECT DISTINCT t.name FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
       WHERE t.type = 'table' AND (t.name = ?1 COLLATE NOCASE OR f."table" = ?1 COLLATE NOCASE)`,
    )
    .all(table);
  for (const { name } of referring) {
    const broken = db.prepare('SELECT parent FROM pragma_foreign_key_check(?) LIMIT 1').get(String(name));
    if (broken !== undefined) {
      throw new ConnectorError(
        'TARGET',
        `A row of "${name}" refers to a missing row of "${broken['parent']}"`,
      );
    }
  }
}
