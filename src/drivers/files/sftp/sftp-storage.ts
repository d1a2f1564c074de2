import { posix } from 'node:path';
import { type ConnectContext, ConnectorError } from '../../driver.ts';
import { namePattern, tooManyFiles } from '../name-pattern.ts';
import {
  type FileStorage,
  type FoundFile,
  foundFilesMax,
  listedFilesMax,
  type OpenedFile,
  type StagedFile,
  type StageOptions,
} from '../storage/file-storage.ts';
import type { SftpConfig, SftpPlace } from './sftp-config.ts';
import { type RemoteStats, SftpFolder } from './sftp-folder.ts';
import { SftpSession } from './sftp-session.ts';
import { openStagedRemote } from './sftp-staged-file.ts';

interface SftpStorageOptions {
  readonly config: SftpConfig;
  readonly place: SftpPlace;
  readonly context: ConnectContext;
  readonly extensions: readonly string[];
}

/** Files of an SFTP server. A path that ends with `/` is a folder, and any other one file. */
class SftpStorage implements FileStorage {
  readonly isFolder: boolean;
  readonly #session: SftpSession;
  readonly #folder: SftpFolder;
  readonly #path: string;
  readonly #extensions: readonly string[];

  constructor(session: SftpSession, path: string, extensions: readonly string[]) {
    this.#session = session;
    this.#folder = new SftpFolder(session);
    this.#path = path;
    this.#extensions = extensions;
    this.isFolder = path.endsWith('/');
  }

  async list(): Promise<readonly string[]> {
    if (!this.isFolder) return [posix.basename(this.#path)];
    const entries = await this.#folder.entries(this.#path);
    if (entries === null) throw new ConnectorError('CONFIG', 'The server has no such folder');
    const isOne = (name: string) =>
      !name.startsWith('.') && this.#extensions.some((extension) => name.toLowerCase().endsWith(extension));
    const names = entries.filter(({ name, isFile }) => isFile && isOne(name)).map(({ name }) => name);
    return names.sort().slice(0, listedFilesMax);
  }

  async find(pattern: string | null, signal: AbortSignal): Promise<readonly FoundFile[]> {
    if (!this.isFolder) return this.#onlyFile(pattern);
    if (pattern === null)
      throw new ConnectorError(
        'CONFIG',
        'This connector is a folder: name its files in "files", such as "*.csv"',
      );
    const { folder: first, depthMax, matches } = namePattern(pattern);
    const found: FoundFile[] = [];
    const folders = [first];
    for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
      signal.throwIfAborted();
      const depth = inside.split('/').length - 1;
      for (const entry of (await this.#folder.entries(this.#path + inside)) ?? []) {
        const name = inside + entry.name;
        if (entry.isFile && matches(name)) found.push(foundFile(name, entry));
        const isInside = entry.isFolder && !entry.name.startsWith('.') && depth < depthMax;
        if (isInside) folders.push(`${name}/`);
        if (found.length > foundFilesMax || folders.length > foundFilesMax) throw tooManyFiles(pattern);
      }
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #onlyFile(pattern: string | null): Promise<readonly FoundFile[]> {
    const name = posix.basename(this.#path);
    if (pattern !== null)
      throw new ConnectorError('CONFIG', `This connector holds only the file "${name}": leave "files" out`);
    const stats = await this.#folder.stats(this.#path, name);
    return stats === null ? [] : [foundFile(name, stats)];
  }

  async open(given: string | undefined): Promise<OpenedFile> {
    const { path, name } = this.#placeOf(given);
    return this.#folder.open(path, name);
  }

  async stage(given: string, options: StageOptions): Promise<StagedFile> {
    const { path, name } = this.#placeOf(given);
    if (posix.basename(name).startsWith('.'))
      throw new ConnectorError('CONFIG', `The file name "${name}" must not begin with a dot`);
    return openStagedRemote({ folder: this.#folder, path, name }, options);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  #placeOf(given: string | undefined): { readonly path: string; readonly name: string } {
    if (!this.isFolder) {
      const name = posix.basename(this.#path);
      if (given === undefined || given === name) return { path: this.#path, name };
      throw new ConnectorError('CONFIG', `This connector holds only the file "${name}", not "${given}"`);
    }
    if (given === undefined || given === '')
      throw new ConnectorError('CONFIG', 'This connector is a folder: name one of its files in "file"');
    const isPlain = given.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
    if (!isPlain || given.includes('\0'))
      throw new ConnectorError('CONFIG', `"${given}" must name a file from the connector's folder on`);
    return { path: this.#path + given, name: given };
  }
}

function foundFile(name: string, { sizeBytes, modified }: RemoteStats): FoundFile {
  return { name, sizeBytes, modified: new Date(modified * 1_000).toISOString() };
}

export async function openSftpStorage({
  config,
  place,
  context,
  extensions,
}: SftpStorageOptions): Promise<FileStorage> {
  return new SftpStorage(new SftpSession(config, place, context), place.path, extensions);
}
