import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError } from '../../driver.ts';

/** Longest wait for another load's commit. */
export const lockWaitMs = 5_000;
const lockPollMs = 20;
const SQLITE_BUSY = 5;

/**
 * The lock is the operating system's, taken through SQLite on an empty file that stays: it goes with the process that held it,
 * however that ended, and never from one that is only paused. Source: https://www.sqlite.org/lockingv3.html.
 */
async function openLock(path: string): Promise<DatabaseSync> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  await (await open(path, flags, 0o600)).close();
  return new DatabaseSync(path);
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

/** Takes the lock on a file where nobody has it, until it is closed; null where somebody has. */
export async function takeFileLock(path: string): Promise<{ close(): void } | null> {
  const lock = await openLock(path);
  if (tryLock(lock)) return lock;
  lock.close();
  return null;
}

/** Runs `commit` while no other load of the same file commits, in whatever process. Throws `UNAVAILABLE` after `lockWaitMs`. */
export async function withCommitLock<T>(path: string, name: string, commit: () => Promise<T>): Promise<T> {
  const lock = await openLock(path);
  try {
    const until = performance.now() + lockWaitMs;
    while (!tryLock(lock)) {
      if (performance.now() > until) {
        throw new ConnectorError('UNAVAILABLE', `Another load is being committed to the file "${name}"`);
      }
      await sleep(lockPollMs);
    }
    return await commit();
  } finally {
    lock.close();
  }
}
