import type { ClientBase } from 'pg';
import { ConnectorError } from '../../driver.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { ownRows, type PostgresTable } from '../introspect.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  c: 'ON DELETE CASCADE',
  n: 'ON DELETE SET NULL',
  d: 'ON DELETE SET DEFAULT',
};

/** The table and its partitions, at any depth. */
const TREE = `WITH RECURSIVE tree AS (
  SELECT $1::oid AS oid UNION
  SELECT i.inhrelid FROM pg_inherits i JOIN tree ON i.inhparent = tree.oid JOIN pg_class c ON c.oid = i.inhrelid
  WHERE c.relispartition)`;

/**
 * Throws `CONFIG` where rows of other tables would go or change with those of this one: a foreign key says so, and there are rows that
 * refer to this table, or it cannot be seen that there are none.
 */
export async function requireUntouchedOthers(client: ClientBase, table: PostgresTable): Promise<void> {
  const { rows } = await client.query<{
    constraint: string;
    action: string;
    referrer: string;
    from: string;
    columns: string[];
    is_readable: boolean;
  }>(
    `${TREE} SELECT coalesce(p.conname, k.conname) AS constraint, k.confdeltype AS action, format('%s.%s', n.nspname, c.relname) AS referrer,
       CASE c.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END || format('%I.%I', n.nspname, c.relname) AS from,
       ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = k.conrelid AND attnum = ANY (k.conkey)) AS columns,
       has_table_privilege(k.conrelid, 'SELECT') AND NOT row_security_active(k.conrelid) AS is_readable
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN pg_constraint p ON p.oid = k.conparentid
     WHERE k.contype = 'f' AND k.confdeltype IN ('c', 'n', 'd') AND k.confrelid IN (SELECT oid FROM tree)
       AND k.conrelid NOT IN (SELECT oid FROM tree)
     ORDER BY c.relispartition, 3, 1`,
    [table.oid],
  );
  for (const { constraint, action, referrer, from, columns, is_readable } of rows) {
    if (is_readable) {
      const refers = columns.map((name) => `${quoteIdentifier(name)} IS NOT NULL`).join(' AND ');
      const { rows: found } = await client.query(`SELECT 1 FROM ${from} WHERE ${refers} LIMIT 1`);
      if (found.length === 0) continue;
    }
    throw new ConnectorError(
      'CONFIG',
      `The rows of "${table.name.name}" cannot be replaced: "${referrer}" refers to them by the foreign key "${constraint}" (${ACTIONS[action]}), so that its rows would be lost or changed. Use "merge" with "delete_missing", or change the foreign key`,
    );
  }
}

/**
 * Takes all rows of the table and of its partitions, and of no other: by TRUNCATE, or by DELETE where other tables refer to it, which
 * TRUNCATE refuses even when no row does. Children that inherit keep theirs.
 */
export async function emptyTable(client: ClientBase, table: PostgresTable): Promise<void> {
  const own = ownRows(table);
  await client.query(`LOCK TABLE ${own} IN ACCESS EXCLUSIVE MODE`);
  await requireUntouchedOthers(client, table);
  const { rows } = await client.query(
    `${TREE} SELECT 1 FROM pg_constraint WHERE contype = 'f' AND confrelid IN (SELECT oid FROM tree) LIMIT 1`,
    [table.oid],
  );
  await client.query(rows.length === 0 ? `TRUNCATE ${own}` : `DELETE FROM ${own}`);
}
