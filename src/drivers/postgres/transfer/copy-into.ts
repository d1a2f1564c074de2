import type { ClientBase } from 'pg';
import type { Column } from '../../driver.ts';
import { quoteList } from '../../sql/identifier.ts';
import { findTable, type TableName } from '../introspect.ts';
import { CopyIn } from './copy-in.ts';
import type { PostgresRowsCopy, SentRows } from './postgres-rows-copy.ts';
import { formatInto } from './same-types.ts';

/** Whether a table that is there lacks one of the columns. It would wait for a source that reads it to get it. */
export async function lacksColumns(
  client: ClientBase,
  name: TableName,
  columns: readonly Column[],
): Promise<boolean> {
  const table = await findTable(client, name);
  if (table === null) return false;
  const known = new Set(table.columns.map((column) => column.name));
  return columns.some((column) => !known.has(column.name));
}

/** Copies the rows into the table's columns of the same names. null where their types do not prove that every value arrives as it is. */
export async function copyInto(
  client: ClientBase,
  table: TableName,
  copy: PostgresRowsCopy,
  onRows: (rows: number) => void,
): Promise<SentRows | null> {
  const format = await formatInto(client, table, copy);
  if (format === null) return null;
  const names = quoteList(copy.fields.map(({ name }) => name));
  const into = client.query(new CopyIn(`COPY ${table.sql} (${names}) FROM STDIN (FORMAT ${format})`));
  await into.accepted;
  return copy.sendTo(into, format, onRows);
}

/** Whether a row of the table has no value in a column of the key. */
export async function lacksKeys(
  client: ClientBase,
  table: TableName,
  key: readonly string[],
): Promise<boolean> {
  if (key.length === 0) return false;
  const empty = key.map((name) => `${quoteList([name])} IS NULL`).join(' OR ');
  const { rows } = await client.query(`SELECT 1 FROM ${table.sql} WHERE ${empty} LIMIT 1`);
  return rows.length > 0;
}
