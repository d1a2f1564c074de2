import { sha256 } from '../../../base/ids.ts';
import { findTable, ownTablePrefix, type TableName, tableName } from '../introspect.ts';
import type { MysqlClient } from '../mysql-client.ts';
import type { Session } from '../session-pool.ts';

/** How long the marks of loads are kept; a retry comes within hours. */
export const loadMarkDays = 90;

const idCharsMax = 255;
/** Removed with one load; the next one removes more. */
const oldMarksMax = 100;

/** One append, as it is marked beside its rows. */
export interface LoadMark {
  readonly loadId: string;
  readonly name: TableName;
  readonly rows: number;
}

/** The table of marks beside this one. */
export function marksOf({ database }: TableName): TableName {
  return tableName(database, `${ownTablePrefix}loads`);
}

/** An id that is longer than its column stands there as its hash. */
function storedId(loadId: string): string {
  return loadId.length > idCharsMax ? sha256(loadId) : loadId;
}

/** Makes the table of marks, which commits by itself. */
export async function createMarks(client: MysqlClient, name: TableName): Promise<void> {
  const marks = marksOf(name);
  // Once it is there, a user that may not create tables can append.
  const { rows } = await client.execute(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = ?',
    [marks.database, marks.name],
  );
  if (rows.length > 0) return;
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${marks.sql} (load_id varchar(${idCharsMax}) NOT NULL, object varchar(64) NOT NULL,
     row_count bigint NOT NULL, loaded_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (load_id, object))
     ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  );
}

/** Inside the transaction of the load. An attempt that lives on beside its retry fails here, and takes its rows back. */
export async function saveMark(client: MysqlClient, { loadId, name, rows }: LoadMark): Promise<void> {
  const marks = marksOf(name).sql;
  await client.execute(`INSERT INTO ${marks} (load_id, object, row_count) VALUES (?, ?, ?)`, [
    storedId(loadId),
    name.name,
    String(rows),
  ]);
  // A DELETE by time would wait for the marks of all other loads, and two of them for each other.
  const { rows: old } = await client.query(
    `SELECT load_id, object FROM ${marks} WHERE loaded_at < NOW() - INTERVAL ${loadMarkDays} DAY LIMIT ${oldMarksMax}`,
  );
  for (const [id, object] of old)
    await client.execute(`DELETE FROM ${marks} WHERE load_id = ? AND object = ?`, [
      String(id),
      String(object),
    ]);
}

/** The rows of an append that has committed, or null. */
export async function findMark(
  session: Session,
  { loadId, name }: Pick<LoadMark, 'loadId' | 'name'>,
): Promise<{ readonly rows: number } | null> {
  if ((await findTable(session, marksOf(name))) === null) return null;
  const { rows } = await session.client.execute(
    `SELECT row_count FROM ${marksOf(name).sql} WHERE load_id = ? AND object = ?`,
    [storedId(loadId), name.name],
  );
  return rows[0] === undefined ? null : { rows: Number(rows[0][0]) };
}
