import type { DatabaseSync } from 'node:sqlite';

/**
 * Size to which the journal is cut once its commits are in the main file; without it, one large transaction leaves it large for
 * good. A start after a kill reads all of the journal.
 */
const JOURNAL_BYTES_MAX = 16 * 1_048_576;
/** Free pages that stay in the file, for what is stored next. */
const FREE_BYTES_KEPT = 16 * 1_048_576;
const FREE_SHARE_KEPT = 0.1;
/** Given back in one transaction: bounds how long other writes wait. */
const SHRINK_BYTES = 1_048_576;

/** SQLite's number of `auto_vacuum = incremental`. Source: https://sqlite.org/pragma.html#pragma_auto_vacuum. */
const INCREMENTAL = 2;

/**
 * Puts a file that is open for writing into WAL mode, with a bounded journal and commits that survive a power cut. A new file
 * becomes one that can shrink; one with tables stays as it is until it is written anew, as a restored backup is.
 */
export function prepareSqliteFile(database: DatabaseSync): void {
  if (numberOf(database, 'page_count') === 0) database.exec('pragma auto_vacuum = incremental');
  database.exec(
    `pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = ${JOURNAL_BYTES_MAX}`,
  );
}

/**
 * Gives some of the pages that deletions have left unused back to the disk, in a transaction of its own; whether there are more
 * to give.
 */
export function shrinkSqliteFile(database: DatabaseSync): boolean {
  if (numberOf(database, 'auto_vacuum') !== INCREMENTAL) return false;
  const pageBytes = numberOf(database, 'page_size');
  const kept = Math.max(FREE_BYTES_KEPT / pageBytes, numberOf(database, 'page_count') * FREE_SHARE_KEPT);
  const excess = numberOf(database, 'freelist_count') - kept;
  if (excess <= 0) return false;
  const pages = SHRINK_BYTES / pageBytes;
  // Each page is a row of this statement: `exec` alone steps over all of them.
  database.exec(`pragma incremental_vacuum(${pages})`);
  if (excess > pages) return true;
  // The file becomes shorter when the journal has moved into it.
  moveUnreadJournal(database);
  return false;
}

/** Moves what nobody reads of the journal into the file, and says whether that is all; nobody waits for it, and it waits for nobody. */
export function moveUnreadJournal(database: DatabaseSync): boolean {
  const { busy, log, checkpointed } = database.prepare('pragma wal_checkpoint(passive)').get() ?? {};
  return busy === 0 && log === checkpointed;
}

/** How long a stop waits for another program that is reading the file. */
const CHECKPOINT_WAIT_MS = 500;

/**
 * Moves the journal into the file before that is closed, and empties it. The last handle on a file does so by itself, but another
 * program may have it open: a shell, a backup, a monitor. What that one is reading stays in the journal.
 */
export function moveJournal(database: DatabaseSync): void {
  database.exec(`pragma busy_timeout = ${CHECKPOINT_WAIT_MS}; pragma wal_checkpoint(truncate)`);
}

function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(database.prepare(`pragma ${pragma}`).get()?.[pragma] ?? 0);
}
