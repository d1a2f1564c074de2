import type { ClientBase } from 'pg';
import { quoteIdentifier, quoteList } from '../../../sql/identifier.ts';
import { ownRows, type PostgresTable, type TableName } from '../../introspect.ts';
import { orderColumn } from './stage-columns.ts';
import { rowsOfShape, type StageShapes, separateShapes } from './stage-shapes.ts';

/** A stage, and the table that gets its rows. */
export interface Merge {
  readonly target: PostgresTable;
  readonly stage: TableName;
  /** Those of rows that do not say themselves which they have. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Of rows that are there already; else they are left alone. */
  readonly changesRows: boolean;
}

/** What became of rows of a stage: left alone as their key was there, or dropped by the target itself, such as by a trigger. */
export interface Merged {
  readonly left: number;
  readonly dropped: number;
}

/** Rows of one shape, as SQL. */
interface ShapeMerge extends Merge {
  readonly from: string;
}

const duplicateInStatement = '21000';

/**
 * Merges the stage into the target by `key`: new rows are added; of rows that are there the columns that a row has change, or they are
 * left alone. When a key comes twice in the stage, its last row counts, or its first where rows are left alone.
 */
export async function mergeStage(client: ClientBase, merge: Merge): Promise<Merged> {
  const { stage, key, changesRows } = merge;
  // Else nobody asks.
  const isCounted = !changesRows || merge.target.mayDrop;
  const count = isCounted ? await countOf(client, `FROM ${stage.sql}`) : 0;
  const shapes = await separateShapes(client, { stage, key, takesFirst: !changesRows });
  let changed = 0;
  for (const shape of shapes.all) {
    const columns = shape.columns ?? merge.columns;
    const from = rowsOfShape(stage, shape, shapes);
    changed += await mergeShape(client, { ...merge, columns, from }, shapes);
  }
  const taken = count - shapes.removed;
  const dropped = merge.target.mayDrop ? await countDropped(client, merge, taken - changed) : 0;
  return changesRows ? { left: 0, dropped } : { left: count - changed - dropped, dropped };
}

/** How many rows were added or changed, as far as the engine says so. */
async function mergeShape(client: ClientBase, merge: ShapeMerge, shapes: StageShapes): Promise<number> {
  if (!merge.changesRows) return insertMissing(client, merge);
  const given = new Set(merge.columns);
  const isPartial = merge.target.columns.some(
    (column) => column.notNull && !column.hasDefault && !column.generated && !given.has(column.name),
  );
  if (isPartial) {
    if (!shapes.areDistinct) await removeEarlier(client, merge, shapes);
    return changeThenInsert(client, merge);
  }
  if (shapes.areDistinct) return insertOrChange(client, merge);
  // Most loads have each key once; sorting them all to find out would cost as much as the merge.
  await client.query('SAVEPOINT merge');
  try {
    return await insertOrChange(client, merge);
  } catch (error) {
    if ((error as { code?: string }).code !== duplicateInStatement) throw error;
    await client.query('ROLLBACK TO SAVEPOINT merge');
    await removeEarlier(client, merge, shapes);
    return insertOrChange(client, merge);
  }
}

/** Rows that are there are sorted out first: one that lacks a required column would be refused before its key is looked at. */
async function insertMissing(
  client: ClientBase,
  { target, from, columns, key }: ShapeMerge,
): Promise<number> {
  const list = quoteList(columns);
  const { rowCount } = await client.query(
    `INSERT INTO ${target.name.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${from} s
     WHERE NOT EXISTS (SELECT 1 FROM ${ownRows(target)} t WHERE ${sameKey(key)}) ORDER BY ${quoteIdentifier(orderColumn)}
     ON CONFLICT (${quoteList(key)}) DO NOTHING`,
  );
  return rowCount ?? 0;
}

async function insertOrChange(
  client: ClientBase,
  { target, from, columns, key }: ShapeMerge,
): Promise<number> {
  const changes = columns
    .filter((name) => !key.includes(name))
    .map((name) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`);
  const action = changes.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${changes.join(', ')}`;
  const list = quoteList(columns);
  const { rowCount } = await client.query(
    `INSERT INTO ${target.name.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${from} s
     ON CONFLICT (${quoteList(key)}) ${action}`,
  );
  return rowCount ?? 0;
}

/** For rows that lack a required column: a plain INSERT … ON CONFLICT is refused before the conflict is seen. */
async function changeThenInsert(
  client: ClientBase,
  { target, from, columns, key }: ShapeMerge,
): Promise<number> {
  const others = columns.filter((name) => !key.includes(name));
  let changed = 0;
  if (others.length > 0) {
    const changes = others.map((name) => `${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(', ');
    const updated = await client.query(
      `UPDATE ${ownRows(target)} t SET ${changes} FROM ${from} s WHERE ${sameKey(key)}`,
    );
    changed += updated.rowCount ?? 0;
  }
  const list = quoteList(columns);
  const inserted = await client.query(
    `INSERT INTO ${target.name.sql} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${from} s
     WHERE NOT EXISTS (SELECT 1 FROM ${ownRows(target)} t WHERE ${sameKey(key)})`,
  );
  return changed + (inserted.rowCount ?? 0);
}

function sameKey(key: readonly string[]): string {
  return key.map((name) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
}

async function removeEarlier(
  client: ClientBase,
  { stage, key, from }: ShapeMerge,
  shapes: StageShapes,
): Promise<void> {
  const order = quoteIdentifier(orderColumn);
  const { rowCount } = await client.query(
    `DELETE FROM ${stage.sql} WHERE ${order} IN (SELECT ${order} FROM (SELECT ${order},
       row_number() OVER (PARTITION BY ${quoteList(key)} ORDER BY ${order} DESC) AS place FROM ${from} s) AS ranked
     WHERE place > 1)`,
  );
  shapes.removed += rowCount ?? 0;
}

/** Of rows that changed nothing, how many neither came in nor were there: rows whose key alone came change nothing where it is there. */
async function countDropped(
  client: ClientBase,
  { target, stage, key, columns, changesRows }: Merge,
  unchanged: number,
): Promise<number> {
  if (unchanged <= 0) return 0;
  if (changesRows && columns.length > key.length) return unchanged;
  return countOf(
    client,
    `FROM ${stage.sql} s WHERE NOT EXISTS (SELECT 1 FROM ${ownRows(target)} t WHERE ${sameKey(key)})`,
  );
}

async function countOf(client: ClientBase, from: string): Promise<number> {
  const { rows } = await client.query<{ n: string }>(`SELECT count(*) AS n ${from}`);
  return Number(rows[0]?.n ?? 0);
}
