import type { ClientBase } from 'pg';
import { quoteIdentifier, quoteList } from '../../../sql/identifier.ts';
import { ownTablePrefix, type TableName } from '../../introspect.ts';
import { orderColumn, shapeColumn } from './stage-columns.ts';

const shape = quoteIdentifier(shapeColumn);
const order = quoteIdentifier(orderColumn);

/** Rows of a stage that have the same columns, and that may be merged by one statement. */
export interface StageShape {
  readonly text: string | null;
  /** null: all. */
  readonly columns: readonly string[] | null;
  /** From 1. A key that comes in several shapes has a row in each of so many rounds, in the order in which they came. */
  readonly round: number;
}

export interface StageShapes {
  /** In the order in which they are merged. */
  readonly all: readonly StageShape[];
  /** Table of the rows of later rounds; null where there is one round. */
  readonly rounds: string | null;
  /** Within a shape each key comes once. */
  readonly areDistinct: boolean;
  /** Rows that others of the same key have replaced. */
  removed: number;
}

interface KeyedStage {
  readonly stage: TableName;
  readonly key: readonly string[];
  /** Of rows with the same key the first one counts, and not the last. */
  readonly takesFirst: boolean;
}

/** Adds the rows of a stage to a table that had none of them: what a row lacks gets the default of its column. Gives how many it took. */
export async function insertShapes(
  client: ClientBase,
  target: string,
  stage: TableName,
  columns: readonly string[],
): Promise<number> {
  let taken = 0;
  for (const text of await shapesOf(client, stage)) {
    const list = quoteList(shapeOf(text, 1).columns ?? columns);
    const { rowCount } = await client.query(
      `INSERT INTO ${target} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${stage.sql} WHERE ${isShape(text)}`,
    );
    taken += rowCount ?? 0;
  }
  return taken;
}

async function shapesOf(client: ClientBase, stage: TableName): Promise<readonly (string | null)[]> {
  const { rows } = await client.query<{ text: string | null }>(
    `SELECT ${shape} AS text FROM ${stage.sql} GROUP BY 1 ORDER BY min(${order})`,
  );
  return rows.map(({ text }) => text);
}

function isShape(text: string | null): string {
  return text === null ? `${shape} IS NULL` : `${shape} = '${text.replaceAll("'", "''")}'`;
}

/**
 * The shapes of a stage's rows. Where there are several, rows that another of the same key and shape replaces are removed from the stage,
 * and what is left of a key is put into rounds.
 */
export async function separateShapes(client: ClientBase, keyed: KeyedStage): Promise<StageShapes> {
  const { stage, takesFirst } = keyed;
  const [only = null, ...others] = await shapesOf(client, stage);
  if (others.length === 0) return { all: [shapeOf(only, 1)], rounds: null, areDistinct: false, removed: 0 };
  const removed = takesFirst ? await removeLater(client, keyed) : await removeReplaced(client, keyed);
  const { rounds, last } = await makeRounds(client, keyed);
  const all = Array.from({ length: last }, (_, at) =>
    [only, ...others].map((text) => shapeOf(text, at + 1)),
  ).flat();
  return { all, rounds, areDistinct: true, removed };
}

function shapeOf(text: string | null, round: number): StageShape {
  return { text, columns: text === null ? null : (JSON.parse(text) as string[]), round };
}

/** The rows of a shape, as SQL that follows FROM and has a name after it. */
export function rowsOfShape(stage: TableName, { text, round }: StageShape, shapes: StageShapes): string {
  if (!shapes.areDistinct) return stage.sql;
  const { rounds } = shapes;
  const later = `SELECT n FROM ${rounds}`;
  const inRound =
    rounds === null
      ? ''
      : ` AND ${order} ${round === 1 ? `NOT IN (${later})` : `IN (${later} WHERE round = ${round})`}`;
  return `(SELECT * FROM ${stage.sql} WHERE ${isShape(text)}${inRound})`;
}

async function removeLater(client: ClientBase, { stage, key }: KeyedStage): Promise<number> {
  return removeWhere(
    client,
    stage,
    `SELECT ${order}, row_number() OVER (PARTITION BY ${quoteList(key)} ORDER BY ${order}) > 1 AS goes FROM ${stage.sql}`,
  );
}

/** A row goes where the next one of its key has the same columns. */
async function removeReplaced(client: ClientBase, { stage, key }: KeyedStage): Promise<number> {
  const next = `OVER (PARTITION BY ${quoteList(key)} ORDER BY ${order})`;
  return removeWhere(
    client,
    stage,
    `SELECT ${order}, lead(${order}) ${next} IS NOT NULL AND lead(${shape}) ${next} IS NOT DISTINCT FROM ${shape} AS goes
     FROM ${stage.sql}`,
  );
}

async function removeWhere(client: ClientBase, stage: TableName, rows: string): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM ${stage.sql} WHERE ${order} IN (SELECT ${order} FROM (${rows}) AS ranked WHERE goes)`,
  );
  return rowCount ?? 0;
}

async function makeRounds(
  client: ClientBase,
  { stage, key }: KeyedStage,
): Promise<{ readonly rounds: string | null; readonly last: number }> {
  const rounds = `pg_temp.${quoteIdentifier(`${ownTablePrefix}rounds`)}`;
  await client.query(`DROP TABLE IF EXISTS ${rounds}`);
  await client.query(
    `CREATE TEMPORARY TABLE ${quoteIdentifier(`${ownTablePrefix}rounds`)} ON COMMIT DROP AS SELECT ${order} AS n, round FROM (
       SELECT ${order}, row_number() OVER (PARTITION BY ${quoteList(key)} ORDER BY ${order}) AS round FROM ${stage.sql}
     ) AS ranked WHERE round > 1`,
  );
  const { rows } = await client.query<{ last: string | null }>(`SELECT max(round) AS last FROM ${rounds}`);
  const last = Number(rows[0]?.last ?? 1);
  return { rounds: last > 1 ? rounds : null, last };
}
