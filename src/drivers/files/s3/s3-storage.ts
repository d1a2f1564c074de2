import { posix } from 'node:path';
import { AbsentResourceError, type ConnectContext, ConnectorError } from '../../driver.ts';
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
import { openedObject } from './opened-object.ts';
import { S3Bucket } from './s3-bucket.ts';
import { createS3Client } from './s3-client.ts';
import type { S3Config, S3Place } from './s3-config.ts';
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
  readonly #key: string;
  readonly #extensions: readonly string[];

  constructor(bucket: S3Bucket, key: string, extensions: readonly string[]) {
    this.#bucket = bucket;
    this.#key = key;
    this.#extensions = extensions;
    this.isFolder = key === '' || key.endsWith('/');
  }

  async list(): Promise<readonly string[]> {
    if (!this.isFolder) return [posix.basename(this.#key)];
    const names: string[] = [];
    for await (const { key } of this.#bucket.list(this.#key, true)) {
      const name = key.slice(this.#key.length);
      const isOne = this.#extensions.some((extension) => name.toLowerCase().endsWith(extension));
      if (isOne && !name.startsWith('.')) names.push(name);
      if (names.length === listedFilesMax) break;
    }
    return names.sort();
  }

  async find(pattern: string | null, signal: AbortSignal): Promise<readonly FoundFile[]> {
    if (!this.isFolder) return this.#onlyFile(pattern);
    if (pattern === null)
      throw new ConnectorError(
        'CONFIG',
        'This connector is a folder: name its files in "files", such as "*.csv"',
      );
    const { folder, depthMax, matches } = namePattern(pattern);
    const isFlat = depthMax === folder.split('/').length - 1;
    const found: FoundFile[] = [];
    for await (const { key, sizeBytes, modified } of this.#bucket.list(this.#key + folder, isFlat, signal)) {
      const name = key.slice(this.#key.length);
      if (name.endsWith('/') || !matches(name)) continue;
      found.push({ name, sizeBytes, modified: modified.toISOString() });
      if (found.length > foundFilesMax) throw tooManyFiles(pattern);
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #onlyFile(pattern: string | null): Promise<readonly FoundFile[]> {
    const name = posix.basename(this.#key);
    if (pattern !== null)
      throw new ConnectorError('CONFIG', `This connector holds only the file "${name}": leave "files" out`);
    const head = await this.#bucket.head(this.#key, name);
    if (head === null) return [];
    return [{ name, sizeBytes: head.sizeBytes, modified: (head.modified ?? new Date(0)).toISOString() }];
  }

  async open(given: string | undefined): Promise<OpenedFile> {
    const { key, name } = this.#placeOf(given);
    const head = await this.#bucket.head(key, name);
    if (head !== null) return openedObject(this.#bucket, key, name, head);
    // A missing bucket answers the same to a request for one object.
    for await (const _ of this.#bucket.list(key, true)) break;
    throw new AbsentResourceError(`The file "${name}" does not exist in this connector's bucket`);
  }

  async stage(given: string, options: StageOptions): Promise<StagedFile> {
    const { key, name } = this.#placeOf(given);
    if (posix.basename(name).startsWith('.'))
      throw new ConnectorError('CONFIG', `The file name "${name}" must not begin with a dot`);
    return openStagedObject({ ...options, bucket: this.#bucket, key, name });
  }

  async close(): Promise<void> {
    this.#bucket.close();
  }

  #placeOf(given: string | undefined): { readonly key: string; readonly name: string } {
    if (!this.isFolder) {
      const name = posix.basename(this.#key);
      if (given === undefined || given === name) return { key: this.#key, name };
      throw new ConnectorError('CONFIG', `This connector holds only the file "${name}", not "${given}"`);
    }
    if (given === undefined || given === '')
      throw new ConnectorError('CONFIG', 'This connector is a folder: name one of its files in "file"');
    const isPlain = given.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
    if (!isPlain || given.includes('\0'))
      throw new ConnectorError('CONFIG', `"${given}" must name a file from the connector's folder on`);
    return { key: this.#key + given, name: given };
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
