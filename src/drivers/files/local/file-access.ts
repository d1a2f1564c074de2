import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { identity, isInside, isOwnFile } from '../../../base/files/own-file.ts';
import { type ConnectContext, ConnectorError } from '../../driver.ts';
import { type FileStorage, listedFilesMax, type OpenedFile } from '../storage/file-storage.ts';
import { isListed, namedFile, requireVisible } from '../storage/named-file.ts';
import { fileFault, isMissing, missingFile, missingFolder } from './file-fault.ts';
import { changedFile, type FileTarget, versionAt, versionOf } from './file-version.ts';
import { findFiles } from './find-files.ts';
import { localSetStore } from './local-set.ts';
import { openStagedFile } from './staged-file.ts';

/** A folder of this machine, or one file. Every name is refused that leads out of it, whatever links lie on the way. */
export interface FileAccess extends FileStorage {
  /** Where a file of that name may be written; it need not exist. Throws `CONFIG`. */
  target(name: string): Promise<FileTarget>;
}

export interface FileAccessOptions {
  /** `path` of the configuration: a file or a folder, absolute or relative to the first root. */
  readonly path: string;
  readonly context: ConnectContext;
  /** Extensions that a folder lists, such as `.csv`, in lower case. */
  readonly extensions: readonly string[];
}

interface Scope {
  readonly roots: readonly string[];
  /** The real folder of the connector, or of its file. */
  readonly base: string;
  /** Set when the configuration names a file. */
  readonly only: string | null;
  /** `path`, where nothing is there: a file that may be written, or a folder that was forgotten. */
  readonly absent: string | null;
  readonly forbidden: readonly string[];
}

function outside(name: string): ConnectorError {
  return new ConnectorError(
    'CONFIG',
    `The file "${name}" is outside the folders allowed for files: use another path, or allow its folder (SVC_FILE_ROOTS of the server)`,
  );
}

async function realRoots(roots: readonly string[]): Promise<string[]> {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => null)));
  return real.filter((root) => root !== null);
}

/** Refuses the server's own files under any name. `path` has a real folder. */
function refuseOwn({ forbidden }: Scope, name: string, path: string, stats: BigIntStats | null): void {
  if (!isOwnFile(forbidden, path, stats)) return;
  throw new ConnectorError('CONFIG', `The file "${name}" belongs to the server and no connector may open it`);
}

async function resolveScope(options: FileAccessOptions): Promise<Scope> {
  const { path, context } = options;
  const roots = await realRoots(context.fileRoots);
  const first = roots[0];
  if (first === undefined) {
    const folder = isAbsolute(path) ? dirname(path) : '/srv/data';
    throw new ConnectorError(
      'CONFIG',
      `This server allows no folder for files yet: restart it with one, for example SVC_FILE_ROOTS="${folder}" headgate serve`,
    );
  }
  if (path.includes('\0'))
    throw new ConnectorError('CONFIG', 'The "path" of this connector contains a NUL character');
  const full = resolve(first, path);
  const forbidden = context.forbiddenFiles;
  const real = await realpath(full).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw fileFault(error, path, 'read');
  });
  if (real !== null && !roots.some((root) => isInside(root, real))) throw outside(path);
  if (real !== null && (await stat(real)).isDirectory())
    return { roots, base: real, only: null, absent: null, forbidden };
  // A file that is not there yet may still be written, so only its folder must exist.
  const folder = await realpath(dirname(full)).catch(() => null);
  if (folder === null || !roots.some((root) => isInside(root, folder))) {
    const named = [...roots, ...context.fileRoots].some((root) => isInside(resolve(root), full));
    throw named ? missingFile(path) : outside(path);
  }
  if (real === null && path.endsWith('/')) throw missingFolder(path);
  return { roots, base: folder, only: basename(full), absent: real === null ? path : null, forbidden };
}

/** Throws `CONFIG` where something is asked of a folder, and the configured one is not there. With an extension it is meant as a file. */
function requireFolder({ absent }: Scope): void {
  if (absent !== null && extname(absent) === '') throw missingFolder(absent);
}

function pathIn(scope: Scope, given: string | undefined): string {
  if (given !== undefined && given !== scope.only) requireFolder(scope);
  const name = namedFile(scope.only, given);
  if (scope.only !== null) return join(scope.base, name);
  if (name.includes('\0') || isAbsolute(name)) throw outside(name);
  const full = resolve(scope.base, name);
  if (!isInside(scope.base, full)) throw outside(name);
  return full;
}

function isAllowed(scope: Scope, real: string): boolean {
  return scope.only === null ? isInside(scope.base, real) : scope.roots.some((root) => isInside(root, real));
}

async function openFile(scope: Scope, name: string | undefined): Promise<OpenedFile> {
  const path = pathIn(scope, name);
  const shown = name ?? basename(path);
  let handle: FileHandle | undefined;
  try {
    const real = await realpath(path);
    if (!isAllowed(scope, real)) throw outside(shown);
    // Non-blocking, so that a pipe which was put there cannot hold the thread.
    handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new ConnectorError('CONFIG', `"${shown}" is not a file`);
    // What was opened must still be what the path leads to: nothing was swapped between the two looks.
    const again = await realpath(path);
    if (again !== real || identity(await lstat(real, { bigint: true })) !== identity(stats))
      throw outside(shown);
    refuseOwn(scope, shown, real, stats);
    const version = versionOf(stats);
    const requireUnchanged = async () => {
      if ((await versionAt(real)) !== version) throw changedFile(shown);
    };
    return { name: shown, path: real, handle, sizeBytes: Number(stats.size), version, requireUnchanged };
  } catch (error) {
    await handle?.close();
    throw fileFault(error, shown, 'read');
  }
}

async function fileTarget(scope: Scope, name: string): Promise<FileTarget> {
  const path = pathIn(scope, name);
  const file = basename(path);
  requireVisible(name);
  try {
    const folder = await realpath(dirname(path));
    if (!isAllowed(scope, folder)) throw outside(name);
    const full = join(folder, file);
    const stats = await lstat(full, { bigint: true }).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (stats !== null && !stats.isFile()) {
      throw new ConnectorError('CONFIG', `"${name}" is a link or a folder; only a plain file can be written`);
    }
    refuseOwn(scope, name, full, stats);
    return { name, folder, path: full };
  } catch (error) {
    throw fileFault(error, name, 'write');
  }
}

async function listFiles(scope: Scope, extensions: readonly string[]): Promise<readonly string[]> {
  if (scope.only !== null) return [scope.only];
  const entries = await readdir(scope.base, { withFileTypes: true }).catch((error: unknown) => {
    throw fileFault(error, basename(scope.base), 'read');
  });
  const names = entries
    .filter((entry) => entry.isFile() && isListed(entry.name, extensions))
    .map((entry) => entry.name);
  return names.sort().slice(0, listedFilesMax);
}

/** Resolves the configured path and proves that it lies inside the allowed folders. Throws `CONFIG` where it does not. */
export async function createFileAccess(options: FileAccessOptions): Promise<FileAccess> {
  const scope = await resolveScope(options);
  return {
    isFolder: scope.only === null,
    list: () => listFiles(scope, options.extensions),
    find: async (pattern, signal) => {
      if (pattern !== null) requireFolder(scope);
      return findFiles({ folder: scope.base, only: scope.only }, pattern, signal);
    },
    open: (name) => openFile(scope, name),
    target: (name) => fileTarget(scope, name),
    stage: async (name, options) => openStagedFile({ ...options, target: await fileTarget(scope, name) }),
    set: (folder, key) =>
      localSetStore({ base: scope.base, folder, key, target: (name) => fileTarget(scope, name) }),
    close: async () => undefined,
  };
}
