import { AbsentResourceError, type ConnectContext } from '../../driver.ts';
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
import { openedObject } from './opened-object.ts';
import { S3Bucket } from './s3-bucket.ts';
import { createS3Client } from './s3-client.ts';
import type { S3Config, S3Place } from './s3-config.ts';
import { S3SetStore } from './s3-set.ts';
import { openStagedObject } from './s3-staged-object.ts';

interface S3StorageOptions {
  readonly config: S3Config;
  readonly place: S3Place;
  readonly context: ConnectContext;
  readonly extensions: readonly string[];
}

/** Objects of a bucket as files. A key that ends with `/` is a folder, and any other one file. */
class S3Storage implements FileStorage {
  readonly isFolder: boolean;
  readonly #bucket: S3Bucket;
  readonly #place: RemotePlace;
  readonly #extensions: readonly string[];

  constructor(bucket: S3Bucket, key: string, extensions: readonly string[]) {
    this.#bucket = bucket;
    this.#place = new RemotePlace(key);
    this.#extensions = extensions;
    this.isFolder = this.#place.isFolder;
  }

  async list(): Promise<readonly string[]> {
    const { path, onlyName } = this.#place;
    if (!this.isFolder) return [onlyName];
    const names: string[] = [];
    for await (const { key } of this.#bucket.list(path, true)) {
      const name = key.slice(path.length);
      if (isListed(name, this.#extensions)) names.push(name);
      if (names.length === listedFilesMax) break;
    }
    return names.sort();
  }

  async find(given: string | null, signal: AbortSignal): Promise<readonly FoundFile[]> {
    const pattern = this.#place.patternOf(given);
    if (pattern === null) return this.#onlyFile();
    const { path } = this.#place;
    const { folder, depthMax, matches } = namePattern(pattern);
    const isFlat = depthMax === folder.split('/').length - 1;
    const found: FoundFile[] = [];
    for await (const { key, sizeBytes, modified } of this.#bucket.list(path + folder, isFlat, signal)) {
      const name = key.slice(path.length);
      if (name.endsWith('/') || !matches(name)) continue;
      found.push({ name, sizeBytes, modified: modified.toISOString() });
      if (found.length > foundFilesMax) throw tooManyFiles(pattern);
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #onlyFile(): Promise<readonly FoundFile[]> {
    const { path, onlyName: name } = this.#place;
    const head = await this.#bucket.head(path, name);
    if (head === null) return [];
    return [{ name, sizeBytes: head.sizeBytes, modified: (head.modified ?? new Date(0)).toISOString() }];
  }

  async open(given: string | undefined): Promise<OpenedFile> {
    const { path: key, name } = this.#place.fileAt(given);
    const head = await this.#bucket.head(key, name);
    if (head !== null) return openedObject(this.#bucket, key, name, head);
    // A missing bucket answers the same to a request for one object.
    for await (const _ of this.#bucket.list(key, true)) break;
    throw new AbsentResourceError(`The file "${name}" does not exist in this connector's bucket`);
  }

  async stage(given: string, options: StageOptions): Promise<StagedFile> {
    const { path: key, name } = this.#place.targetAt(given);
    return openStagedObject({ ...options, bucket: this.#bucket, key, name });
  }

  async set(folder: string, key: string): Promise<SetStore> {
    return new S3SetStore(this.#bucket, this.#place, folder, key);
  }

  async close(): Promise<void> {
    this.#bucket.close();
  }
}

export async function openS3Storage({
  config,
  place,
  context,
  extensions,
}: S3StorageOptions): Promise<FileStorage> {
  const [client, sdk] = await Promise.all([createS3Client(config, context), import('@aws-sdk/client-s3')]);
  return new S3Storage(new S3Bucket(client, sdk, place.bucket), place.key, extensions);
}
