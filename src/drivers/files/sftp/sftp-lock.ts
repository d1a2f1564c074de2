import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../../../base/ids.ts';
import { ConnectorError } from '../../driver.ts';
import type { SftpFolder } from './sftp-folder.ts';

const LOCK_TRIES = 100;
const LOCK_WAIT_MS = 100;

interface RemoteLock {
  readonly folder: SftpFolder;
  readonly path: string;
  /** What it guards, in messages. */
  readonly name: string;
  /** Who takes it; what an earlier attempt of the same left is taken over at once. Default: nobody in particular. */
  readonly owner?: string;
  /** A lock older than this, by the server's clock, belongs to a process that died. */
  readonly staleSeconds: number;
}

/** The server's clock, as the time of a file that is made for it. */
async function remoteSeconds({ folder, path, name }: RemoteLock): Promise<number> {
  const probe = posix.join(posix.dirname(path), `.headgate-${randomHex(6)}.staging`);
  await (await folder.create(probe, name, 'wx')).close();
  const stats = await folder.stats(probe, name);
  await folder.remove(probe, name);
  return stats?.modified ?? 0;
}

async function isLeft(lock: RemoteLock): Promise<boolean> {
  const { folder, path, name, owner = '', staleSeconds } = lock;
  if (owner !== '' && (await folder.text(path, name)) === owner) return true;
  const found = await folder.stats(path, name);
  return found !== null && (await remoteSeconds(lock)) - found.modified > staleSeconds;
}

/** One at a time, over all processes: a lock is a file that only one of them can make. */
export async function withRemoteLock<T>(lock: RemoteLock, work: () => Promise<T>): Promise<T> {
  const { folder, path, name, owner = '' } = lock;
  for (let tries = 1; ; tries++) {
    const taken = await folder.create(path, name, 'wx').catch(() => null);
    if (taken !== null) {
      await taken.write(owner);
      await taken.close();
      break;
    }
    if (await isLeft(lock)) await folder.remove(path, name);
    if (tries === LOCK_TRIES) throw new ConnectorError('UNAVAILABLE', `Another load is writing to "${name}"`);
    await sleep(LOCK_WAIT_MS);
  }
  try {
    return await work();
  } finally {
    await folder.remove(path, name).catch(() => undefined);
  }
}
