import type { DatabaseSync } from 'node:sqlite';
import { findTable, ownTablePrefix } from '../introspect.ts';

/** How long the marks of loads are kept; a retry comes within hours. */
export const loadMarkDays = 90;

/** The table of marks. */
export const MARKS = `${ownTablePrefix}loads`;

interface LoadMark {
  readonly loadId: string;
  readonly object: string;
  readonly rows: number;
}

export function createMarks(db: DatabaseSync): void {
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${MARKS} (load_id TEXT NOT NULL, object TEXT NOT NULL, rows INTEGER NOT NULL,
     loaded_at TEXT NOT NULL, PRIMARY KEY (load_id, object)) WITHOUT ROWID`,
  );
}

/** Records the load with its rows; throws where another attempt of it has done so. */
export function saveMark(db: DatabaseSync, { loadId, object, rows }: LoadMark): void {
  createMarks(db);
  // An attempt that lives on beside its retry fails here, and takes its rows back.
  db.prepare(`INSERT INTO ${MARKS} VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`).run(
    loadId,
    object,
    rows,
  );
  db.exec(
    `DELETE FROM ${MARKS} WHERE loaded_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${loadMarkDays} days')`,
  );
}

export function findMark(
  db: DatabaseSync,
  { loadId, object }: Omit<LoadMark, 'rows'>,
): { readonly rows: number } | null {
  if (findTable(db, MARKS) === null) return null;
  const mark = db.prepare(`SELECT rows FROM ${MARKS} WHERE load_id = ? AND object = ?`).get(loadId, object);
  return mark === undefined ? null : { rows: Number(mark['rows']) };
}
