import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../../base/ids.ts';
import { ConnectorError } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import type { WiderColumn } from '../../types/type-bounds.ts';
import { declaredType, typeOfDeclared } from '../column-type.ts';
import { foldName } from '../fold-name.ts';
import { findTable, ownTablePrefix, type SqliteTable } from '../introspect.ts';
import { withColumnType } from './declared-column.ts';
import { CREATED_NAME, findColumn, isReferenced, swapTables } from './load-table.ts';

/** Types that can grow: a stage that was made from the rows may have others. */
const NARROW: readonly string[] = ['integer', 'date'];

/**
 * Gives columns wider types, inside the caller's transaction; the table as it is then. SQLite cannot change a column: the table is
 * made anew, with its rows, indexes and triggers. Columns that it lacks, or has so already, are left out.
 */
export function widenColumns(
  db: DatabaseSync,
  table: SqliteTable,
  wider: readonly WiderColumn[],
): SqliteTable {
  const changes = new Map<string, string>();
  for (const { name, to } of wider) {
    const column = findColumn(table, name);
    if (column === undefined || column.declared === to) continue;
    if (NARROW.includes(typeOfDeclared(column.declared))) changes.set(column.name, to);
  }
  if (changes.size === 0) return table;
  // Taking the old table away would take the rows along that refer to its own.
  if (isReferenced(db, table.name))
    throw refused(table, changes, 'other tables refer to its rows, and SQLite would have to make it anew');
  const made = createWider(db, table, changes);
  const columns = table.columns.filter(({ generated }) => !generated).map(({ name }) => name);
  const values = columns.map((name) => storedAs(name, changes.get(name)));
  db.exec(
    `INSERT INTO ${quoteIdentifier(made)} (${quoteList(columns)}) SELECT ${values.join(', ')} FROM ${quoteIdentifier(table.name)}`,
  );
  swapTables(db, table.name, made);
  return findTable(db, table.name) ?? table;
}

/** A day that becomes a moment is its first one in UTC. */
function storedAs(name: string, to: string | undefined): string {
  const column = quoteIdentifier(name);
  if (to !== declaredType('timestamp')) return column;
  return `CASE WHEN typeof(${column}) = 'text' AND length(${column}) = 10 THEN ${column} || 'T00:00:00Z' ELSE ${column} END`;
}

/** The name of an empty table like this one, but for the types. */
function createWider(db: DatabaseSync, table: SqliteTable, changes: ReadonlyMap<string, string>): string {
  const name = `${ownTablePrefix}wider_${sha256(foldName(table.name)).slice(0, 12)}`;
  const { sql } = db
    .prepare(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`)
    .get(table.name) as { sql: string };
  let declaration: string | null = sql.replace(CREATED_NAME, () => `CREATE TABLE ${quoteIdentifier(name)}`);
  for (const [column, to] of changes)
    declaration = declaration === null ? null : withColumnType(declaration, column, to);
  if (declaration === null) throw refused(table, changes, 'its declaration is not understood');
  db.exec(`DROP TABLE IF EXISTS ${quoteIdentifier(name)}`);
  try {
    db.exec(declaration);
  } catch {
    throw refused(table, changes, 'a STRICT table has no such types');
  }
  const wanted = table.columns.map((column) => ({
    ...column,
    declared: changes.get(column.name) ?? column.declared,
  }));
  if (JSON.stringify(findTable(db, name)?.columns) === JSON.stringify(wanted)) return name;
  throw refused(table, changes, 'its declaration is not understood');
}

function refused({ name }: SqliteTable, changes: ReadonlyMap<string, string>, why: string): ConnectorError {
  const columns = [...changes].map(([column, to]) => `"${column}" (${to})`).join(', ');
  const message = `The table "${name}" cannot get wider columns: ${columns}; ${why}. Change them by hand`;
  return new ConnectorError('CONFIG', message);
}
