import { randomHex } from '../../../base/ids.ts';
import type { Column } from '../../driver.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { findColumn, type MysqlTable, ownTablePrefix, type TableName, tableName } from '../introspect.ts';
import { shapeOf } from '../read.ts';
import type { Session } from '../session-pool.ts';
import type { DeclaredColumn } from '../types/declared-type.ts';
import { ownCollation } from '../types/own-type.ts';
import { type CellRules, cellFor } from './cell-text.ts';
import { orderColumn } from './merge-stage.ts';
import { type PutTarget, type PutWay, putRows, putTarget } from './put-rows.ts';
import { asDeclared } from './table/load-table.ts';
import type { NewColumns } from './table/new-columns.ts';

/** Rows that are read at once to be put elsewhere. */
const RESTAGED_ROWS = 5_000;

/** A temporary table for rows with the same columns and types; it takes no part in transactions, so that its rows outlive a rollback. */
export interface RowStage {
  readonly name: TableName;
  readonly columns: readonly Column[];
  /** As declared, in the order of `columns`. */
  readonly types: readonly string[];
  /** How many columns had wider types than the target when it was made. */
  readonly wider: number;
  readonly put: PutTarget;
  /** The order of its newest row, and how many came. */
  last: number;
  rows: number;
}

/** Where the columns of a stage get their types from. */
export interface StageTypes {
  readonly target: MysqlTable | null;
  /** For columns that the target lacks. */
  readonly added: NewColumns;
  /** By the name without case. */
  readonly wider: ReadonlyMap<string, { readonly to: string }>;
}

export async function createStage(
  session: Session,
  { database, rules }: { readonly database: string; readonly rules: CellRules },
  columns: readonly Column[],
  { target, added, wider }: StageTypes,
): Promise<RowStage> {
  const stage = tableName(database, `${ownTablePrefix}stage_${randomHex(6)}`);
  const declared = columns.map((column) => {
    const known = (target === null ? undefined : findColumn(target, column.name)) ?? added.of(column);
    const to = wider.get(column.name.toLowerCase())?.to;
    return { ...known, name: column.name, ...(to !== undefined && { declared: to, isJson: to === 'json' }) };
  });
  const lines = declared.map((column) => `${asDeclared(column)} NULL DEFAULT NULL`);
  await session.client.query(
    `CREATE TEMPORARY TABLE ${stage.sql} (${quoteIdentifier(orderColumn)} bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
     ${lines.join(', ')}) ENGINE = MyISAM DEFAULT CHARACTER SET utf8mb4 COLLATE ${ownCollation(session)}`,
  );
  const cells = columns.map((column, i) => cellFor(column, declared[i] as (typeof declared)[number], rules));
  const names = columns.map((column) => column.name);
  return {
    name: stage,
    columns,
    types: declared.map(typeName),
    wider: wider.size,
    put: putTarget(stage.sql, names, cells),
    last: 0,
    rows: 0,
  };
}

/** MariaDB says of JSON that it is a long text. */
function typeName({ declared, isJson }: DeclaredColumn): string {
  return isJson ? 'json' : declared.toLowerCase();
}

/** True where the columns of the stage have other types than the same columns of the table, so that rows would be bent on their way. */
export function isOtherwise({ columns, types }: RowStage, table: MysqlTable): boolean {
  return columns.some(({ name }, i) => {
    const there = findColumn(table, name);
    return there !== undefined && !there.generated && typeName(there) !== types[i];
  });
}

/** The columns of a stage as its rows are read from it: JSON as its text, which keeps all digits. */
export function readColumns({ columns, types }: RowStage): readonly Column[] {
  return columns.map((column, i) =>
    types[i] === 'json' ? { name: column.name, type: 'string', nullable: column.nullable } : column,
  );
}

function readList({ columns, types }: RowStage): string {
  const read = columns.map(({ name }, i) => {
    const quoted = quoteIdentifier(name);
    return types[i] === 'json' ? `CAST(${quoted} AS CHAR CHARACTER SET utf8mb4) AS ${quoted}` : quoted;
  });
  return [quoteIdentifier(orderColumn), ...read].join(', ');
}

/** The rows of a stage in another one, whose columns have the types of the table; throws `DATA` for the first row that does not fit. */
export async function restage(
  session: Session,
  stage: RowStage,
  made: RowStage,
  way: PutWay,
): Promise<RowStage> {
  const { client } = session;
  const order = quoteIdentifier(orderColumn);
  const remove = () => client.query(`DELETE FROM ${made.name.sql} WHERE ${order} > ${made.last}`);
  for (let last = 0; ; ) {
    const { rows, fields } = await client.execute(
      `SELECT ${readList(stage)} FROM ${stage.name.sql} WHERE ${order} > ${last} ORDER BY ${order} LIMIT ${RESTAGED_ROWS}`,
      [],
    );
    if (rows.length === 0) break;
    const shape = shapeOf(fields, { zeroDates: 'text' });
    await putRows(
      client,
      way,
      made.put,
      rows.map((values) => shape.row(values)),
      remove,
    );
    made.rows += rows.length;
    made.last = made.rows;
    last = Number(rows.at(-1)?.[0]);
  }
  await client.query(`DROP TEMPORARY TABLE ${stage.name.sql}`);
  return made;
}
