import { posix } from 'node:path';
import { z } from 'zod';
import { randomHex, sha256 } from '../../../base/ids.ts';
import { AbsentResourceError, ConnectorError } from '../../driver.ts';
import { doneBefore } from '../storage/done-before.ts';
import type { StagedFile, StageOptions } from '../storage/file-storage.ts';
import { copyInto, openSpool, spooledWrites } from '../storage/spool-file.ts';
import type { RemoteStats, RemoteWriter, SftpFolder } from './sftp-folder.ts';
import { withRemoteLock } from './sftp-lock.ts';

const PREFIX = '.headgate-';
const SUFFIX = '.staging';
/** A staging file that was not written to for this long belongs to a process that died. */
const STALE_SECONDS = 24 * 60 * 60;
/** A commit takes a moment; a lock older than this, by the server's clock, belongs to a process that died. */
const LOCK_STALE_SECONDS = 120;
/** Appends that a file remembers. */
const REMEMBERED_MAX = 100;

const recordOf = z.array(
  z.strictObject({ load: z.string(), rows: z.int().min(0), staging: z.string(), size_bytes: z.int() }),
);
type Appends = z.output<typeof recordOf>;

export interface RemotePlace {
  readonly folder: SftpFolder;
  readonly path: string;
  /** As the user wrote it. */
  readonly name: string;
}

/**
 * The next contents of a file: a hidden one beside it, which the commit renames. An append also leaves a hidden record,
 * `.<name>.headgate`, written before the rename: its load has committed where the staging file is gone and the file is as long as it says.
 */
export async function openStagedRemote(
  place: RemotePlace,
  { loadId, mode }: StageOptions,
): Promise<StagedFile> {
  const { folder, path, name } = place;
  const load = sha256(loadId);
  const own = `${PREFIX}${sha256(`${posix.basename(path)}\0${loadId}`).slice(0, 24)}-`;
  const before = await folder.stats(path, name);
  if (before !== null && !before.isFile) throw new ConnectorError('CONFIG', `"${name}" is a folder`);
  if (mode === 'append') {
    const done = await committedRows(place, load, before);
    if (done !== null) return doneBefore(done);
  }
  await sweep(place, own);
  const staging = posix.join(posix.dirname(path), `${own}${randomHex(6)}${SUFFIX}`);
  const continues = mode === 'append' && before !== null && before.sizeBytes > 0;
  const stage: Stage = { ...place, load, staging, before, mode };
  return continues ? continued(stage, before) : begun(stage);
}

interface Stage extends RemotePlace {
  readonly load: string;
  readonly staging: string;
  readonly before: RemoteStats | null;
  readonly mode: StageOptions['mode'];
}

async function begun(stage: Stage): Promise<StagedFile> {
  const writer = await stage.folder.create(stage.staging, stage.name, 'wx').catch((error: unknown) => {
    if (!(error instanceof AbsentResourceError)) throw error;
    throw new AbsentResourceError(
      `The folder of "${stage.name}" does not exist on the server: create it, or correct the "path" of the connector`,
    );
  });
  return {
    alreadyDone: null,
    handle: null,
    continues: false,
    write: (bytes) => writer.write(bytes),
    cut: () => undefined,
    commit: (rows) => publish(stage, writer, rows),
    abort: () => discard(stage, writer),
  };
}

/** Contents that are appended to are copied to a file of this machine first, where their format reads them. */
async function continued(stage: Stage, before: RemoteStats): Promise<StagedFile> {
  const { folder, path, name, staging } = stage;
  const file = await openSpool(name);
  try {
    const source = await folder.open(path, name);
    await copyInto(file, source.handle, before.sizeBytes).finally(() => source.handle.close());
  } catch (error) {
    await file.close();
    throw error;
  }
  const { write, cut, sizeBytes } = spooledWrites(file, name, before.sizeBytes);
  let writer: RemoteWriter | null = null;
  return {
    alreadyDone: null,
    handle: file,
    continues: true,
    write,
    cut,
    commit: async (rows) => {
      writer = await folder.create(staging, name, 'wx');
      await copyInto(writer, file, sizeBytes());
      await publish(stage, writer, rows);
      await file.close();
    },
    abort: async () => {
      await file.close().catch(() => undefined);
      if (writer !== null) await discard(stage, writer);
    },
  };
}

async function discard({ folder, staging, name }: Stage, writer: RemoteWriter): Promise<void> {
  await writer.close().catch(() => undefined);
  await folder.remove(staging, name).catch(() => undefined);
}

async function publish(stage: Stage, writer: RemoteWriter, rows: number): Promise<void> {
  const { folder, path, name, staging, before, mode } = stage;
  await writer.end();
  if (before !== null) await folder.chmod(staging, name, before.mode & 0o777);
  const lock = { folder, path: besideOf(stage, '-lock'), name, staleSeconds: LOCK_STALE_SECONDS };
  if (mode === 'append') await withRemoteLock(lock, () => append(stage, writer.sizeBytes, rows));
  else if (!(await folder.replace(staging, path, name))) throw takenOver(name);
}

async function append(stage: Stage, sizeBytes: number, rows: number): Promise<void> {
  const { folder, path, name, staging, load } = stage;
  const now = await folder.stats(path, name);
  if (now?.sizeBytes !== stage.before?.sizeBytes || now?.modified !== stage.before?.modified)
    throw new ConnectorError('UNAVAILABLE', `The file "${name}" changed while this load ran`);
  const entry = { load, rows, staging: posix.basename(staging), size_bytes: sizeBytes };
  await writeAppends(stage, [...(await readAppends(stage)), entry].slice(-REMEMBERED_MAX));
  if (!(await folder.replace(staging, path, name))) throw takenOver(name);
}

function takenOver(name: string): ConnectorError {
  return new ConnectorError('UNAVAILABLE', `Another attempt of this load has taken over the file "${name}"`);
}

/** Rows of an earlier attempt of the append that has committed; null for none. */
async function committedRows(
  place: RemotePlace,
  load: string,
  before: RemoteStats | null,
): Promise<number | null> {
  const appends = await readAppends(place);
  const entry = appends.find((one) => one.load === load);
  if (entry === undefined) return null;
  const staging = posix.join(posix.dirname(place.path), entry.staging);
  const isThere = await place.folder.remove(staging, place.name);
  if (!isThere && before !== null && before.sizeBytes >= entry.size_bytes) return entry.rows;
  await writeAppends(
    place,
    appends.filter((one) => one !== entry),
  );
  return null;
}

function besideOf({ path }: RemotePlace, suffix: string): string {
  return posix.join(posix.dirname(path), `.${posix.basename(path)}.headgate${suffix}`);
}

/** A record that is missing or is none counts as empty. */
async function readAppends(place: RemotePlace): Promise<Appends> {
  const text = await place.folder.text(besideOf(place, ''), place.name);
  try {
    return recordOf.parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}

async function writeAppends(place: RemotePlace, appends: Appends): Promise<void> {
  const { folder, name } = place;
  const next = besideOf(place, `-${randomHex(6)}`);
  const writer = await folder.create(next, name, 'w');
  await writer.write(JSON.stringify(appends));
  await writer.end();
  await folder.replace(next, besideOf(place, ''), name);
}

/** Removes what earlier attempts of this load, and loads that died long ago, have left in the folder. */
async function sweep({ folder, path, name }: RemotePlace, own: string): Promise<void> {
  const inFolder = posix.dirname(path);
  const seconds = Date.now() / 1_000;
  for (const entry of (await folder.entries(inFolder)) ?? []) {
    if (!entry.name.startsWith(PREFIX) || !entry.name.endsWith(SUFFIX)) continue;
    // The file of an attempt that lost its lease goes too: that attempt's rename then finds nothing.
    if (entry.name.startsWith(own) || seconds - entry.modified > STALE_SECONDS)
      await folder.remove(posix.join(inFolder, entry.name), name);
  }
}
