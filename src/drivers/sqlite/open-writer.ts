import type { WriteRequest } from '../driver.ts';
import type { PartsRequest } from '../load-request.ts';
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
 * Opens a handle for the load; it takes no lock before the first batch. `of`: the load of which it is a part, whose stage is the object; its
 * target and its key are then those in messages, and foreign keys are looked at where the parts are published.
 */
export async function openSqliteWriter(
  file: DatabaseFile,
  request: WriteRequest,
  of: Pick<PartsRequest, 'object' | 'key'> | null = null,
): Promise<SqliteWriter> {
  requireRunning(request.signal);
  requireKeyOfMode(request);
  const name = tableNameOf(request.object);
  const db = await file.openWriting({ foreignKeys: of === null && request.mode !== 'replace' });
  try {
    prepareHandle(db);
    // Rows that others refer to may come again: whether they all have is known at the end.
    if (request.mode === 'truncate_insert' && isReferenced(db, name)) db.exec('PRAGMA foreign_keys = OFF');
    return new SqliteWriter(
      db,
      request,
      request.mode === 'append' ? findMark(db, { loadId: request.loadId, object: name }) : null,
      of ?? request,
    );
  } catch (error) {
    if (db.isOpen) db.close();
    throw sqliteFault(error, 'write');
  }
}
