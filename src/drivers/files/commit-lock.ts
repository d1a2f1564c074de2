import { open, rename, stat, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../../base/ids.ts';
import { ConnectorError } from '../driver.ts';
import { isMissing, isTaken } from './file-fault.ts';

/** A commit holds the lock for two renames and two flushes; whoever holds it longer than this has died. */
export const lockStaleMs = 30_000;
/** Longest wait for another load's commit. */
export const lockWaitMs = 5_000;
const lockPollMs = 20;

async function breakStale(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs < lockStaleMs) return;
    // Renamed first: of two that find it stale, one alone takes it away.
    const taken = `${path}-${randomHex(4)}`;
    await rename(path, taken);
    await unlink(taken);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function acquire(path: string, name: string): Promise<void> {
  for (let waited = 0; ; waited += lockPollMs) {
    try {
      const handle = await open(path, 'wx', 0o600);
      await handle.close();
      return;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    if (waited >= lockWaitMs) {
      throw new ConnectorError('UNAVAILABLE', `Another load is being committed to the file "${name}"`);
    }
    await breakStale(path);
    await sleep(lockPollMs);
  }
}

/** Runs `commit` while no other load of the same file commits, in whatever process. */
export async function withCommitLock<T>(path: string, name: string, commit: () => Promise<T>): Promise<T> {
  await acquire(path, name);
  try {
    return await commit();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}
