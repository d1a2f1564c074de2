import { posix } from 'node:path';
import { ConnectorError } from '../../driver.ts';

/** A file of a connector: where it lies on the other machine, and its name as the user wrote it. */
export interface PlacedFile {
  readonly path: string;
  readonly name: string;
}

/**
 * Where the files of a connector lie on another machine: a folder, whose path is empty or ends with `/`, or one file. Everything
 * throws `CONFIG` for names that are not in it.
 */
export class RemotePlace {
  readonly path: string;
  readonly isFolder: boolean;

  constructor(path: string) {
    this.path = path;
    this.isFolder = path === '' || path.endsWith('/');
  }

  /** Of a connector that holds one file. */
  get onlyName(): string {
    return posix.basename(this.path);
  }

  /** The file that `given` names; the only one where nothing is given. */
  fileAt(given: string | undefined): PlacedFile {
    if (!this.isFolder) {
      const name = this.onlyName;
      if (given === undefined || given === name) return { path: this.path, name };
      throw new ConnectorError('CONFIG', `This connector holds only the file "${name}", not "${given}"`);
    }
    if (given === undefined || given === '')
      throw new ConnectorError('CONFIG', 'This connector is a folder: name one of its files in "file"');
    const isPlain = given.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
    if (!isPlain || given.includes('\0'))
      throw new ConnectorError('CONFIG', `"${given}" must name a file from the connector's folder on`);
    return { path: this.path + given, name: given };
  }

  /** As `fileAt`, of one that a load may make. */
  targetAt(given: string): PlacedFile {
    const file = this.fileAt(given);
    if (posix.basename(file.name).startsWith('.'))
      throw new ConnectorError('CONFIG', `The file name "${file.name}" must not begin with a dot`);
    return file;
  }

  /** The pattern of a folder's files; null for the only file, which takes none. */
  patternOf(pattern: string | null): string | null {
    if (this.isFolder && pattern === null)
      throw new ConnectorError(
        'CONFIG',
        'This connector is a folder: name its files in "files", such as "*.csv"',
      );
    if (!this.isFolder && pattern !== null)
      throw new ConnectorError(
        'CONFIG',
        `This connector holds only the file "${this.onlyName}": leave "files" out`,
      );
    return pattern;
  }
}

/** Whether a folder lists this file: one with such an extension, and not hidden. */
export function isListed(name: string, extensions: readonly string[]): boolean {
  return !name.startsWith('.') && extensions.some((extension) => name.toLowerCase().endsWith(extension));
}
