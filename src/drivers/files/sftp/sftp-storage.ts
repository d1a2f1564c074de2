import { type ConnectContext, ConnectorError } from '../../driver.ts';
import { namePattern, tooManyFiles } from '../name-pattern.ts';
import {
  type FileStorage,
  foundFilesMax,
  listedFilesMax,
  type OpenedFile,
  type StagedFile,
  type StageOptions,
} from '../storage/file-storage.ts';
import type { FoundFile } from '../storage/found-file.ts';
import { isListed } from '../storage/named-file.ts';
import { RemotePlace } from '../storage/remote-place.ts';
import type { SetStore } from '../storage/set-store.ts';
import type { SftpConfig, SftpPlace } from './sftp-config.ts';
import { NO_FOLDER } from './sftp-fault.ts';
import { type RemoteStats, SftpFolder } from './sftp-folder.ts';
import { SftpSession } from './sftp-session.ts';
import { SftpSetStore } from './sftp-set.ts';
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
  readonly #place: RemotePlace;
  readonly #extensions: readonly string[];

  constructor(session: SftpSession, path: string, extensions: readonly string[]) {
    this.#session = session;
    this.#folder = new SftpFolder(session);
    this.#place = new RemotePlace(path);
    this.#extensions = extensions;
    this.isFolder = this.#place.isFolder;
  }

  async list(): Promise<readonly string[]> {
    if (!this.isFolder) return [this.#place.onlyName];
    const entries = await this.#folder.entries(this.#place.path);
    if (entries === null) throw new ConnectorError('CONFIG', NO_FOLDER);
    const files = entries.filter(({ name, isFile }) => isFile && isListed(name, this.#extensions));
    return files
      .map(({ name }) => name)
      .sort()
      .slice(0, listedFilesMax);
  }

  async find(given: string | null, signal: AbortSignal): Promise<readonly FoundFile[]> {
    const pattern = this.#place.patternOf(given);
    if (pattern === null) return this.#onlyFile();
    const { folder: first, depthMax, matches } = namePattern(pattern);
    const found: FoundFile[] = [];
    const folders = [first];
    for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
      signal.throwIfAborted();
      const depth = inside.split('/').length - 1;
      for (const entry of (await this.#folder.entries(this.#place.path + inside)) ?? []) {
        const name = inside + entry.name;
        if (entry.isFile && matches(name)) found.push(foundFile(name, entry));
        const isInside = entry.isFolder && !entry.name.startsWith('.') && depth < depthMax;
        if (isInside) folders.push(`${name}/`);
        if (found.length > foundFilesMax || folders.length > foundFilesMax) throw tooManyFiles(pattern);
      }
    }
    if (found.length === 0) await this.#requireFolder();
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A folder that is not there would read as one without files. */
  async #requireFolder(): Promise<void> {
    if ((await this.#folder.entries(this.#place.path)) === null)
      throw new ConnectorError('CONFIG', NO_FOLDER);
  }

  async #onlyFile(): Promise<readonly FoundFile[]> {
    const { path, onlyName } = this.#place;
    const stats = await this.#folder.stats(path, onlyName);
    return stats === null ? [] : [foundFile(onlyName, stats)];
  }

  async open(given: string | undefined): Promise<OpenedFile> {
    const { path, name } = this.#place.fileAt(given);
    return this.#folder.open(path, name);
  }

  async stage(given: string, options: StageOptions): Promise<StagedFile> {
    return openStagedRemote({ folder: this.#folder, ...this.#place.targetAt(given) }, options);
  }

  set(folder: string, key: string): Promise<SetStore> {
    return SftpSetStore.open(this.#folder, this.#place, folder, key);
  }

  close(): Promise<void> {
    return this.#session.close();
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
