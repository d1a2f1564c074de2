import { randomHex } from '../../../base/ids.ts';
import type { WriteRequest } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { deleteMatching } from '../../sql/load/delete-matching.ts';
import { keepVersions } from '../../sql/load/keep-versions.ts';
import { deleteJoin, type LoadSession, updateJoin } from '../../sql/load/load-session.ts';
import { findColumn, type MysqlTable, ownTablePrefix, type TableName, tableName } from '../introspect.ts';
import type { MysqlClient } from '../mysql-client.ts';
import { requireOwnKeys } from './key-collisions.ts';
import { requiredColumns } from './table/load-table.ts';

/** The order in which rows came into a stage. */
export const orderColumn = `${ownTablePrefix}n`;

/** Rows of a stage, and the table that gets them. */
export interface Settlement {
  readonly target: MysqlTable;
  /** The only unique index of the target is that of the key. */
  readonly hasOnlyKey: boolean;
  readonly stage: TableName;
  /** Columns of the stage, but for the order. */
  readonly columns: readonly string[];
  /** Rows that came after this one. */
  readonly after: number;
  /** How many these are. */
  readonly rows: number;
  /** Every row of the source has come. */
  readonly isComplete: boolean;
}

const order = quoteIdentifier(orderColumn);

/**
 * Gives the rows to the target, inside the caller's transaction; gives how many of them changed nothing. When a key comes twice, its
 * last row counts, or its first where rows that are there are left alone. A stage is named once in a statement: MySQL cannot open a
 * temporary table twice.
 */
export async function settle(
  client: MysqlClient,
  { mode, key, object, versions, missing }: WriteRequest,
  settlement: Settlement,
): Promise<number> {
  const { target, stage, after } = settlement;
  // A column that the target does not have yet is added at the end of the load, and the rows are given to it again.
  const columns = settlement.columns.filter((name) => findColumn(target, name) !== undefined);
  const source = `(SELECT * FROM ${stage.sql} WHERE ${order} > ${after}) AS s`;
  const given = new Set(columns.map((name) => name.toLowerCase()));
  const isPartial = requiredColumns(target).some((column) => !given.has(column.name.toLowerCase()));
  if (key.length > 0) await requireOwnKeys(client, { target, stage, key, order, after });
  const merge: Merge = { client, target: target.name.sql, source, columns, key, isPartial };
  switch (mode) {
    case 'delete': {
      const keys = `(SELECT ${quoteList(key)} FROM ${stage.sql} WHERE ${order} > ${after}) AS s`;
      return deleteMatching(sessionOf(client), { target: target.name.sql, stage: keys, key });
    }
    case 'scd2': {
      if (!versions) return 0;
      const presentAt = settlement.isComplete && missing ? missing.at : null;
      const tables = { target: target.name.sql, stage: stage.sql, order: orderColumn };
      return keepVersions(sessionOf(client), { ...tables, columns, key, versions, object, presentAt });
    }
    case 'insert_only':
      return insertMissing(merge, settlement);
    case 'upsert':
    case 'merge': {
      if (settlement.hasOnlyKey && !isPartial) await insertOrChange(merge);
      else await changeThenInsert(merge, stage, after);
      return 0;
    }
    default:
      await client.query(insertSql(merge, `${source} ORDER BY ${order}`));
      return 0;
  }
}

interface Merge {
  readonly client: MysqlClient;
  /** The table, quoted. */
  readonly target: string;
  /** The rows, as `s`. */
  readonly source: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** The rows lack a column that a new row needs. */
  readonly isPartial: boolean;
}

function insertSql({ target, columns }: Merge, from: string): string {
  const list = columns.map((name) => `s.${quoteIdentifier(name)}`).join(', ');
  return `INSERT INTO ${target} (${quoteList(columns)}) SELECT ${list} FROM ${from}`;
}

function same(key: readonly string[]): string {
  return key.map((name) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(' AND ');
}

/** Looks at every unique index of the target, so that it takes one with the key's alone. Rows go in by their order: the last wins. */
async function insertOrChange(merge: Merge): Promise<void> {
  const { client, source, columns, key } = merge;
  const changed = columns.filter((name) => !key.includes(name));
  // Without anything to change, the key is set to itself.
  const changes = (changed.length === 0 ? key.slice(0, 1) : changed).map((name) => {
    const column = quoteIdentifier(name);
    return `${column} = VALUES(${column})`;
  });
  const from = `${source} ORDER BY s.${order}`;
  await client.query(`${insertSql(merge, from)} ON DUPLICATE KEY UPDATE ${changes.join(', ')}`);
}

/** For a target with further unique indexes, and for rows that lack a column which a new row needs. */
async function changeThenInsert(merge: Merge, stage: TableName, after: number): Promise<void> {
  const { client, target, source, columns, key } = merge;
  await removeDoubles(client, stage, { key, after, keeps: 'MAX' });
  const changed = columns.filter((name) => !key.includes(name));
  if (changed.length > 0) {
    const changes = changed.map((name) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`);
    await client.query(`UPDATE ${target} t JOIN ${source} ON ${same(key)} SET ${changes.join(', ')}`);
  }
  await insertNew(merge);
}

function missingFrom({ target, source, key }: Merge): string {
  const [first = ''] = key;
  return `${source} LEFT JOIN ${target} t ON ${same(key)} WHERE t.${quoteIdentifier(first)} IS NULL ORDER BY s.${order}`;
}

async function insertMissing(merge: Merge, { stage, after, rows }: Settlement): Promise<number> {
  const { client, key } = merge;
  await removeDoubles(client, stage, { key, after, keeps: 'MIN' });
  return rows - (await insertNew(merge));
}

/** How many rows were not there. */
async function insertNew(merge: Merge): Promise<number> {
  const { client, isPartial } = merge;
  const from = missingFrom(merge);
  // Without what it needs an INSERT is refused, even one of no rows.
  if (isPartial && (await client.query(`SELECT 1 FROM ${from} LIMIT 1`)).rows.length === 0) return 0;
  return (await client.query(insertSql(merge, from))).changed;
}

interface Doubles {
  readonly key: readonly string[];
  readonly after: number;
  readonly keeps: 'MIN' | 'MAX';
}

/** Leaves one row of each key. */
async function removeDoubles(
  client: MysqlClient,
  stage: TableName,
  { key, after, keeps }: Doubles,
): Promise<void> {
  const kept = tableName(stage.database, `${ownTablePrefix}kept_${randomHex(6)}`).sql;
  await client.query(
    `CREATE TEMPORARY TABLE ${kept} (${order} bigint PRIMARY KEY) ENGINE = MyISAM
     SELECT ${keeps}(${order}) AS ${order} FROM ${stage.sql} WHERE ${order} > ${after} GROUP BY ${quoteList(key)}`,
  );
  await client.query(
    `DELETE s FROM ${stage.sql} s LEFT JOIN ${kept} k ON k.${order} = s.${order}
     WHERE s.${order} > ${after} AND k.${order} IS NULL`,
  );
  await client.query(`DROP TEMPORARY TABLE ${kept}`);
}

export function sessionOf(client: MysqlClient): LoadSession {
  const change = async (sql: string) => (await client.query(sql)).changed;
  return {
    change,
    count: async (sql) => Number((await client.query(sql)).rows[0]?.[0] ?? 0),
    keep: async (query) => {
      const name = quoteIdentifier(`${ownTablePrefix}kept_${randomHex(6)}`);
      await client.query(`CREATE TEMPORARY TABLE ${name} ENGINE = InnoDB ${query}`);
      return name;
    },
    changeBy: (by) => change(updateJoin(by)),
    deleteBy: (tables) => change(deleteJoin(tables)),
    moment: (text) => `'${text.slice(0, -1).replace('T', ' ')}'`,
  };
}
