import type { DatabaseSync } from 'node:sqlite';
import { sleep } from '../../../base/clock.ts';
import { requireRunning } from '../read.ts';
import { isBusy, sqliteFault } from '../sqlite-fault.ts';

/** Longest wait for another load of the same file; it may take as long as that load. */
export const loadLockWaitMs = 600_000;
const lockPollMs = 25;

/** WAL: readers are not blocked during a load; each commit reaches the disk. A rename must not look into views of the table. */
export function prepareHandle(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    // Another program is inside the file; the load then runs in the journal mode that the file has.
    if (!isBusy(error)) throw error;
  }
  db.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -8192; PRAGMA journal_size_limit = 67108864');
  db.exec('PRAGMA legacy_alter_table = ON; PRAGMA busy_timeout = 0');
}

/** Begins a transaction with the write lock; waits without blocking the thread, so that the load that holds it can continue. */
export async function takeWriteLock(db: DatabaseSync, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + loadLockWaitMs;
  for (;;) {
    try {
      db.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw sqliteFault(error, 'write');
    }
    await sleep(lockPollMs, signal);
    requireRunning(signal);
  }
}
