import type { DatabaseSync } from 'node:sqlite';
import { type Column, ConnectorError } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { foldName } from '../fold-name.ts';
import { findTable, type SqliteTable } from '../introspect.ts';
import { CREATED_NAME, findColumn, requiredColumns, stageName } from './load-table.ts';
import { strictly, typeFor } from './made-type.ts';

/** Makes the table from the rows' types and what their source declares; the key becomes its primary key. */
export function createTable(
  db: DatabaseSync,
  name: string,
  columns: readonly Column[],
  key: readonly string[],
): void {
  const lines = columns.map((column) => {
    const isRequired = key.includes(column.name) || (column.declared !== undefined && !column.nullable);
    return `${quoteIdentifier(column.name)} ${typeFor(column)}${isRequired ? ' NOT NULL' : ''}`;
  });
  if (key.length > 0) lines.push(`PRIMARY KEY (${quoteList(key)})`);
  db.exec(`CREATE TABLE ${quoteIdentifier(name)} (${lines.join(', ')})`);
}

/**
 * Makes the empty table that will take the target's place: with the target's own declaration when the rows fill what it
 * requires, so that types, keys, defaults and checks stay; else from the rows' types.
 */
export function createStage(
  db: DatabaseSync,
  target: SqliteTable | null,
  stage: string,
  columns: readonly Column[],
): SqliteTable {
  db.exec(`DROP TABLE IF EXISTS ${quoteIdentifier(stage)}`);
  const given = new Set(columns.map((column) => foldName(column.name)));
  if (target !== null && requiredColumns(target).every((column) => given.has(foldName(column.name)))) {
    const { sql } = db
      .prepare(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`)
      .get(target.name) as { sql: string };
    db.exec(sql.replace(CREATED_NAME, () => `CREATE TABLE ${quoteIdentifier(stage)}`));
  } else {
    createTable(db, stage, columns, target === null ? sourceKey(columns) : []);
  }
  return findTable(db, stage) as SqliteTable;
}

/** The primary key of the one table that all columns are of, as its source declares it. */
function sourceKey(columns: readonly Column[]): readonly string[] {
  if (columns.some(({ declared }) => declared === undefined)) return [];
  return columns.filter(({ key }) => key === true).map(({ name }) => name);
}

/** An empty table for keys alone, which compare as those of the target do. */
export function createKeyStage(db: DatabaseSync, target: SqliteTable, key: readonly string[]): SqliteTable {
  const stage = stageName(target.name);
  const lines = key.map((name) => {
    const column = findColumn(target, name);
    if (column !== undefined) return `${quoteIdentifier(name)} ${column.declared}`;
    throw new ConnectorError('CONFIG', `The table "${target.name}" has no key column "${name}"`);
  });
  db.exec(`DROP TABLE IF EXISTS ${quoteIdentifier(stage)}`);
  db.exec(`CREATE TABLE ${quoteIdentifier(stage)} (${lines.join(', ')})${strictly(target)}`);
  return findTable(db, stage) as SqliteTable;
}
