import type { WriteRequest } from '../driver.ts';
import { requireKeyOfMode } from '../sql/load/load-key.ts';
import type { DatabaseFile } from './database-file.ts';
import { tableNameOf } from './introspect.ts';
import { findMark } from './load/load-marks.ts';
import { isReferenced } from './load/load-table.ts';
import { prepareHandle } from './load/prepare-handle.ts';
import { requireRunning } from './read.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { SqliteWriter } from './write.ts';

/**
 * Opens a handle for the load; it takes no lock before the first batch. `foreignKeys`: whether rows are looked at as they come; else the
 * caller sees to it.
 */
export async function openSqliteWriter(
  file: DatabaseFile,
  request: WriteRequest,
  foreignKeys = request.mode !== 'replace',
): Promise<SqliteWriter> {
  requireRunning(request.signal);
  requireKeyOfMode(request);
  const name = tableNameOf(request.object);
  const db = await file.openWriting({ foreignKeys });
  try {
    prepareHandle(db);
    // Rows that others refer to may come again: whether they all have is known at the end.
    if (request.mode === 'truncate_insert' && isReferenced(db, name)) db.exec('PRAGMA foreign_keys = OFF');
    return new SqliteWriter(
      db,
      request,
      request.mode === 'append' ? findMark(db, { loadId: request.loadId, object: name }) : null,
    );
  } catch (error) {
    if (db.isOpen) db.close();
    throw sqliteFault(error, 'write');
  }
}
