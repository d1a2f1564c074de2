import { AbsentResourceError, type Column, type Resource } from '../driver.ts';
import { quoteIdentifier, splitTableName } from '../sql/identifier.ts';
import type { Session } from './session-pool.ts';
import { commonTypeOf } from './types/declared-type.ts';

/** Names of the driver's own tables, which no list shows. */
export const ownTablePrefix = '_headgate_';
export const listedTablesMax = 10_000;

export interface TableName {
  readonly database: string;
  readonly name: string;
  /** Both, quoted. */
  readonly sql: string;
}

export function tableNameOf(object: string, defaultDatabase: string): TableName {
  const { schema, name } = splitTableName(object);
  return tableName(schema ?? defaultDatabase, name);
}

export function tableName(database: string, name: string): TableName {
  return { database, name, sql: `${quoteIdentifier(database)}.${quoteIdentifier(name)}` };
}

export interface MysqlColumn {
  readonly name: string;
  /** `bigint(20) unsigned`, `enum('a','b')`. */
  readonly declared: string;
  /** Of texts; null of others. */
  readonly collation: string | null;
  readonly isJson: boolean;
  readonly notNull: boolean;
  /** The engine fills it in when it is left out. */
  readonly hasDefault: boolean;
  readonly generated: boolean;
  readonly isKey: boolean;
}

export interface MysqlTable {
  readonly name: TableName;
  readonly kind: 'table' | 'view';
  readonly columns: readonly MysqlColumn[];
}

/** Tables and views of every database that is not the server's own; those of `database` come without it, as a user would write them. */
export async function listTables({ client }: Session, database: string): Promise<readonly Resource[]> {
  const { rows } = await client.execute(
    `SELECT table_schema, table_name, table_type FROM information_schema.tables
     WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
       AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') AND LEFT(table_name, ?) <> ?
     ORDER BY table_schema <> ?, table_schema, table_name LIMIT ${listedTablesMax}`,
    [String(ownTablePrefix.length), ownTablePrefix, database],
  );
  return rows.map((values) => {
    const [schema = '', name = '', type] = values.map(String);
    return {
      name: schema === database ? written(name) : `${written(schema)}.${written(name)}`,
      type: type === 'VIEW' ? 'view' : 'table',
    };
  });
}

/** A name as `splitTableName` reads it back. */
function written(name: string): string {
  return /[".]/.test(name) ? quoteIdentifier(name) : name;
}

/** The table as the catalogue has it, or null. */
export async function findTable(session: Session, name: TableName): Promise<MysqlTable | null> {
  const { client } = session;
  const found = await client.execute(
    'SELECT table_type FROM information_schema.tables WHERE table_schema = ? AND table_name = ?',
    [name.database, name.name],
  );
  const type = found.rows[0]?.[0];
  if (type === undefined) return null;
  const { rows } = await client.execute(
    `SELECT column_name, column_type, collation_name, is_nullable, column_default, extra, column_key
     FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position`,
    [name.database, name.name],
  );
  const json = await jsonColumns(session, name, rows);
  const columns = rows.map((row): MysqlColumn => {
    const [column, declared, collation, nullable, fallback, extra, key] = row;
    const [isNotNull, more] = [nullable === 'NO', String(extra)];
    return {
      name: String(column),
      declared: String(declared),
      collation: collation === null ? null : String(collation),
      isJson: declared === 'json' || json.has(String(column)),
      notNull: isNotNull,
      hasDefault:
        (fallback !== null && fallback !== undefined) || /auto_increment|DEFAULT_GENERATED/i.test(more),
      generated: /\b(VIRTUAL|STORED|PERSISTENT) ?(GENERATED)?/i.test(more.replace('DEFAULT_GENERATED', '')),
      isKey: key === 'PRI',
    };
  });
  return { name, kind: String(type).includes('VIEW') ? 'view' : 'table', columns };
}

/** A session that reads double quotes as those of names writes them so as well. */
const JSON_CHECK = /^json_valid\(([`"])((?:(?!\1).|\1\1)+)\1\)$/;

/** MariaDB keeps JSON as a text with a check. */
async function jsonColumns(
  { client, isMariaDb }: Session,
  name: TableName,
  columns: readonly (readonly unknown[])[],
): Promise<ReadonlySet<string>> {
  if (!isMariaDb || !columns.some((column) => column[1] === 'longtext')) return new Set();
  const { rows } = await client.execute(
    `SELECT check_clause FROM information_schema.check_constraints
     WHERE constraint_schema = ? AND table_name = ? AND check_clause LIKE 'json%valid(%'`,
    [name.database, name.name],
  );
  const found = rows.flatMap((row) => {
    const [, quote = '', column] = JSON_CHECK.exec(String(row[0])) ?? [];
    return column === undefined ? [] : [column.replaceAll(quote + quote, quote)];
  });
  return new Set(found);
}

export async function requireTable(
  session: Session,
  resource: string,
  defaultDatabase: string,
): Promise<MysqlTable> {
  const table = await findTable(session, tableNameOf(resource, defaultDatabase));
  if (table === null) throw new AbsentResourceError(`There is no table "${resource}"`);
  return table;
}

/** The column of this name, whatever its case. */
export function findColumn(table: MysqlTable, name: string): MysqlColumn | undefined {
  const folded = name.toLowerCase();
  return table.columns.find((column) => column.name.toLowerCase() === folded);
}

export function commonColumns(table: MysqlTable): readonly Column[] {
  return table.columns.map((column) => ({
    name: column.name,
    type: commonTypeOf(column),
    nullable: !column.notNull,
    native_type: column.declared,
    ...(column.isKey ? { key: true } : {}),
  }));
}
