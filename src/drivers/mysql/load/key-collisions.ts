import { ConnectorError } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import { findColumn, type MysqlColumn, type MysqlTable, type TableName } from '../introspect.ts';
import type { MysqlClient } from '../mysql-client.ts';

interface KeyedRows {
  readonly target: MysqlTable;
  readonly stage: TableName;
  readonly key: readonly string[];
  /** The column of the stage, quoted, that has the order of its rows. */
  readonly order: string;
  /** Rows of the stage that came after this one. */
  readonly after: number;
}

/** Collations that call two texts equal only where they are. */
const EXACT = /_nopad_bin$|_0900_bin$|^binary$/;
/** Values of these are without blanks at their ends, or from a list. */
const UNPADDED = /^(?:char\(|enum|set)/i;

/** Whether texts that differ may be one key to the column. */
function mayFold({ declared, collation }: MysqlColumn): boolean {
  if (collation === null || EXACT.test(collation)) return false;
  return !(collation.endsWith('_bin') && UNPADDED.test(declared)) && !/^(?:enum|set)/i.test(declared);
}

/**
 * Throws `DATA` where keys that differ are one to the collation of their column, such as `a` and `A`, or `a` with a blank at its end: one
 * of these rows would take the place of the other.
 */
export async function requireOwnKeys(
  client: MysqlClient,
  { target, stage, key, order, after }: KeyedRows,
): Promise<void> {
  for (const name of key) {
    const column = findColumn(target, name);
    if (column === undefined || !mayFold(column)) continue;
    const q = quoteIdentifier(name);
    const { rows: own } = await client.query(
      `SELECT MIN(BINARY ${q}), MAX(BINARY ${q}) FROM ${stage.sql} WHERE ${order} > ${after}
       GROUP BY ${quoteList(key)} HAVING MIN(BINARY ${q}) <> MAX(BINARY ${q}) LIMIT 1`,
    );
    const same = key.map((one) => `t.${quoteIdentifier(one)} = s.${quoteIdentifier(one)}`).join(' AND ');
    const found =
      own.length > 0
        ? own
        : (
            await client.query(
              `SELECT BINARY t.${q}, BINARY s.${q} FROM (SELECT * FROM ${stage.sql} WHERE ${order} > ${after}) AS s
               JOIN ${target.name.sql} t ON ${same} WHERE BINARY t.${q} <> BINARY s.${q} LIMIT 1`,
            )
          ).rows;
    if (found[0] !== undefined) throw collision(column, found[0]);
  }
}

function collision({ name, collation }: MysqlColumn, [first, second]: readonly unknown[]): ConnectorError {
  const shown = (value: unknown) =>
    JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString() : value);
  return new ConnectorError(
    'DATA',
    `The keys ${shown(first)} and ${shown(second)} differ, and are one to the collation "${collation}" of the column "${name}"`,
    { column: name },
  );
}
