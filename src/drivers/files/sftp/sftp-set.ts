import { posix } from 'node:path';
import { randomHex } from '../../../base/ids.ts';
import { ConnectorError } from '../../driver.ts';
import type { RemotePlace } from '../storage/remote-place.ts';
import { requireStaged, type SetRecord, type SetStore, stagingOf } from '../storage/set-store.ts';
import type { SftpFolder } from './sftp-folder.ts';
import { withRemoteLock } from './sftp-lock.ts';

/** A commit of thousands of files takes minutes. */
const LOCK_STALE_SECONDS = 20 * 60;

/**
 * Files of a server. What is staged lies in a hidden folder beside the set, `.headgate-<attempt>.set`, and is renamed; the record is
 * `.<key>.headgate`.
 */
export class SftpSetStore implements SetStore {
  readonly #folder: SftpFolder;
  readonly #place: RemotePlace;
  /** Of the set, from the connector's folder on. */
  readonly #inside: string;
  readonly #path: string;
  readonly #record: string;
  #staged = 0;

  private constructor(folder: SftpFolder, place: RemotePlace, inside: string, key: string) {
    this.#folder = folder;
    this.#place = place;
    this.#inside = inside;
    this.#path = place.path + inside;
    this.#record = `${this.#path}.${key}.headgate`;
  }

  static async open(folder: SftpFolder, place: RemotePlace, inside: string, key: string): Promise<SetStore> {
    const store = new SftpSetStore(folder, place, inside, key);
    await store.#makeFolders(inside);
    return store;
  }

  async readRecord(): Promise<SetRecord | null> {
    const text = await this.#folder.text(this.#record, this.#inside);
    return text === null ? null : { text, version: text };
  }

  async writeRecord(text: string, before: SetRecord | null): Promise<void> {
    // Not at once with the writing, but an attempt that lost its lock is mostly met here.
    if ((await this.readRecord())?.version !== before?.version)
      throw new ConnectorError('UNAVAILABLE', `Another load has written into "${this.#inside || '.'}"`);
    const next = `${this.#record}-${randomHex(6)}`;
    const writer = await this.#folder.create(next, this.#inside, 'wx');
    await writer.write(text);
    await writer.end();
    await this.#folder.replace(next, this.#record, this.#inside);
  }

  async stage(attempt: string, name: string, contents: AsyncIterable<Uint8Array>): Promise<string> {
    const staging = stagingOf(attempt);
    await this.#folder.makeFolder(this.#path + staging, name);
    const staged = `${staging}/${this.#staged++}`;
    const writer = await this.#folder.create(this.#path + staged, name, 'wx');
    try {
      for await (const bytes of contents) await writer.write(bytes);
      await writer.end();
    } catch (error) {
      await writer.close().catch(() => undefined);
      throw error;
    }
    return staged;
  }

  async publish(name: string, staged: string): Promise<void> {
    requireStaged(name, staged);
    const { path } = this.#place.targetAt(name);
    await this.#makeFolders(name.slice(0, name.lastIndexOf('/') + 1));
    await this.#folder.replace(this.#path + staged, path, name);
  }

  async remove(name: string): Promise<void> {
    const { path } = this.#place.targetAt(name);
    await this.#folder.remove(path, name);
    const last = this.#path.replace(/\/$/, '');
    for (let folder = posix.dirname(path); folder.length > last.length; folder = posix.dirname(folder))
      if (!(await this.#folder.removeFolder(folder, name))) return;
  }

  async sweep(attempt: string): Promise<void> {
    const staging = this.#path + stagingOf(attempt);
    for (const { name } of (await this.#folder.entries(staging)) ?? [])
      await this.#folder.remove(`${staging}/${name}`, this.#inside);
    await this.#folder.removeFolder(staging, this.#inside);
  }

  exclusively<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const lock = {
      owner,
      folder: this.#folder,
      path: `${this.#record}-lock`,
      name: this.#inside || '.',
      staleSeconds: LOCK_STALE_SECONDS,
    };
    return withRemoteLock(lock, work);
  }

  async #makeFolders(inside: string): Promise<void> {
    let path = this.#place.path;
    for (const name of inside.split('/').filter((part) => part !== '')) {
      path += `${name}/`;
      await this.#folder.makeFolder(path.slice(0, -1), inside);
    }
  }
}
