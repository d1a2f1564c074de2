import { sha256 } from '../../../../base/ids.ts';
import { type Column, ConnectorError } from '../../../driver.ts';
import { quoteIdentifier, quoteList } from '../../../sql/identifier.ts';
import {
  findColumn,
  findTable,
  type MysqlColumn,
  type MysqlTable,
  ownTablePrefix,
  type TableName,
} from '../../introspect.ts';
import type { MysqlClient } from '../../mysql-client.ts';
import { isDuplicate, type KeyColumns } from '../../mysql-fault.ts';
import type { Session } from '../../session-pool.ts';
import { ownCollation } from '../../types/own-type.ts';
import type { NewColumn } from './new-columns.ts';
import { changingTable } from './table-lock.ts';

/** Makes the table; the key becomes its primary key. */
export async function createTable(
  session: Session,
  name: TableName,
  columns: readonly NewColumn[],
  key: readonly string[],
): Promise<void> {
  const lines = columns.map((column) => `${asDeclared(column)} ${column.notNull ? 'NOT NULL' : 'NULL'}`);
  if (key.length > 0) lines.push(`PRIMARY KEY (${quoteList(key)})`);
  await session.client.query(`CREATE TABLE ${name.sql} (${lines.join(', ')}) ${tableOptions(session)}`);
}

/** How a table of ours is kept. */
export function tableOptions(session: Session): string {
  return `ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${ownCollation(session)}`;
}

/** Columns that the table lacks. */
export function missingColumns<T extends { readonly name: string }>(
  table: MysqlTable,
  columns: readonly T[],
): readonly T[] {
  return columns.filter((column) => findColumn(table, column.name) === undefined);
}

export async function addColumns(
  client: MysqlClient,
  table: TableName,
  columns: readonly NewColumn[],
): Promise<void> {
  if (columns.length === 0) return;
  const added = columns.map((column) => `ADD COLUMN ${asDeclared(column)} NULL`);
  await client.query(`ALTER TABLE ${table.sql} ${added.join(', ')}`);
}

/** Adds the columns that the table lacks and another one has, as they are there. */
export async function addColumnsOf(client: MysqlClient, table: MysqlTable, other: MysqlTable): Promise<void> {
  const added = other.columns
    .filter(({ name }) => findColumn(table, name) === undefined)
    .map((column) => `ADD COLUMN ${asDeclared(column)} NULL`);
  if (added.length > 0) await client.query(`ALTER TABLE ${table.name.sql} ${added.join(', ')}`);
}

type NewColumnType = Pick<MysqlColumn, 'name' | 'declared' | 'collation' | 'isJson'>;

/** A column as a declaration names it, without whether it may be null. */
export function asDeclared({ name, declared, collation, isJson }: NewColumnType): string {
  if (isJson) return `${quoteIdentifier(name)} json`;
  return `${quoteIdentifier(name)} ${declared}${collation === null ? '' : ` COLLATE ${collation}`}`;
}

/** Throws `UNAVAILABLE` where rows of the other table would be bent on their way: the table got other types while they came. */
export function requireSameTypes(table: MysqlTable, other: MysqlTable, object: string): void {
  const changed = other.columns.find(({ name, declared }) => {
    const there = findColumn(table, name);
    return there !== undefined && !there.generated && there.declared !== declared;
  });
  if (changed === undefined) return;
  throw new ConnectorError(
    'UNAVAILABLE',
    `The column "${changed.name}" of "${object}" got another type while the rows came; this load was taken back`,
  );
}

/** Columns of the batch that the engine does not fill in itself. */
export function settable(table: MysqlTable | null, columns: readonly Column[]): readonly Column[] {
  if (table === null) return columns;
  return columns.filter((column) => findColumn(table, column.name)?.generated !== true);
}

/** Columns that a row must give: not null, and not filled in by the engine. */
export function requiredColumns(table: MysqlTable): readonly MysqlColumn[] {
  return table.columns.filter((column) => column.notNull && !column.hasDefault && !column.generated);
}

/** Unique indexes of a table: the columns of each, null where an index has a part of a column or an expression. */
export type UniqueIndexes = ReadonlyMap<string, readonly string[] | null>;

export async function uniqueIndexes({ client }: Session, name: TableName): Promise<UniqueIndexes> {
  const { rows } = await client.execute(
    `SELECT index_name, column_name, sub_part FROM information_schema.statistics
     WHERE table_schema = ? AND table_name = ? AND non_unique = 0 ORDER BY index_name, seq_in_index`,
    [name.database, name.name],
  );
  const indexes = new Map<string, readonly string[] | null>();
  for (const [index, column, part] of rows) {
    const name = String(index);
    const known = indexes.get(name);
    if (known === null) continue;
    const isWhole = typeof column === 'string' && part === null;
    indexes.set(name, isWhole ? [...(known ?? []), column] : null);
  }
  return indexes;
}

/** For errors: the column of each index that has one alone. */
export function keyColumns(indexes: UniqueIndexes): KeyColumns {
  const single = [...indexes].flatMap(([name, columns]): [string, string][] => {
    const [column] = columns ?? [];
    return columns?.length === 1 && column !== undefined ? [[name, column]] : [];
  });
  return new Map(single);
}

function isOf(columns: readonly string[] | null, key: readonly string[]): boolean {
  const wanted = new Set(key.map((name) => name.toLowerCase()));
  return columns?.length === wanted.size && columns.every((name) => wanted.has(name.toLowerCase()));
}

/**
 * Makes sure that the engine can tell by `key` whether a row is there. It stays where the load then fails: a change of a table
 * commits by itself. Gives whether no other unique index is there, so that ON DUPLICATE KEY means the key.
 */
export async function requireUniqueKey(
  session: Session,
  table: MysqlTable,
  key: readonly string[],
): Promise<boolean> {
  const found = await soleUniqueKey(session, table.name, key);
  if (found !== null) return found;
  // Others that merge into the table may be about to make it as well.
  return changingTable(session.client, table.name, async () => {
    return (await soleUniqueKey(session, table.name, key)) ?? makeUniqueKey(session, table, key);
  });
}

/** Whether the unique index of the key is the only one of the table; null where there is none of the key. */
async function soleUniqueKey(
  session: Session,
  name: TableName,
  key: readonly string[],
): Promise<boolean | null> {
  const indexes = await uniqueIndexes(session, name);
  return [...indexes.values()].some((columns) => isOf(columns, key)) ? indexes.size === 1 : null;
}

async function makeUniqueKey(session: Session, table: MysqlTable, key: readonly string[]): Promise<boolean> {
  const name = `${ownTablePrefix}key_${sha256(`${table.name.sql}\n${key.join('\n')}`).slice(0, 12)}`;
  try {
    await session.client.query(
      `CREATE UNIQUE INDEX ${quoteIdentifier(name)} ON ${table.name.sql} (${quoteList(key)})`,
    );
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const message = `The table "${table.name.name}" has several rows with the same key (${key.join(', ')}); a merge needs a unique one`;
    throw new ConnectorError('TARGET', message, { cause: error });
  }
  return (await uniqueIndexes(session, table.name)).size === 1;
}

/** The table, which must be there. */
export async function again(session: Session, name: TableName): Promise<MysqlTable> {
  const table = await findTable(session, name);
  if (table === null)
    throw new ConnectorError('TARGET', `The table "${name.name}" was removed during the load`);
  return table;
}

/** Removes a table that this load has made, unless somebody else has put rows in. */
export async function dropIfEmpty(client: MysqlClient, name: TableName): Promise<void> {
  await client.query(`LOCK TABLES ${name.sql} WRITE`);
  try {
    const { rows } = await client.query(`SELECT 1 FROM ${name.sql} LIMIT 1`);
    if (rows.length === 0) await client.query(`DROP TABLE ${name.sql}`);
  } finally {
    await client.query('UNLOCK TABLES');
  }
}
