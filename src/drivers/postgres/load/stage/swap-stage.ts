import type { ClientBase } from 'pg';
import { quoteIdentifier, quoteList } from '../../../sql/identifier.ts';
import { findTable, type PostgresTable, type TableName, tableName } from '../../introspect.ts';
import { emptyTable } from '../empty-table.ts';
import { widenColumns } from '../load-table.ts';
import { isStageColumn } from './stage-columns.ts';

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
 * Replaces the target's rows by the stage's, inside the caller's transaction; gives how many the target has taken, null for all of them.
 * The stage takes the target's name where it may and nothing else depends on the target; else the target is emptied and filled, so that
 * views, grants and keys stay; `insert` gives it the rows.
 */
export async function swapStage(
  client: ClientBase,
  target: PostgresTable | null,
  stage: TableName,
  name: TableName,
  { insert, mayRename }: { readonly insert: () => Promise<number>; readonly mayRename: boolean },
): Promise<number | null> {
  const rename = `ALTER TABLE ${stage.sql} RENAME TO ${quoteIdentifier(name.name)}`;
  if (target === null) {
    await client.query(rename);
    return null;
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
    return null;
  }
  await emptyTable(client, target);
  await copyColumns(client, target, stage);
  const taken = await insert();
  await client.query(`DROP TABLE ${stage.sql}`);
  return taken;
}

/** Gives a table the rows of a stage; gives how many it has taken. */
export async function insertAll(
  client: ClientBase,
  target: TableName,
  stage: TableName,
  columns: readonly string[],
): Promise<number> {
  const list = quoteList(columns);
  const { rowCount } = await client.query(
    `INSERT INTO ${target.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${stage.sql}`,
  );
  return rowCount ?? 0;
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
  for (const { name, declared } of rows.filter(({ name }) => !isStageColumn(name))) {
    await client.query(`ALTER TABLE ${target.name.sql} ADD COLUMN ${quoteIdentifier(name)} ${declared}`);
  }
}
