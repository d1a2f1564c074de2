import { ConnectorError } from '../../../driver.ts';
import { quoteIdentifier } from '../../../sql/identifier.ts';
import { lastChanges, type WiderColumn } from '../../../types/type-bounds.ts';
import { findColumn, type MysqlTable } from '../../introspect.ts';
import type { Session } from '../../session-pool.ts';
import { again } from './load-table.ts';

/** Errors of an ALTER that something else than the rows forbids: keys, indexes, defaults, foreign keys, generated columns. */
const DEPENDED_ON: ReadonlySet<number> = new Set([
  1067, 1071, 1101, 1118, 1170, 1215, 1832, 1833, 1846, 3106, 3780,
]);

/** Gives columns wider types, which commits by itself; the table as it is then. Columns that it lacks, or has so already, are left out. */
export async function widenColumns(
  session: Session,
  table: MysqlTable,
  wider: Iterable<WiderColumn>,
): Promise<MysqlTable> {
  const there = lastChanges(wider).flatMap(({ name, to }) => {
    const column = findColumn(table, name);
    return column === undefined || column.declared.toLowerCase() === to ? [] : [{ column, to }];
  });
  if (there.length === 0) return table;
  const { rows } = await session.client.query(`SHOW CREATE TABLE ${table.name.sql}`);
  const lines = String(rows[0]?.[1]).split('\n');
  const changes = there.map(({ column, to }) => {
    const head = `${quoteIdentifier(column.name)} ${column.declared}`;
    const line = lines.map((one) => one.trim()).find((one) => one.startsWith(head));
    if (line === undefined) throw refused(table, column.name, to);
    // Whatever else is declared of the column stays: default, collation, comment.
    return `MODIFY COLUMN ${quoteIdentifier(column.name)} ${to}${line.slice(head.length).replace(/,$/, '')}`;
  });
  try {
    await session.client.query(`ALTER TABLE ${table.name.sql} ${changes.join(', ')}`);
  } catch (cause) {
    const [first] = there;
    if (first === undefined || !DEPENDED_ON.has(Number((cause as { errno?: unknown }).errno))) throw cause;
    throw refused(table, first.column.name, first.to, cause);
  }
  return again(session, table.name);
}

function refused({ name }: MysqlTable, column: string, to: string, cause?: unknown): ConnectorError {
  const message = `The column "${column}" of the table "${name.name}" cannot become ${to}: a key, an index or a default depends on its type; change it by hand`;
  return new ConnectorError('CONFIG', message, { cause });
}
