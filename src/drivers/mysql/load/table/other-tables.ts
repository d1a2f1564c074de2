import { ConnectorError } from '../../../driver.ts';
import { quoteIdentifier } from '../../../sql/identifier.ts';
import { type TableName, tableName } from '../../introspect.ts';
import type { MysqlClient } from '../../mysql-client.ts';
import { isDenied } from '../../mysql-fault.ts';

/** A foreign key of another table that changes rows there where those of the target go. */
interface ChangingKey {
  readonly name: string;
  readonly table: TableName;
  /** `CASCADE`, `SET NULL`. */
  readonly rule: string;
  readonly columns: (readonly [own: string, referenced: string])[];
}

/**
 * Throws `CONFIG` where emptying the table would also remove or change rows of other tables, which point to it by a foreign key.
 * `holds`: inside the transaction that empties it, so that none of them comes in between.
 */
export async function requireNoOtherRows(
  client: MysqlClient,
  target: TableName,
  { object, holds = false }: { readonly object: string; readonly holds?: boolean },
): Promise<void> {
  for (const key of await changingKeys(client, target)) {
    if (!(await hasRows(client, target, key, holds))) continue;
    const becomes = key.rule === 'CASCADE' ? 'delete rows of' : 'change rows of';
    throw new ConnectorError(
      'CONFIG',
      `"${object}" cannot be emptied: the foreign key "${key.name}" (ON DELETE ${key.rule}) would ${becomes} "${key.table.name}". Use the mode "merge", with "delete_missing" for rows that no longer come`,
    );
  }
}

async function changingKeys(client: MysqlClient, target: TableName): Promise<readonly ChangingKey[]> {
  const { rows } = await client.execute(
    `SELECT k.constraint_name, k.table_schema, k.table_name, r.delete_rule, k.column_name, k.referenced_column_name
     FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
       ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
     WHERE k.referenced_table_schema = ? AND k.referenced_table_name = ? AND r.delete_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
     ORDER BY k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`,
    [target.database, target.name],
  );
  const keys = new Map<string, ChangingKey>();
  for (const row of rows) {
    const [name = '', database = '', table = '', rule = '', column = '', referenced = ''] = row.map(String);
    // Rows that point to others of the same table go with it.
    if (database === target.database && table === target.name) continue;
    const id = JSON.stringify([database, table, name]);
    const key = keys.get(id) ?? { name, table: tableName(database, table), rule, columns: [] };
    key.columns.push([column, referenced]);
    keys.set(id, key);
  }
  return [...keys.values()];
}

/** A table that the user may not read is taken to have some. */
async function hasRows(
  client: MysqlClient,
  target: TableName,
  { table, columns }: ChangingKey,
  holds: boolean,
): Promise<boolean> {
  const same = columns.map(([own, other]) => `o.${quoteIdentifier(own)} = t.${quoteIdentifier(other)}`);
  const lock = holds ? ' LOCK IN SHARE MODE' : '';
  try {
    const { rows } = await client.query(
      `SELECT 1 FROM ${table.sql} o JOIN ${target.sql} t ON ${same.join(' AND ')} LIMIT 1${lock}`,
    );
    return rows.length > 0;
  } catch (error) {
    if (isDenied(error)) return true;
    throw error;
  }
}

/** Triggers that may change what a load writes, by their names. */
export async function changingTriggers(client: MysqlClient, target: TableName): Promise<readonly string[]> {
  const { rows } = await client.execute(
    `SELECT trigger_name FROM information_schema.triggers WHERE event_object_schema = ? AND event_object_table = ?
       AND action_timing = 'BEFORE' AND event_manipulation IN ('INSERT', 'UPDATE') ORDER BY trigger_name`,
    [target.database, target.name],
  );
  return rows.map(([name]) => String(name));
}
