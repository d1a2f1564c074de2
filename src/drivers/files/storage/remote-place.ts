import { posix } from 'node:path';
import { ConnectorError } from '../../driver.ts';
import { namedFile, namedFiles, requireVisible } from './named-file.ts';

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
    const name = namedFile(this.#only, given);
    if (!this.isFolder) return { path: this.path, name };
    const isPlain = name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
    if (!isPlain || name.includes('\0'))
      throw new ConnectorError('CONFIG', `"${name}" must name a file from the connector's folder on`);
    return { path: this.path + name, name };
  }

  /** As `fileAt`, of one that a load may make. */
  targetAt(given: string): PlacedFile {
    const file = this.fileAt(given);
    requireVisible(file.name);
    return file;
  }

  /** The pattern of a folder's files; null for the only file, which takes none. */
  patternOf(pattern: string | null): string | null {
    return namedFiles(this.#only, pattern);
  }

  get #only(): string | null {
    return this.isFolder ? null : this.onlyName;
  }
}
