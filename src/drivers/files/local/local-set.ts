import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, realpath, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from '../../../base/files/own-file.ts';
import { randomHex } from '../../../base/ids.ts';
import { AbsentResourceError, ConnectorError } from '../../driver.ts';
import { requireStaged, type SetRecord, type SetStore, stagingOf } from '../storage/set-store.ts';
import { withCommitLock } from './commit-lock.ts';
import { fileFault, isMissing } from './file-fault.ts';
import type { FileTarget } from './file-version.ts';

interface LocalSet {
  /** Real path of the connector's folder. */
  readonly base: string;
  /** The folder of the set from there on, with a `/` at the end; empty for none. */
  readonly folder: string;
  /** Names the set among others of the folder. */
  readonly key: string;
  /** Where a file of the connector may be written. */
  target(name: string): Promise<FileTarget>;
}

/** Makes the folders that are missing, one by one, so that no link on the way leads out. Gives the real path. */
async function madeFolder(base: string, folder: string): Promise<string> {
  let real = base;
  for (const name of folder.split('/').filter((part) => part !== '')) {
    const path = join(real, name);
    await mkdir(path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    real = await realpath(path);
    if (!isInside(base, real) || !(await lstat(real)).isDirectory())
      throw new ConnectorError('CONFIG', `"${folder}" is no folder inside the connector's folder`);
  }
  return real;
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

/**
 * Files of this machine. What is staged lies in a hidden folder beside the set, `.headgate-<attempt>.set`, and is renamed; the record is
 * `.<key>.headgate`.
 */
class LocalSetStore implements SetStore {
  readonly #set: LocalSet;
  readonly #path: string;
  #staged = 0;

  constructor(set: LocalSet, path: string) {
    this.#set = set;
    this.#path = path;
  }

  readRecord(): Promise<SetRecord | null> {
    return this.#doing('', async () => {
      try {
        const text = await readFile(this.#recordPath, 'utf8');
        return { text, version: text };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    });
  }

  /** Others are locked out, so that nothing needs to be compared. */
  writeRecord(text: string): Promise<void> {
    return this.#doing('', async () => {
      const fresh = `${this.#recordPath}-${randomHex(4)}`;
      const handle = await open(fresh, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(fresh, this.#recordPath);
      await syncFolder(this.#path);
    });
  }

  stage(attempt: string, name: string, contents: AsyncIterable<Uint8Array>): Promise<string> {
    return this.#doing(name, async () => {
      await this.#refuseOthers(name);
      await mkdir(join(this.#path, stagingOf(attempt)), { recursive: true });
      const staged = `${stagingOf(attempt)}/${this.#staged++}`;
      const handle = await open(join(this.#path, staged), 'wx', 0o644);
      try {
        for await (const bytes of contents) await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      return staged;
    });
  }

  publish(name: string, staged: string): Promise<void> {
    return this.#doing(name, async () => {
      requireStaged(name, staged);
      await madeFolder(this.#set.base, name.slice(0, name.lastIndexOf('/') + 1));
      const { path, folder } = await this.#set.target(name);
      try {
        await rename(join(this.#path, staged), path);
        await syncFolder(folder);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    });
  }

  remove(name: string): Promise<void> {
    return this.#doing(name, async () => {
      try {
        const { path } = await this.#set.target(name);
        await unlink(path);
        await this.#removeEmpty(dirname(path));
      } catch (error) {
        if (!isMissing(error) && !(error instanceof AbsentResourceError)) throw error;
      }
    });
  }

  sweep(attempt: string): Promise<void> {
    return this.#doing('', () => rm(join(this.#path, stagingOf(attempt)), { recursive: true, force: true }));
  }

  exclusively<T>(_owner: string, work: () => Promise<T>): Promise<T> {
    const { folder, key } = this.#set;
    return withCommitLock(join(this.#path, `.${key}.headgate-lock`), folder || '.', work);
  }

  get #recordPath(): string {
    return join(this.#path, `.${this.#set.key}.headgate`);
  }

  /** What is no file of its own cannot be replaced, which must be known before the load commits. */
  async #refuseOthers(name: string): Promise<void> {
    await this.#set.target(name).catch((error: unknown) => {
      if (!(error instanceof AbsentResourceError)) throw error;
    });
  }

  /** Folders of values that have no files any more. */
  async #removeEmpty(folder: string): Promise<void> {
    for (let path = folder; path !== this.#path && isInside(this.#path, path); path = dirname(path)) {
      const removed = await rmdir(path).then(
        () => true,
        () => false,
      );
      if (!removed) return;
    }
  }

  async #doing<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw fileFault(error, name || this.#set.folder || '.', 'write');
    }
  }
}

export async function localSetStore(set: LocalSet): Promise<SetStore> {
  try {
    return new LocalSetStore(set, await madeFolder(set.base, set.folder));
  } catch (error) {
    throw fileFault(error, set.folder || '.', 'write');
  }
}
