import type { ClientBase } from 'pg';
import { randomHex, sha256 } from '../../../base/ids.ts';
import { type Batch, type Column, ConnectorError } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { lastChanges, type WiderColumn } from '../../types/type-bounds.ts';
import { findTable, ownTablePrefix, type PostgresTable, type TableName, tableName } from '../introspect.ts';
import { isDefinitionRace } from '../postgres-fault.ts';
import { createdType } from '../types/created-type.ts';
import { isStageColumn, stageColumns } from './stage/stage-columns.ts';

/** Makes the table from the rows' types, and what their source declares; the key becomes its primary key. */
export async function createTable(
  client: ClientBase,
  name: TableName,
  columns: readonly Column[],
  key: readonly string[],
): Promise<void> {
  const lines = columns.map(
    (column) => `${quoteIdentifier(column.name)} ${createdType(column)}${required(column)}`,
  );
  if (key.length > 0) lines.push(`PRIMARY KEY (${quoteList(key)})`);
  await client.query(`CREATE TABLE ${name.sql} (${lines.join(', ')})`);
}

/** What a step has computed may be null, whatever its source declared. */
function required({ declared }: Column): string {
  return declared?.required === true ? ' NOT NULL' : '';
}

/** The primary key of the rows' source, where all of it comes; else empty. */
export function sourceKey(columns: readonly Column[]): readonly string[] {
  const key = columns.filter(({ declared }) => declared?.keyColumns !== undefined);
  return key.every(({ declared }) => declared?.keyColumns === key.length) ? key.map(({ name }) => name) : [];
}

export function lacksColumns(table: PostgresTable, columns: readonly Column[]): boolean {
  return columns.some(({ name }) => !table.columns.some((column) => column.name === name));
}

/** Adds the columns that the table lacks; true when there were some. */
export async function addColumns(
  client: ClientBase,
  table: PostgresTable,
  columns: readonly Column[],
): Promise<boolean> {
  const known = new Set(table.columns.map((column) => column.name));
  const missing = columns.filter((column) => !known.has(column.name));
  if (missing.length === 0) return false;
  const added = missing.map((column) => `ADD COLUMN ${quoteIdentifier(column.name)} ${createdType(column)}`);
  await client.query(`ALTER TABLE ${table.name.sql} ${added.join(', ')}`);
  return true;
}

/** Errors of an ALTER that something else than the table's rows forbids. */
const DEPENDED_ON: ReadonlySet<string> = new Set(['0A000', '2BP01', '42804', '42P16', '55006']);

/** Gives columns wider types; the table as it is then. Columns that it lacks, or has so already, are left out. */
export async function widenColumns(
  client: ClientBase,
  table: PostgresTable,
  wider: readonly WiderColumn[],
): Promise<PostgresTable> {
  const there = lastChanges(wider).flatMap(({ name, to }) => {
    const column = table.columns.find((one) => one.name === name);
    return column === undefined || column.declared === to ? [] : [{ name, to, declared: column.declared }];
  });
  if (there.length === 0) return table;
  const changes = there.map(({ name, to, declared }) => {
    const column = quoteIdentifier(name);
    // A day begins in UTC, whatever the zone of who reads it.
    const isDay = declared === 'date' && to.endsWith('with time zone');
    const using = isDay ? ` USING ${column}::timestamp AT TIME ZONE 'UTC'` : '';
    return `ALTER COLUMN ${column} TYPE ${to}${using}`;
  });
  try {
    // Checks that wait for the commit would forbid the change.
    await client.query(`SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE ${table.name.sql} ${changes.join(', ')}`);
  } catch (cause) {
    if (!DEPENDED_ON.has(String((cause as { code?: unknown }).code))) throw cause;
    const names = there.map(({ name, to }) => `"${name}" (${to})`).join(', ');
    const message = `The table "${table.name.name}" cannot get wider columns: ${names}. A view, a key or something else depends on them; change them by hand`;
    throw new ConnectorError('CONFIG', message, { cause });
  }
  const changed = await findTable(client, table.name);
  return changed ?? table;
}

/** An empty table beside the target that may take its place: the same columns, defaults, checks, keys and indexes. */
export async function createStage(
  client: ClientBase,
  target: PostgresTable | null,
  name: TableName,
  columns: readonly Column[],
): Promise<TableName> {
  // A random name: two loads of one table must not wait for each other's stage.
  const stage = tableName(name.schema, `${ownTablePrefix}stage_${randomHex(6)}`);
  if (target === null) await createTable(client, stage, columns, sourceKey(columns));
  else await client.query(`CREATE TABLE ${stage.sql} (LIKE ${target.name.sql} INCLUDING ALL)`);
  return stage;
}

/** A temporary table for rows that are then merged: types and checks of the target, without its keys. */
export async function createMergeStage(
  client: ClientBase,
  target: PostgresTable,
  given: ReadonlySet<string>,
): Promise<TableName> {
  const stage = tableName('pg_temp', `${ownTablePrefix}merge_${randomHex(6)}`);
  // Columns that the rows leave out may be required in the target, where the row is there already.
  const optional = target.columns
    .filter((column) => column.notNull && !given.has(column.name))
    .map((column) => `ALTER COLUMN ${quoteIdentifier(column.name)} DROP NOT NULL`);
  const added = stageColumns.map((line) => `ADD COLUMN ${line}`);
  const temporary = quoteIdentifier(stage.name);
  await client.query(
    `CREATE TEMPORARY TABLE ${temporary} (LIKE ${target.name.sql} INCLUDING CONSTRAINTS) ON COMMIT DROP;
     ALTER TABLE pg_temp.${temporary} ${[...optional, ...added].join(', ')}`,
  );
  return { ...stage, sql: `pg_temp.${temporary}` };
}

/** Columns of a stage that some rows do not have need no value there; true where that was new. */
export async function relaxStage(
  client: ClientBase,
  { name, columns }: PostgresTable,
  shapes: readonly Pick<Batch, 'columns'>[],
): Promise<boolean> {
  const isLacking = (column: string) =>
    shapes.some((shape) => !shape.columns.some(({ name }) => name === column));
  const optional = columns.filter(
    (column) => column.notNull && !isStageColumn(column.name) && isLacking(column.name),
  );
  if (optional.length === 0) return false;
  const changes = optional.map((column) => `ALTER COLUMN ${quoteIdentifier(column.name)} DROP NOT NULL`);
  await client.query(`ALTER TABLE ${name.sql} ${changes.join(', ')}`);
  return true;
}

/** True where the engine can tell by `key` whether a row is there: by a unique index of just these columns. */
export async function hasUniqueKey(
  client: ClientBase,
  table: PostgresTable,
  key: readonly string[],
): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_index i WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid AND i.indimmediate
       AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = cardinality($2::text[])
       AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = i.indrelid
         AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1]) AND a.attname <> ALL ($2::text[]))`,
    [table.oid, key],
  );
  return rows.length > 0;
}

export async function makeUniqueKey(
  client: ClientBase,
  table: PostgresTable,
  key: readonly string[],
): Promise<void> {
  const usual = `${ownTablePrefix}key_${sha256(`${table.name.sql}\n${key.join('\n')}`).slice(0, 12)}`;
  // A table that was renamed has kept its index.
  const { rows } = await client.query(`SELECT 1 WHERE to_regclass($1) IS NOT NULL`, [
    tableName(table.name.schema, usual).sql,
  ]);
  const name = rows.length === 0 ? usual : `${ownTablePrefix}key_${randomHex(6)}`;
  try {
    await client.query(
      `CREATE UNIQUE INDEX ${quoteIdentifier(name)} ON ${table.name.sql} (${quoteList(key)})`,
    );
  } catch (error) {
    if (isDefinitionRace(error) || (error as { code?: string }).code !== '23505') throw error;
    const message = `The table "${table.name.name}" has several rows with the same key (${key.join(', ')}); a merge needs a unique one`;
    throw new ConnectorError('TARGET', message, { cause: error });
  }
}
