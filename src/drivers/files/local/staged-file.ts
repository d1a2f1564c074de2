import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { randomHex, sha256 } from '../../../base/ids.ts';
import { ConnectorError } from '../../driver.ts';
import { doneBefore } from '../storage/done-before.ts';
import type { StagedFile, StageOptions } from '../storage/file-storage.ts';
import { withCommitLock } from './commit-lock.ts';
import { fileFault } from './file-fault.ts';
import type { FileTarget } from './file-version.ts';
import { fileVersion, readLoads, writeLoads } from './load-record.ts';

/** A staging file that was not written to for this long belongs to a process that died. */
export const stagingStaleMs = 24 * 60 * 60_000;

interface StagedFileOptions extends StageOptions {
  readonly target: FileTarget;
}

interface Stage {
  readonly target: FileTarget;
  readonly file: string;
  readonly staging: string;
  readonly loadId: string;
  readonly mode: 'append' | 'replace';
  /** What the target was when it was copied. */
  readonly before: string | null;
}

const PREFIX = '.headgate-';
const SUFFIX = '.staging';

/** Removes what earlier attempts of this load, and loads that died long ago, have left in the folder. */
async function sweep(folder: string, ownPrefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) continue;
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    // The file of an attempt that lost its lease goes too: that attempt's rename then finds nothing.
    if (name.startsWith(ownPrefix) || age > stagingStaleMs) await unlink(path).catch(() => undefined);
  }
}

async function openStaging(stage: Stage): Promise<FileHandle> {
  const path = join(stage.target.folder, stage.staging);
  if (stage.before !== null && stage.mode === 'append') {
    await copyFile(stage.target.path, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  }
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o644);
  if (stage.before !== null) await handle.chmod((await stat(stage.target.path)).mode & 0o777);
  return handle;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function publish(stage: Stage, rows: number): Promise<void> {
  const { target, file, staging, mode, loadId } = stage;
  const { folder } = target;
  await withCommitLock(join(folder, `.${file}.headgate-lock`), target.name, async () => {
    const before = await fileVersion(target.path);
    if (mode === 'append' && before !== stage.before) {
      throw new ConnectorError('UNAVAILABLE', `The file "${target.name}" changed while this load ran`);
    }
    const loads = await readLoads(folder, file);
    if ((await fileVersion(join(folder, staging))) === null) {
      throw new ConnectorError(
        'UNAVAILABLE',
        `Another attempt of this load has taken over the file "${target.name}"`,
      );
    }
    await writeLoads(folder, file, { loads, last: { load_id: loadId, rows, staging, before } });
    await rename(join(folder, staging), target.path);
    await syncFolder(folder);
  });
}

/** Opens the staging file of a load, a hidden file beside its target, which the commit renames. Throws `CONFIG` or `TARGET`. */
export async function openStagedFile({ target, loadId, mode }: StagedFileOptions): Promise<StagedFile> {
  const { folder, name } = target;
  const file = basename(target.path);
  const doing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fileFault(error, name, 'write');
    }
  };
  return doing(async () => {
    const done = (await readLoads(folder, file)).find((load) => load.load_id === loadId);
    if (done !== undefined) return doneBefore(done.rows);
    const own = `${PREFIX}${sha256(`${file}\0${loadId}`).slice(0, 24)}-`;
    await sweep(folder, own);
    const before = await fileVersion(target.path);
    const stage: Stage = { target, file, loadId, mode, before, staging: `${own}${randomHex(6)}${SUFFIX}` };
    const handle = await openStaging(stage);
    let state: 'open' | 'ended' = 'open';
    let position = mode === 'append' ? (await handle.stat()).size : 0;
    return {
      alreadyDone: null,
      handle,
      continues: mode === 'append' && before !== null && position > 0,
      write: (bytes) =>
        doing(async () => {
          const data = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
          for (let from = 0; from < data.length; ) {
            const { bytesWritten } = await handle.write(data, from, data.length - from, position);
            from += bytesWritten;
            position += bytesWritten;
          }
        }),
      cut: (sizeBytes) => {
        position = sizeBytes;
      },
      commit: (rows) =>
        doing(async () => {
          // What the format cut off its copy must not come back behind the new end.
          await handle.truncate(position);
          await handle.sync();
          await handle.close();
          await publish(stage, rows);
          state = 'ended';
        }),
      abort: async () => {
        if (state === 'ended') return;
        state = 'ended';
        await handle.close().catch(() => undefined);
        await unlink(join(folder, stage.staging)).catch(() => undefined);
      },
    };
  });
}
