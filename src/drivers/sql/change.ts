import type { Row } from '../driver.ts';
import { BoundValues, type SqlFlavor, type SqlStatement } from './flavor.ts';
import { quoteIdentifier, quoteList } from './identifier.ts';
import { type SqlFilter, writePredicate } from './predicate.ts';

/** INSERT of rows that may have different columns; a column that a row lacks is null. */
export function writeInsert(from: string, rows: readonly Row[], flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  const columns = columnsOf(rows);
  const tuples = rows.map((row) => `(${columns.map((column) => bound.add(row[column] ?? null)).join(', ')})`);
  return {
    sql: `INSERT INTO ${from} (${quoteList(columns)}) VALUES ${tuples.join(', ')}`,
    params: bound.values,
  };
}

export function writeUpdate(from: string, set: Row, filter: SqlFilter, flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  const changes = Object.entries(set).map(
    ([column, value]) => `${quoteIdentifier(column)} = ${bound.add(value)}`,
  );
  return {
    sql: `UPDATE ${from} SET ${changes.join(', ')} WHERE ${writePredicate(filter, bound)}`,
    params: bound.values,
  };
}

export function writeDelete(from: string, filter: SqlFilter, flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  return { sql: `DELETE FROM ${from} WHERE ${writePredicate(filter, bound)}`, params: bound.values };
}

export function writeCount(from: string, filter: SqlFilter, flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  const where = writePredicate(filter, bound);
  return {
    sql: `SELECT count(*) FROM ${from}${where === '' ? '' : ` WHERE ${where}`}`,
    params: bound.values,
  };
}

/** Names of all columns of the rows, in the order in which they first appear. */
export function columnsOf(rows: readonly Row[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}
