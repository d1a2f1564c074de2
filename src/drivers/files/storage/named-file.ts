import { posix } from 'node:path';
import { ConnectorError } from '../../driver.ts';

/**
 * What a connector of files is asked for, wherever its files lie, and the refusals of it. `only`: the name of its only file; null
 * where it is a folder.
 */
type Only = string | null;

/** The name that was asked for, or that of the only file where nothing is given. Throws `CONFIG`. */
export function namedFile(only: Only, given: string | undefined): string {
  if (only !== null) {
    if (given === undefined || given === only) return only;
    throw new ConnectorError(
      'CONFIG',
      `This connector holds only the file "${only}", not "${given}": a "path" that is a folder holds several`,
    );
  }
  if (given === undefined || given === '')
    throw new ConnectorError('CONFIG', 'This connector is a folder: name one of its files in "file"');
  return given;
}

/** Throws `CONFIG` for a file that no load may make: one that is hidden. */
export function requireVisible(name: string): void {
  if (posix.basename(name).startsWith('.'))
    throw new ConnectorError('CONFIG', `The file name "${name}" must not begin with a dot`);
}

/** The pattern of a folder's files; null for the only file, which takes none. Throws `CONFIG`. */
export function namedFiles(only: Only, pattern: string | null): string | null {
  if (only === null && pattern === null)
    throw new ConnectorError(
      'CONFIG',
      'This connector is a folder: name its files in "files", such as "*.csv"',
    );
  if (only !== null && pattern !== null)
    throw new ConnectorError(
      'CONFIG',
      `This connector holds only the file "${only}": leave "files" out, or let its "path" be a folder (elsewhere than on disk, one that ends with "/")`,
    );
  return pattern;
}

/** Whether a folder lists this file: one with such an extension, and not hidden. */
export function isListed(name: string, extensions: readonly string[]): boolean {
  return !name.startsWith('.') && extensions.some((extension) => name.toLowerCase().endsWith(extension));
}
