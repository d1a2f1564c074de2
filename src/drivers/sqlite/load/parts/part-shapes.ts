import type { DatabaseSync } from 'node:sqlite';
import type { Batch, Row } from '../../../driver.ts';
import { quoteIdentifier, quoteList } from '../../../sql/identifier.ts';
import { foldName, namesOf } from '../../fold-name.ts';
import { ownTablePrefix, type SqliteTable } from '../../introspect.ts';
import { findColumn, orderColumn } from '../load-table.ts';

/** In a stage of parts the columns that a row has, as a list in JSON; null: those with which the stage was made. */
export const shapeColumn = `${ownTablePrefix}has`;

/** The columns with which a stage was made: those before the order of its rows. */
function firstColumns(stage: SqliteTable): readonly string[] {
  const names = namesOf(stage.columns);
  return names.slice(0, names.indexOf(orderColumn));
}

/** The batch, with the columns that each row has where these are not those with which the stage was made. */
export function withShapes(batch: Batch, stage: SqliteTable): Batch {
  const usual = shapeText(firstColumns(stage));
  const names = namesOf(batch.columns);
  const whole = shapeText(names);
  const shapeOf = (row: Row): string => {
    for (const name of names)
      if (row[name] === undefined) return shapeText(names.filter((one) => row[one] !== undefined));
    return whole;
  };
  const shapes = batch.rows.map(shapeOf);
  if (shapes.every((shape) => shape === usual)) return batch;
  const rows = batch.rows.map((row, at) => ({
    ...row,
    [shapeColumn]: shapes[at] === usual ? null : shapes[at],
  }));
  return {
    ...batch,
    rows,
    columns: [...batch.columns, { name: shapeColumn, type: 'string', nullable: true }],
  };
}

function shapeText(names: readonly string[]): string {
  return JSON.stringify(names.map(foldName).toSorted());
}

/** Rows of a stage that have the same columns. */
export interface StagedShape {
  /** As the stage names them. */
  readonly names: readonly string[];
  /** What tells its rows, for the table of this name in a statement. */
  where(alias: string): string;
}

/** The rows of the stage by their columns; those whose key comes with several sets of columns one by one, in their order. */
export function stagedShapes(
  db: DatabaseSync,
  stage: SqliteTable,
  key: readonly string[],
): readonly StagedShape[] {
  const table = quoteIdentifier(stage.name);
  const has = quoteIdentifier(shapeColumn);
  const order = quoteIdentifier(orderColumn);
  const shapes = db.prepare(`SELECT DISTINCT ${has} AS has FROM ${table} ORDER BY 1`).all();
  const namesFor = (shape: unknown): readonly string[] => {
    if (shape === null) return firstColumns(stage);
    const names: readonly string[] = JSON.parse(String(shape));
    return names.map((name) => findColumn(stage, name)?.name ?? name);
  };
  const [only, ...more] = shapes;
  if (only === undefined) return [];
  if (more.length === 0) return [{ names: namesFor(only['has']), where: () => '1 = 1' }];
  const keys = quoteList(key);
  const several = `SELECT ${keys} FROM ${table} GROUP BY ${keys} HAVING count(DISTINCT coalesce(${has}, '')) > 1`;
  const single =
    key.length === 0
      ? `${order} IS NOT NULL`
      : `${order} NOT IN (SELECT ${order} FROM ${table} WHERE (${keys}) IN (${several}))`;
  const rows =
    key.length === 0
      ? []
      : db
          .prepare(
            `SELECT ${order} AS n, ${has} AS has FROM ${table} WHERE (${keys}) IN (${several}) ORDER BY 1`,
          )
          .all();
  return [
    ...shapes.map(({ has: shape }) => ({
      names: namesFor(shape),
      where: (alias: string) =>
        `${alias}.${has} IS ${shape === null ? 'NULL' : `'${String(shape).replaceAll("'", "''")}'`} AND ${alias}.${single}`,
    })),
    ...rows.map(({ n, has: shape }) => ({
      names: namesFor(shape),
      where: (alias: string) => `${alias}.${order} = ${Number(n)}`,
    })),
  ];
}
