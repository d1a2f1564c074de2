import type { ClientBase } from 'pg';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import type { PostgresTable, TableName } from '../introspect.ts';
import { orderColumn } from './load-table.ts';

/** A stage, and the table that gets its rows. */
interface Merge {
  readonly target: PostgresTable;
  readonly stage: TableName;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Of rows that are there already; else they are left alone. */
  readonly changesRows: boolean;
}

const duplicateInStatement = '21000';

/**
 * Merges the stage into the target by `key`: new rows are added; of rows that are there the given columns change, or they are
 * left alone. When a key comes twice in the stage, its last row counts, or its first where rows are left alone. Gives how many
 * rows of the stage were left alone.
 */
export async function mergeStage(client: ClientBase, merge: Merge): Promise<number> {
  const { target, stage, columns, key, changesRows } = merge;
  const given = new Set(columns);
  const isPartial = target.columns.some(
    (column) => column.notNull && !column.hasDefault && !column.generated && !given.has(column.name),
  );
  if (!changesRows) return insertMissing(client, merge);
  if (isPartial) {
    await removeEarlier(client, stage, key);
    await changeThenInsert(client, merge);
    return 0;
  }
  // Most loads have each key once; sorting them all to find out would cost as much as the merge.
  await client.query('SAVEPOINT merge');
  try {
    await insertOrChange(client, merge);
  } catch (error) {
    if ((error as { code?: string }).code !== duplicateInStatement) throw error;
    await client.query('ROLLBACK TO SAVEPOINT merge');
    await removeEarlier(client, stage, key);
    await insertOrChange(client, merge);
  }
  return 0;
}

/** Rows that are there are sorted out first: one that lacks a required column would be refused before its key is looked at. */
async function insertMissing(client: ClientBase, { target, stage, columns, key }: Merge): Promise<number> {
  const same = key.map((name) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
  const list = quoteList(columns);
  const counted = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${stage.sql}`);
  const inserted = await client.query(
    `INSERT INTO ${target.name.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${stage.sql} s
     WHERE NOT EXISTS (SELECT 1 FROM ${target.name.sql} t WHERE ${same}) ORDER BY ${quoteIdentifier(orderColumn)}
     ON CONFLICT (${quoteList(key)}) DO NOTHING`,
  );
  return Number(counted.rows[0]?.n ?? 0) - (inserted.rowCount ?? 0);
}

async function insertOrChange(client: ClientBase, { target, stage, columns, key }: Merge): Promise<void> {
  const changes = columns
    .filter((name) => !key.includes(name))
    .map((name) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`);
  const action = changes.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${changes.join(', ')}`;
  const list = quoteList(columns);
  await client.query(
    `INSERT INTO ${target.name.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${stage.sql}
     ON CONFLICT (${quoteList(key)}) ${action}`,
  );
}

/** For rows that lack a required column: a plain INSERT … ON CONFLICT is refused before the conflict is seen. */
async function changeThenInsert(client: ClientBase, { target, stage, columns, key }: Merge): Promise<void> {
  const others = columns.filter((name) => !key.includes(name));
  const same = key.map((name) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
  if (others.length > 0) {
    const changes = others.map((name) => `${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(', ');
    await client.query(`UPDATE ${target.name.sql} t SET ${changes} FROM ${stage.sql} s WHERE ${same}`);
  }
  const list = quoteList(columns);
  await client.query(
    `INSERT INTO ${target.name.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${stage.sql} s
     WHERE NOT EXISTS (SELECT 1 FROM ${target.name.sql} t WHERE ${same})`,
  );
}

async function removeEarlier(client: ClientBase, stage: TableName, key: readonly string[]): Promise<void> {
  const order = quoteIdentifier(orderColumn);
  await client.query(
    `DELETE FROM ${stage.sql} WHERE ${order} IN (SELECT ${order} FROM (SELECT ${order},
       row_number() OVER (PARTITION BY ${quoteList(key)} ORDER BY ${order} DESC) AS place FROM ${stage.sql}) AS ranked
     WHERE place > 1)`,
  );
}
