import { quoteIdentifier, quoteList } from '../identifier.ts';

/** The session of a load inside its transaction, as the statements need it that engines share. */
export interface LoadSession {
  /** Runs one statement; gives the number of rows that it changed. */
  change(sql: string): Promise<number>;
  /** The number in the one column of the one row. */
  count(sql: string): Promise<number>;
  /** Makes a table for this session alone out of a query; gives its name as SQL. It goes with the load. */
  keep(query: string): Promise<string>;
  /** Changes the rows of a table by those of others that belong to them. */
  changeBy(change: ChangeBy): Promise<number>;
  /** Deletes the rows of the target that have the key of a row of the stage. */
  deleteBy(tables: KeyedTables): Promise<number>;
  /** A moment as a literal; RFC 3339 in UTC, with six digits of a second. */
  moment(text: string): string;
}

/** Tables by their SQL, and the columns by which their rows belong together. */
export interface KeyedTables {
  readonly target: string;
  readonly stage: string;
  readonly key: readonly string[];
}

export interface ChangeBy {
  /** A table, called `t` in the other parts. */
  readonly target: string;
  /** Columns, quoted, and what they become. */
  readonly set: readonly (readonly [column: string, value: string])[];
  /** Other tables with names of their own. */
  readonly from: string;
  readonly where: string;
}

/** As PostgreSQL and SQLite write it. */
export function updateFrom({ target, set, from, where }: ChangeBy): string {
  const changes = set.map(([column, value]) => `${column} = ${value}`).join(', ');
  return `UPDATE ${target} AS t SET ${changes} FROM ${from} WHERE ${where}`;
}

/** As MySQL writes it. */
export function updateJoin({ target, set, from, where }: ChangeBy): string {
  const changes = set.map(([column, value]) => `t.${column} = ${value}`).join(', ');
  return `UPDATE ${target} AS t JOIN (${from}) SET ${changes} WHERE ${where}`;
}

/** As PostgreSQL and SQLite write it: the column on the left tells how both are compared. */
export function deleteIn({ target, stage, key }: KeyedTables): string {
  return `DELETE FROM ${target} WHERE (${quoteList(key)}) IN (SELECT ${quoteList(key)} FROM ${stage})`;
}

/** As MySQL writes it, which would read a list without an index for every row; of a join it makes one. */
export function deleteJoin({ target, stage, key }: KeyedTables): string {
  const same = key.map((name) => `t.${quoteIdentifier(name)} = gone.${quoteIdentifier(name)}`);
  return `DELETE t FROM ${target} AS t JOIN (SELECT DISTINCT ${quoteList(key)} FROM ${stage}) AS gone ON ${same.join(' AND ')}`;
}
