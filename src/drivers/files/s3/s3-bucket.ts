import type { S3Client } from '@aws-sdk/client-s3';
import { s3Fault } from './s3-fault.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

/** What is known of an object without its contents. */
export interface S3Head {
  readonly sizeBytes: number;
  /** Changes with the contents. */
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly modified: Date | null;
}

export interface S3Entry {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modified: Date;
}

export interface PutOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  /** The object must still be this one; null: there must be none. */
  readonly ifEtag?: string | null | undefined;
}

/** One bucket. `name` of a file is what messages say; every failure is a `ConnectorError`. */
export class S3Bucket {
  readonly #client: S3Client;
  readonly #sdk: Sdk;
  readonly #bucket: string;

  constructor(client: S3Client, sdk: Sdk, bucket: string) {
    this.#client = client;
    this.#sdk = sdk;
    this.#bucket = bucket;
  }

  /** Null where there is no such object. */
  async head(key: string, name: string): Promise<S3Head | null> {
    return this.#doing(`read "${name}"`, name, async () => {
      try {
        const found = await this.#client.send(new this.#sdk.HeadObjectCommand(this.#at(key)));
        return {
          sizeBytes: found.ContentLength ?? 0,
          etag: found.ETag ?? '',
          metadata: found.Metadata ?? {},
          modified: found.LastModified ?? null,
        };
      } catch (error) {
        if (error instanceof this.#sdk.S3ServiceException && error.$metadata.httpStatusCode === 404)
          return null;
        throw error;
      }
    });
  }

  /** Bytes of the object that has this ETag; `UNAVAILABLE` where it is another one by now. */
  async range(key: string, name: string, from: number, length: number, etag: string): Promise<Buffer> {
    return this.#doing(`read "${name}"`, name, async () => {
      const Range = `bytes=${from}-${from + length - 1}`;
      const command = new this.#sdk.GetObjectCommand({ ...this.#at(key), Range, IfMatch: etag });
      const { Body } = await this.#client.send(command);
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    });
  }

  /** Objects whose keys begin so, by key; with `isFlat` those of the folder alone. */
  async *list(
    prefix: string,
    isFlat: boolean,
    signal?: AbortSignal,
  ): AsyncGenerator<S3Entry, void, undefined> {
    let token: string | undefined;
    do {
      signal?.throwIfAborted();
      const page = await this.#doing('list the bucket', null, async () =>
        this.#client.send(
          new this.#sdk.ListObjectsV2Command({
            Bucket: this.#bucket,
            Prefix: prefix,
            ...(isFlat && { Delimiter: '/' }),
            ...(token !== undefined && { ContinuationToken: token }),
          }),
          signal === undefined ? {} : { abortSignal: signal },
        ),
      );
      for (const { Key, Size = 0, LastModified } of page.Contents ?? [])
        if (Key !== undefined) yield { key: Key, sizeBytes: Size, modified: LastModified ?? new Date(0) };
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async put(key: string, name: string, body: Buffer, options: PutOptions = {}): Promise<void> {
    await this.#doing(`write "${name}"`, name, () =>
      this.#client.send(
        new this.#sdk.PutObjectCommand({
          ...this.#at(key),
          Body: body,
          ContentLength: body.length,
          Metadata: options.metadata,
          ...conditions(options),
        }),
      ),
    );
  }

  /** Begins an upload in parts, of which nothing is seen before it is completed. Resolves to its id. */
  async beginUpload(key: string, name: string, metadata: Readonly<Record<string, string>>): Promise<string> {
    return this.#doing(`write "${name}"`, name, async () => {
      const command = new this.#sdk.CreateMultipartUploadCommand({ ...this.#at(key), Metadata: metadata });
      return (await this.#client.send(command)).UploadId ?? '';
    });
  }

  /** Resolves to the part's ETag. `number` counts from 1. */
  async putPart(key: string, name: string, upload: string, number: number, body: Buffer): Promise<string> {
    return this.#doing(`write "${name}"`, name, async () => {
      const command = new this.#sdk.UploadPartCommand({
        ...this.#at(key),
        UploadId: upload,
        PartNumber: number,
        Body: body,
      });
      return (await this.#client.send(command)).ETag ?? '';
    });
  }

  async completeUpload(
    key: string,
    name: string,
    upload: string,
    etags: readonly string[],
    options: Pick<PutOptions, 'ifEtag'>,
  ): Promise<void> {
    await this.#doing(`write "${name}"`, name, () =>
      this.#client.send(
        new this.#sdk.CompleteMultipartUploadCommand({
          ...this.#at(key),
          UploadId: upload,
          MultipartUpload: { Parts: etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 })) },
          ...conditions(options),
        }),
      ),
    );
  }

  /** Removes the parts of an upload; one that is not there is none. */
  async abortUpload(key: string, name: string, upload: string): Promise<void> {
    await this.#doing(`write "${name}"`, name, async () => {
      try {
        await this.#client.send(
          new this.#sdk.AbortMultipartUploadCommand({ ...this.#at(key), UploadId: upload }),
        );
      } catch (error) {
        if (!(error instanceof this.#sdk.S3ServiceException) || error.$metadata.httpStatusCode !== 404)
          throw error;
      }
    });
  }

  /** An object that is not there is none. */
  async remove(key: string, name: string): Promise<void> {
    await this.#doing(`write "${name}"`, name, () =>
      this.#client.send(new this.#sdk.DeleteObjectCommand(this.#at(key))),
    );
  }

  close(): void {
    this.#client.destroy();
  }

  #at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: key };
  }

  async #doing<T>(what: string, name: string | null, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw s3Fault(error, what, name);
    }
  }
}

function conditions({ ifEtag }: Pick<PutOptions, 'ifEtag'>): { IfMatch?: string; IfNoneMatch?: string } {
  if (ifEtag === undefined) return {};
  return ifEtag === null ? { IfNoneMatch: '*' } : { IfMatch: ifEtag };
}
