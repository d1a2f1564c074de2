import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** Files that SQLite keeps beside a database. */
const SIBLINGS = ['', '-wal', '-shm', '-journal'];

/** True for the folder itself, and for what lies in it to any depth. Both are absolute, without `..`. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The same for every name of a file, and after it was moved. */
export function identity(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}

/**
 * The server's own files under any name: by path, by what lies in their folders, by what SQLite keeps beside them, and by identity for
 * hard links and moved files. `path` has a real folder; `stats` are those of what lies there, or null for nothing.
 */
export function isOwnFile(own: readonly string[], path: string, stats: BigIntStats | null): boolean {
  return own.some((file) => {
    const real = join(realOf(dirname(file)), basename(file));
    return isInside(real, path) || SIBLINGS.some((suffix) => isSame(real + suffix, path, stats));
  });
}

function isSame(own: string, path: string, stats: BigIntStats | null): boolean {
  if (own === path) return true;
  const other = stats === null ? undefined : statSync(own, { bigint: true, throwIfNoEntry: false });
  return other !== undefined && stats !== null && identity(other) === identity(stats);
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
