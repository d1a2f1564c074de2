import type { DatabaseSync } from 'node:sqlite';
import { AbsentResourceError, type Column, ConnectorError, type Resource } from '../driver.ts';
import { splitTableName } from '../sql/identifier.ts';
import { typeOfDeclared } from './column-type.ts';

/** Names of the driver's own tables, which no list shows. */
export const ownTablePrefix = '_headgate_';
export const listedTablesMax = 10_000;

export interface SqliteColumn {
  readonly name: string;
  readonly declared: string;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  /** Place in the primary key from 1; 0 outside it. */
  readonly keyPlace: number;
  readonly generated: boolean;
}

export interface SqliteTable {
  /** As the schema spells it. */
  readonly name: string;
  readonly kind: 'table' | 'view' | 'virtual';
  readonly withoutRowid: boolean;
  readonly strict: boolean;
  readonly columns: readonly SqliteColumn[];
}

/** The table of an object's name; SQLite's only schema is `main`. */
export function tableNameOf(object: string): string {
  const { schema, name } = splitTableName(object);
  if (schema !== null && schema.toLowerCase() !== 'main') {
    throw new ConnectorError(
      'CONFIG',
      `"${object}" names a schema, but SQLite has none; use only the table name`,
    );
  }
  return name;
}

export function listTables(db: DatabaseSync): readonly Resource[] {
  const rows = db
    .prepare(
      `SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view', 'virtual')
       AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT ?`,
    )
    .all(listedTablesMax);
  return rows
    .map((row) => ({
      name: String(row['name']),
      type: row['type'] === 'virtual' ? 'table' : String(row['type']),
    }))
    .filter((resource) => !resource.name.startsWith(ownTablePrefix));
}

/** The table as the schema has it, or null. Names compare without case, as SQLite does. */
export function findTable(db: DatabaseSync, name: string): SqliteTable | null {
  const found = db
    .prepare(
      `SELECT name, type, wr, strict FROM pragma_table_list(?) WHERE schema = 'main' AND type IN ('table', 'view', 'virtual')`,
    )
    .get(name);
  if (found === undefined) return null;
  const columns = db
    .prepare(
      'SELECT name, type, "notnull" AS required, dflt_value, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1',
    )
    .all(name);
  return {
    name: String(found['name']),
    kind: found['type'] as SqliteTable['kind'],
    withoutRowid: found['wr'] === 1,
    strict: found['strict'] === 1,
    columns: columns.map((column) => ({
      name: String(column['name']),
      declared: String(column['type']),
      notNull: column['required'] === 1,
      hasDefault: column['dflt_value'] !== null,
      keyPlace: Number(column['pk']),
      generated: column['hidden'] !== 0,
    })),
  };
}

export function requireTable(db: DatabaseSync, resource: string): SqliteTable {
  const table = findTable(db, tableNameOf(resource));
  if (table === null) throw new AbsentResourceError(`There is no table "${resource}"`);
  return table;
}

/** True for the column that is another name of the rowid: it fills itself in and is never null. */
export function isRowid(table: SqliteTable, column: SqliteColumn): boolean {
  const single = table.columns.filter((other) => other.keyPlace > 0).length === 1;
  return column.keyPlace > 0 && single && !table.withoutRowid && column.declared.toUpperCase() === 'INTEGER';
}

/**
 * Common columns of a table. `key` marks the primary key, unless SQLite lets it be null, as it does for keys that are
 * neither the rowid nor declared NOT NULL: such a key does not tell rows apart.
 */
export function commonColumns(table: SqliteTable): readonly Column[] {
  const never = (column: SqliteColumn) =>
    column.notNull || isRowid(table, column) || (table.withoutRowid && column.keyPlace > 0);
  const key = table.columns.filter((column) => column.keyPlace > 0);
  const isKeyed = key.length > 0 && key.every(never);
  return table.columns.map((column) => ({
    name: column.name,
    type: typeOfDeclared(column.declared),
    nullable: !never(column),
    ...(column.declared === '' ? {} : { native_type: column.declared }),
    ...(isKeyed && column.keyPlace > 0 ? { key: true } : {}),
  }));
}
