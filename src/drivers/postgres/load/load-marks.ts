import type { ClientBase } from 'pg';
import { findTable, ownTablePrefix, type TableName, tableName } from '../introspect.ts';

/** How long the marks of loads are kept; a retry comes within hours. */
export const loadMarkDays = 90;

const MARKS = `${ownTablePrefix}loads`;

/** The table of marks, as SQL. */
export function marksOf(schema: string): string {
  return tableName(schema, MARKS).sql;
}

export async function createMarks(client: ClientBase, schema: string): Promise<void> {
  const marks = marksOf(schema);
  // Once it is there, a role that may not create tables in the schema can append.
  const { rows } = await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [marks]);
  if (rows.length > 0) return;
  // Two first loads at once would both make the table.
  await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [marks]);
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${marks} (load_id text, object text, rows bigint NOT NULL,
       loaded_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (load_id, object))`,
  );
}

/** Records a load with its rows, in their transaction; throws where another attempt of it has done so. */
export async function saveMark(
  client: ClientBase,
  { loadId, name, rows }: { readonly loadId: string; readonly name: TableName; readonly rows: number },
): Promise<void> {
  const marks = marksOf(name.schema);
  // An attempt that lives on beside its retry fails here, and takes its rows back.
  await client.query(`INSERT INTO ${marks} (load_id, object, rows) VALUES ($1, $2, $3)`, [
    loadId,
    name.name,
    rows,
  ]);
  // Loads that end at once do not wait for each other here.
  await client.query(
    `DELETE FROM ${marks} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${marks}
       WHERE loaded_at < now() - interval '${loadMarkDays} days' FOR UPDATE SKIP LOCKED))`,
  );
}

export async function findMark(
  client: ClientBase,
  loadId: string,
  name: TableName,
): Promise<{ readonly rows: number } | null> {
  const marks = tableName(name.schema, MARKS);
  if ((await findTable(client, marks)) === null) return null;
  const { rows } = await client.query<{ rows: number }>(
    `SELECT rows FROM ${marks.sql} WHERE load_id = $1 AND object = $2`,
    [loadId, name.name],
  );
  return rows[0] === undefined ? null : { rows: Number(rows[0].rows) };
}
