import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../base/errors.ts';
import { makePrivateFolder } from '../../base/files/private-files.ts';
import { logsPathOf } from '../sqlite/open-sqlite.ts';
import type { BackupReader } from './backup-file.ts';
import { type BackupSource, LOGS_ENTRY, METRICS_ENTRY, type OnBytes, STATE_ENTRY } from './sqlite-backup.ts';

const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/** Where an embedded store goes. */
export interface SqlitePlace {
  readonly statePath: string;
  /** The server's metrics file; others that a backup has go into its folder. */
  readonly metricsPath: string;
}

/** The files that a restore would replace, or remove: metrics of the state that goes belong to other runs. */
export function filesInTheWay(place: SqlitePlace, entries: readonly string[]): string[] {
  const targets = targetsOf(place, entries).map(({ path }) => path);
  return [...new Set([...targets, resolve(place.metricsPath)])].filter((path) => existsSync(path));
}

/** `CONFLICT` where another process has the file open: changing its journal's mode needs it alone. */
export function requireClosed(path: string): void {
  if (!existsSync(path)) return;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('pragma journal_mode = delete');
  } catch (cause) {
    // Whatever else is wrong with the file, it is replaced.
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) return;
    const message = `The state store "${path}" is in use: stop the server, and whatever else has it open, before you restore`;
    throw new AppError('CONFLICT', message, { cause });
  } finally {
    database.close();
  }
}

const SQLITE_BUSY = 5;

/**
 * Writes the files of a backup into a folder beside the store, has `prove` open what is there (its argument is the state file), and
 * only then puts them into place. Whatever fails before leaves the store as it was.
 */
export async function restoreSqlite(
  reader: BackupReader,
  place: SqlitePlace,
  prove: (statePath: string) => Promise<void>,
  onBytes: OnBytes,
): Promise<void> {
  const folder = dirname(resolve(place.statePath));
  makePrivateFolder(folder);
  const aside = mkdtempSync(join(folder, '.headgate-restore-'));
  try {
    const targets = targetsOf(place, reader.entries);
    for (const { entry } of targets) await writeEntry(reader, entry, join(aside, entry), onBytes);
    for (const { entry } of targets) checkFile(join(aside, entry));
    await prove(join(aside, STATE_ENTRY));
    for (const { entry } of targets) giveTo(folder, join(aside, entry));
    putInPlace(targets, filesInTheWay(place, reader.entries), aside);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** What root restores belongs to the owner of the folder, who runs the server. Nobody else can give files away. */
function giveTo(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}

function targetsOf({ statePath, metricsPath }: SqlitePlace, entries: readonly string[]): BackupSource[] {
  const state = resolve(statePath);
  return entries.map((entry) => {
    if (entry === STATE_ENTRY) return { entry, path: state };
    if (entry === LOGS_ENTRY) return { entry, path: logsPathOf(state) };
    const inner = normalize(entry.slice(METRICS_ENTRY.length));
    if (!entry.startsWith(METRICS_ENTRY) || isAbsolute(inner) || inner.startsWith('..'))
      throw new AppError('VALIDATION_ERROR', `The backup has an entry "${entry}" that no restore knows`);
    return { entry, path: join(dirname(resolve(metricsPath)), inner) };
  });
}

async function writeEntry(
  reader: BackupReader,
  entry: string,
  path: string,
  onBytes: OnBytes,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const piece of reader.pieces(entry)) {
      for (let at = 0; at < piece.byteLength; ) at += writeSync(file, piece, at);
      onBytes(piece.byteLength);
      // The progress is drawn in between.
      await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

/** Files of earlier versions are written anew, so that they can shrink from now on. */
function checkFile(path: string): void {
  const database = new DatabaseSync(path);
  try {
    const found = database.prepare('pragma quick_check(1)').get()?.['quick_check'];
    if (found !== 'ok')
      throw new AppError('VALIDATION_ERROR', `The database in the backup is damaged: ${found}`);
    if (database.prepare('pragma auto_vacuum').get()?.['auto_vacuum'] === 0)
      database.exec('pragma auto_vacuum = incremental; vacuum');
  } finally {
    database.close();
  }
}

/** The folder of metrics may be on another disk. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
    rmSync(from);
  }
}

/** What is in the way goes aside first, and comes back where a file cannot be moved. */
function putInPlace(targets: readonly BackupSource[], inTheWay: readonly string[], aside: string): void {
  const moved: { readonly from: string; readonly to: string }[] = [];
  const move = (from: string, to: string) => {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    moveFile(from, to);
    moved.push({ from, to });
  };
  try {
    for (const [index, path] of inTheWay.entries())
      for (const suffix of SUFFIXES)
        if (existsSync(path + suffix)) move(path + suffix, join(aside, `replaced-${index}${suffix}`));
    for (const { entry, path } of targets) move(join(aside, entry), path);
  } catch (error) {
    for (const { from, to } of moved.reverse()) moveFile(to, from);
    throw error;
  }
}
