import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type NamePattern, namePattern, tooManyFiles } from '../name-pattern.ts';
import { foundFilesMax } from '../storage/file-storage.ts';
import type { FoundFile } from '../storage/found-file.ts';
import { namedFiles } from '../storage/named-file.ts';
import { fileFault, isMissing } from './file-fault.ts';

interface Folder {
  /** Its real path. */
  readonly folder: string;
  /** The name of the connector's only file; null where the folder is the connector's. */
  readonly only: string | null;
}

function withMicroseconds(modifiedNs: bigint): string {
  const text = new Date(Number(modifiedNs / 1_000_000n)).toISOString();
  const rest = (modifiedNs / 1_000n) % 1_000n;
  return text.replace('Z', `${rest.toString().padStart(3, '0')}Z`);
}

/** null for what has gone meanwhile, or is no plain file. */
async function foundFile(folder: string, name: string): Promise<FoundFile | null> {
  try {
    const stats = await lstat(join(folder, name), { bigint: true });
    if (!stats.isFile()) return null;
    return { name, sizeBytes: Number(stats.size), modified: withMicroseconds(stats.mtimeNs) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw fileFault(error, name, 'read');
  }
}

async function entriesOf(folder: string, inside: string): Promise<Dirent[]> {
  try {
    const path = join(folder, inside);
    // A link among the folders with which the pattern begins is not followed either.
    if (inside !== '' && !(await lstat(path)).isDirectory()) return [];
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw fileFault(error, inside, 'read');
  }
}

async function namesIn(
  folder: string,
  pattern: NamePattern,
  shown: string,
  signal: AbortSignal,
): Promise<string[]> {
  const names: string[] = [];
  const folders = [pattern.folder];
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    signal.throwIfAborted();
    const depth = inside.split('/').length - 1;
    for (const entry of await entriesOf(folder, inside)) {
      const name = inside + entry.name;
      if (entry.isFile() && pattern.matches(name)) names.push(name);
      const isInside = entry.isDirectory() && !entry.name.startsWith('.') && depth < pattern.depthMax;
      if (isInside) folders.push(`${name}/`);
      if (names.length > foundFilesMax || folders.length > foundFilesMax) throw tooManyFiles(shown);
    }
  }
  return names.sort();
}

/** The plain files that a pattern finds; see `FileStorage.find`. No link is followed on the way, so that none leads out or round. */
export async function findFiles(
  { folder, only }: Folder,
  pattern: string | null,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const wanted = namedFiles(only, pattern);
  const names =
    only !== null ? [only] : await namesIn(folder, namePattern(wanted ?? ''), wanted ?? '', signal);
  const found: FoundFile[] = [];
  for (const name of names) {
    signal.throwIfAborted();
    const file = await foundFile(folder, name);
    if (file !== null) found.push(file);
  }
  return found;
}
