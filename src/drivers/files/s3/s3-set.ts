import { z } from 'zod';
import { AbsentResourceError, ConnectorError } from '../../driver.ts';
import type { RemotePlace } from '../storage/remote-place.ts';
import { type SetRecord, type SetStore, stagingOf } from '../storage/set-store.ts';
import { partBytes } from './object-upload.ts';
import type { S3Bucket } from './s3-bucket.ts';

const stagedOf = z.strictObject({ upload: z.string(), etags: z.array(z.string()) });
/** Uploads in one list: each new one writes its list again. */
const LISTED_MAX = 100;
const uploadsOf = z.array(z.strictObject({ name: z.string(), upload: z.string() }));

/**
 * Objects of a bucket. What is staged is an upload that is not completed; the uploads of an attempt stand in hidden objects,
 * `.headgate-<attempt>.set` and on, and the record is `.<key>.headgate`. Writes of the record are conditional, as there are no locks.
 */
export class S3SetStore implements SetStore {
  readonly #bucket: S3Bucket;
  readonly #place: RemotePlace;
  readonly #prefix: string;
  readonly #record: string;
  readonly #uploads: z.output<typeof uploadsOf> = [];

  constructor(bucket: S3Bucket, place: RemotePlace, folder: string, key: string) {
    this.#bucket = bucket;
    this.#place = place;
    this.#prefix = place.path + folder;
    this.#record = `${this.#prefix}.${key}.headgate`;
  }

  async readRecord(): Promise<SetRecord | null> {
    return this.#text(this.#record);
  }

  async writeRecord(text: string, before: SetRecord | null): Promise<void> {
    const options = { ifEtag: before?.version ?? null };
    await this.#bucket.put(this.#record, this.#record, Buffer.from(text), options);
  }

  async stage(attempt: string, name: string, contents: AsyncIterable<Uint8Array>): Promise<string> {
    const { path: key } = this.#place.targetAt(name);
    const upload = await this.#bucket.beginUpload(key, name, {});
    this.#uploads.push({ name, upload });
    const list = Math.floor((this.#uploads.length - 1) / LISTED_MAX);
    const listed = this.#uploads.slice(list * LISTED_MAX);
    await this.#bucket.put(this.#listKey(attempt, list), name, Buffer.from(JSON.stringify(listed)));
    const etags: string[] = [];
    let held: Uint8Array[] = [];
    let heldBytes = 0;
    const send = async () => {
      etags.push(await this.#bucket.putPart(key, name, upload, etags.length + 1, Buffer.concat(held)));
      held = [];
      heldBytes = 0;
    };
    for await (const bytes of contents) {
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes >= partBytes) await send();
    }
    if (heldBytes > 0) await send();
    return JSON.stringify({ upload, etags });
  }

  async publish(name: string, staged: string): Promise<void> {
    const { path: key } = this.#place.targetAt(name);
    const { upload, etags } = stagedOf.parse(JSON.parse(staged));
    try {
      await this.#bucket.completeUpload(key, name, upload, etags, {});
    } catch (error) {
      // It was completed before.
      if (error instanceof AbsentResourceError && (await this.#bucket.head(key, name)) !== null) return;
      if (!(error instanceof AbsentResourceError)) throw error;
      throw new ConnectorError('TARGET', `The bucket no longer has the uploaded parts of "${name}"`, {
        cause: error,
      });
    }
  }

  async remove(name: string): Promise<void> {
    await this.#bucket.remove(this.#place.targetAt(name).path, name);
  }

  async sweep(attempt: string): Promise<void> {
    const keys: string[] = [];
    for (;;) {
      const key = this.#listKey(attempt, keys.length);
      const list = await this.#text(key);
      if (list === null) break;
      for (const { name, upload } of uploadsOf.parse(JSON.parse(list.text)))
        await this.#bucket.abortUpload(this.#place.targetAt(name).path, name, upload);
      keys.push(key);
    }
    // Backwards: what a death leaves is found from the first one on.
    for (const key of keys.reverse()) await this.#bucket.remove(key, attempt);
  }

  exclusively<T>(_owner: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** `list`: from 0. */
  #listKey(attempt: string, list: number): string {
    return `${this.#prefix}${stagingOf(attempt)}${list === 0 ? '' : `-${list}`}`;
  }

  async #text(key: string): Promise<SetRecord | null> {
    const head = await this.#bucket.head(key, key);
    if (head === null) return null;
    const bytes = await this.#bucket.range(key, key, 0, head.sizeBytes, head.etag);
    return { text: bytes.toString('utf8'), version: head.etag };
  }
}
