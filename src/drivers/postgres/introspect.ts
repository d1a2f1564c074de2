import type { ClientBase } from 'pg';
import { AbsentResourceError, type Column, type Resource } from '../driver.ts';
import { quoteIdentifier, splitTableName } from '../sql/identifier.ts';
import { requireName } from './names.ts';
import { type EngineType, engineTypes } from './types/engine-type.ts';
import { valueTypeOf } from './value-type.ts';

/** Names of the driver's own tables, which no list shows. */
export const ownTablePrefix = '_headgate_';
export const listedTablesMax = 10_000;

export interface TableName {
  readonly schema: string;
  readonly name: string;
  /** Both, quoted. */
  readonly sql: string;
}

export function tableNameOf(object: string, defaultSchema: string): TableName {
  const { schema, name } = splitTableName(object);
  requireName('schema', schema ?? defaultSchema);
  requireName('table', name);
  return tableName(schema ?? defaultSchema, name);
}

export function tableName(schema: string, name: string): TableName {
  return { schema, name, sql: `${quoteIdentifier(schema)}.${quoteIdentifier(name)}` };
}

export interface PostgresColumn {
  readonly name: string;
  /** `numeric(10,2)`, `text[]`. */
  readonly declared: string;
  readonly type: EngineType;
  readonly notNull: boolean;
  /** The engine fills it in when it is left out: default or identity. */
  readonly hasDefault: boolean;
  readonly generated: boolean;
  readonly isKey: boolean;
}

export interface PostgresTable {
  readonly oid: number;
  readonly name: TableName;
  /** r table, p partitioned table, v view, m materialized view, f foreign table. */
  readonly kind: string;
  /** Triggers, rules, partitions or another server may keep rows from it without a word. */
  readonly mayDrop: boolean;
  readonly columns: readonly PostgresColumn[];
}

/** The rows of the table itself, as SQL: those of its partitions, and not of tables that inherit from it. */
export function ownRows({ kind, name }: Pick<PostgresTable, 'kind' | 'name'>): string {
  return kind === 'p' ? name.sql : `ONLY ${name.sql}`;
}

const LISTED_KINDS: Readonly<Record<string, string>> = {
  r: 'table',
  p: 'table',
  f: 'table',
  v: 'view',
  m: 'materialized_view',
};

/** Tables and views of every schema; those of `defaultSchema` come without it, as a user would write them. */
export async function listTables(client: ClientBase, defaultSchema: string): Promise<readonly Resource[]> {
  const { rows } = await client.query<{ schema: string; name: string; kind: string }>(
    `SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
       AND NOT c.relispartition AND NOT starts_with(c.relname::text, $1)
     ORDER BY n.nspname <> $2, n.nspname, c.relname LIMIT $3`,
    [ownTablePrefix, defaultSchema, listedTablesMax],
  );
  return rows.map(({ schema, name, kind }) => ({
    name: schema === defaultSchema ? written(name) : `${written(schema)}.${written(name)}`,
    type: LISTED_KINDS[kind] ?? 'table',
  }));
}

/** A name as `splitTableName` reads it back. */
function written(name: string): string {
  return /[".]/.test(name) ? quoteIdentifier(name) : name;
}

/** The table as the catalog has it, or null. */
export async function findTable(client: ClientBase, name: TableName): Promise<PostgresTable | null> {
  const found = await client.query<{ oid: number; kind: string; may_drop: boolean }>(
    `SELECT oid, relkind AS kind, relhastriggers OR relhasrules OR relkind IN ('p', 'f') AS may_drop
     FROM pg_class WHERE oid = to_regclass($1) AND relkind IN ('r', 'p', 'v', 'm', 'f')`,
    [name.sql],
  );
  const [table] = found.rows;
  if (table === undefined) return null;
  const { rows } = await client.query<{
    name: string;
    declared: string;
    oid: number;
    modifier: number;
    not_null: boolean;
    has_default: boolean;
    generated: boolean;
    is_key: boolean;
  }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS declared, a.atttypid AS oid, a.atttypmod AS modifier,
       a.attnotnull AS not_null, a.atthasdef OR a.attidentity <> '' AS has_default, a.attgenerated <> '' AS generated,
       coalesce(a.attnum = ANY (k.indkey), false) AS is_key
     FROM pg_attribute a LEFT JOIN pg_index k ON k.indrelid = a.attrelid AND k.indisprimary
     WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [table.oid],
  );
  const types = await engineTypes(client, rows);
  const columns = rows.map((row, at) => ({
    name: row.name,
    declared: row.declared,
    type: types[at] as EngineType,
    notNull: row.not_null,
    hasDefault: row.has_default,
    generated: row.generated,
    isKey: row.is_key,
  }));
  return { oid: table.oid, name, kind: table.kind, mayDrop: table.may_drop, columns };
}

export async function requireTable(
  client: ClientBase,
  resource: string,
  defaultSchema: string,
): Promise<PostgresTable> {
  const table = await findTable(client, tableNameOf(resource, defaultSchema));
  if (table === null) throw new AbsentResourceError(`There is no table "${resource}"`);
  return table;
}

export function commonColumns(table: PostgresTable): readonly Column[] {
  return table.columns.map((column) => ({
    name: column.name,
    type: valueTypeOf(column.type.oid).type,
    nullable: !column.notNull,
    native_type: column.declared,
    ...(column.isKey ? { key: true } : {}),
  }));
}
