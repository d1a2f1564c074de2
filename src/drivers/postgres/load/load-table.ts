import type { ClientBase } from 'pg';
import { randomHex, sha256 } from '../../../base/ids.ts';
import { type Column, ConnectorError } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { lastChanges, type WiderColumn } from '../../types/type-bounds.ts';
import { findTable, ownTablePrefix, type PostgresTable, type TableName, tableName } from '../introspect.ts';
import { declaredType } from '../value-type.ts';

/** The order in which rows came into a stage; the last one of a key wins. */
export const orderColumn = `${ownTablePrefix}n`;

/** Beginning of the names of tables in which parts of a load wait. */
export const partStagePrefix = `${ownTablePrefix}parts_`;

function columnLines(columns: readonly Column[], key: readonly string[]): string {
  const lines = columns.map((column) => `${quoteIdentifier(column.name)} ${declaredType(column.type)}`);
  if (key.length > 0) lines.push(`PRIMARY KEY (${quoteList(key)})`);
  return lines.join(', ');
}

/** Makes the table from the rows' types; the key becomes its primary key. */
export async function createTable(
  client: ClientBase,
  name: TableName,
  columns: readonly Column[],
  key: readonly string[],
): Promise<void> {
  await client.query(`CREATE TABLE ${name.sql} (${columnLines(columns, key)})`);
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
  const added = missing.map(
    (column) => `ADD COLUMN ${quoteIdentifier(column.name)} ${declaredType(column.type)}`,
  );
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
  if (target === null) await createTable(client, stage, columns, []);
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
  const added = `ADD COLUMN ${quoteIdentifier(orderColumn)} bigint GENERATED ALWAYS AS IDENTITY (CACHE 1000)`;
  const temporary = quoteIdentifier(stage.name);
  await client.query(
    `CREATE TEMPORARY TABLE ${temporary} (LIKE ${target.name.sql} INCLUDING CONSTRAINTS) ON COMMIT DROP;
     ALTER TABLE pg_temp.${temporary} ${[...optional, added].join(', ')}`,
  );
  return { ...stage, sql: `pg_temp.${temporary}` };
}

/** Makes sure that the engine can tell by `key` whether a row is there: a unique index of just these columns. */
export async function requireUniqueKey(
  client: ClientBase,
  table: PostgresTable,
  key: readonly string[],
): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_index i WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid AND i.indimmediate
       AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = cardinality($2::text[])
       AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = i.indrelid
         AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1]) AND a.attname <> ALL ($2::text[]))`,
    [table.oid, key],
  );
  if (rows.length > 0) return;
  const name = `${ownTablePrefix}key_${sha256(`${table.name.sql}\n${key.join('\n')}`).slice(0, 12)}`;
  try {
    await client.query(
      `CREATE UNIQUE INDEX ${quoteIdentifier(name)} ON ${table.name.sql} (${quoteList(key)})`,
    );
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error;
    const message = `The table "${table.name.name}" has several rows with the same key (${key.join(', ')}); a merge needs a unique one`;
    throw new ConnectorError('TARGET', message, { cause: error });
  }
}

/**
 * True when nothing else knows the table by its identity, so that another may take its name: no view, foreign key, trigger,
 * policy, own sequence, partition, publication, grant or comment, and the owner is who loads.
 */
export async function isReplaceable(client: ClientBase, table: PostgresTable): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_class c WHERE c.oid = $1 AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relacl IS NULL
       AND c.relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)
       AND NOT c.relhastriggers AND NOT c.relhasrules AND NOT c.relrowsecurity AND NOT c.relispartition
       AND c.reloptions IS NULL AND c.reltablespace = 0 AND c.relreplident = 'd'
       AND NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = c.oid AND attacl IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM pg_inherits WHERE inhparent = c.oid OR inhrelid = c.oid)
       AND NOT EXISTS (SELECT 1 FROM pg_description WHERE classoid = 'pg_class'::regclass AND objoid = c.oid)
       AND NOT EXISTS (SELECT 1 FROM pg_publication_rel WHERE prrelid = c.oid)
       AND NOT EXISTS (
         SELECT 1 FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid AND NOT (
           d.classid = 'pg_attrdef'::regclass OR (d.classid = 'pg_type'::regclass AND d.deptype = 'i')
           OR (d.classid = 'pg_class'::regclass AND (SELECT relkind FROM pg_class WHERE oid = d.objid) IN ('i', 't'))
           OR (d.classid = 'pg_constraint'::regclass
               AND (SELECT contype FROM pg_constraint WHERE oid = d.objid) IN ('p', 'u', 'c', 'n', 'x'))))`,
    [table.oid],
  );
  return rows.length > 0;
}

async function indexNames(client: ClientBase, name: TableName): Promise<readonly string[]> {
  // LIKE makes the indexes in the order of the old ones, so that the n-th of both belong together.
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = to_regclass($1) ORDER BY i.indexrelid`,
    [name.sql],
  );
  return rows.map((row) => row.name);
}

/**
 * Replaces the target's rows by the stage's, inside the caller's transaction. The stage takes the target's name where it may and
 * nothing else depends on the target; else the target is emptied and filled, so that views, grants and keys stay.
 */
export async function swapStage(
  client: ClientBase,
  target: PostgresTable | null,
  stage: TableName,
  name: TableName,
  { columns, mayRename }: { readonly columns: readonly string[]; readonly mayRename: boolean },
): Promise<void> {
  const rename = `ALTER TABLE ${stage.sql} RENAME TO ${quoteIdentifier(name.name)}`;
  if (target === null) {
    await client.query(rename);
    return;
  }
  await client.query(`LOCK TABLE ${target.name.sql} IN ACCESS EXCLUSIVE MODE`);
  if (mayRename && (await isReplaceable(client, target))) {
    const [old, made] = [await indexNames(client, target.name), await indexNames(client, stage)];
    await client.query(`DROP TABLE ${target.name.sql}; ${rename}`);
    for (const [i, index] of made.entries()) {
      const to = old[i];
      if (to === undefined) continue;
      await client.query(`ALTER INDEX ${tableName(name.schema, index).sql} RENAME TO ${quoteIdentifier(to)}`);
    }
    return;
  }
  await emptyTable(client, target);
  await copyColumns(client, target, stage);
  const list = quoteList(columns);
  await client.query(
    `INSERT INTO ${target.name.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${stage.sql}`,
  );
  await client.query(`DROP TABLE ${stage.sql}`);
}

/** Gives the target the columns that rows have added to the stage, and the types that have grown there. */
async function copyColumns(client: ClientBase, target: PostgresTable, stage: TableName): Promise<void> {
  const filled = await findTable(client, stage);
  const wider = target.columns.flatMap(({ name, declared }) => {
    const to = filled?.columns.find((one) => one.name === name)?.declared ?? declared;
    return to === declared ? [] : [{ name, from: declared, to }];
  });
  await widenColumns(client, target, wider);
  const { rows } = await client.query<{ name: string; declared: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS declared FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($2::text[]) ORDER BY attnum`,
    [stage.sql, target.columns.map((column) => column.name)],
  );
  for (const { name, declared } of rows) {
    await client.query(`ALTER TABLE ${target.name.sql} ADD COLUMN ${quoteIdentifier(name)} ${declared}`);
  }
}

/** TRUNCATE, or DELETE where other tables refer to this one, which TRUNCATE refuses even when no row does. */
export async function emptyTable(client: ClientBase, table: PostgresTable): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_constraint WHERE contype = 'f' AND confrelid = $1 LIMIT 1`,
    [table.oid],
  );
  await client.query(rows.length === 0 ? `TRUNCATE ${table.name.sql}` : `DELETE FROM ${table.name.sql}`);
}
