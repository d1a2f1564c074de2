import { posix } from 'node:path';
import { z } from 'zod';
import { ConnectorError } from '../../driver.ts';
import type { S3Bucket, S3Head } from './s3-bucket.ts';

/** Bytes of a part; 10,000 of them make an object. A load that has fewer in all is one request. */
export const partBytes = 8 * 1024 * 1024;
const PARTS_MAX = 10_000;
/** Parts on their way at the same time. */
const SENDING_MAX = 3;
/** An upload of another load that was begun so long ago belongs to a process that died. */
const STALE_MS = 24 * 60 * 60_000;
/** Loads that an object remembers. */
const REMEMBERED_MAX = 100;

const LOAD = 'headgate-load';
const ROWS = 'headgate-rows';

const recordOf = z.strictObject({
  /** Loads in parts, oldest first; the one that the object itself names is in it. */
  loads: z.array(z.strictObject({ load: z.string(), rows: z.int().min(0) })),
  /** The upload that was begun last. */
  open: z.strictObject({ load: z.string(), upload: z.string() }).nullable(),
});
type UploadRecord = z.output<typeof recordOf>;

export interface UploadPlace {
  readonly bucket: S3Bucket;
  readonly key: string;
  /** As the user wrote it. */
  readonly name: string;
}

/**
 * The new contents of an object. Small ones are one request, whose metadata names the load and its rows. Larger ones go in parts, of which
 * nothing is seen until they are completed; as their metadata is said first, their rows stand in a hidden record beside the object,
 * `.<name>.headgate`, which is written before: it holds exactly when the object names the load.
 */
export class ObjectUpload {
  /** Rows of an earlier attempt of the load that has committed; null for none. */
  readonly rowsBefore: number | null;
  readonly #place: UploadPlace;
  readonly #load: string;
  #record: UploadRecord;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #upload: string | null = null;
  readonly #etags: Promise<string>[] = [];
  #sending = new Set<Promise<unknown>>();
  #ended = false;

  private constructor(place: UploadPlace, load: string, record: UploadRecord, rowsBefore: number | null) {
    this.#place = place;
    this.#load = load;
    this.#record = record;
    this.rowsBefore = rowsBefore;
  }

  /** `before`: the object that is there. Removes what an earlier attempt of the load, or one that died long ago, has left. */
  static async begin(place: UploadPlace, load: string, before: S3Head | null): Promise<ObjectUpload> {
    const { record, writtenAt } = await readRecord(place);
    if (before?.metadata[LOAD] === load) {
      const rows = before.metadata[ROWS] ?? record.loads.findLast((one) => one.load === load)?.rows ?? 0;
      return new ObjectUpload(place, load, record, Number(rows));
    }
    const { open } = record;
    if (open !== null && (open.load === load || Date.now() - writtenAt > STALE_MS))
      await place.bucket.abortUpload(place.key, place.name, open.upload);
    return new ObjectUpload(place, load, record, null);
  }

  async write(bytes: Uint8Array): Promise<void> {
    // What the caller gives may be written over once this returns.
    for (let from = 0; from < bytes.length; ) {
      const taken = bytes.subarray(from, from + partBytes - this.#heldBytes);
      this.#held.push(Buffer.from(taken));
      this.#heldBytes += taken.length;
      from += taken.length;
      if (this.#heldBytes === partBytes) await this.#sendPart();
    }
  }

  /** Puts the contents in the object's place. `ifEtag`: see `PutOptions`. */
  async commit(rows: number, ifEtag: string | null | undefined): Promise<void> {
    const { bucket, key, name } = this.#place;
    if (this.#upload === null) {
      const metadata = { [LOAD]: this.#load, [ROWS]: String(rows) };
      await bucket.put(key, name, Buffer.concat(this.#held), { metadata, ifEtag });
    } else {
      if (this.#heldBytes > 0) await this.#sendPart();
      const etags = await Promise.all(this.#etags);
      const loads = [...this.#record.loads, { load: this.#load, rows }].slice(-REMEMBERED_MAX);
      await this.#writeRecord({ ...this.#record, loads });
      await bucket.completeUpload(key, name, this.#upload, etags, { ifEtag });
    }
    this.#ended = true;
  }

  async abort(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await Promise.allSettled(this.#sending);
    const { bucket, key, name } = this.#place;
    if (this.#upload !== null) await bucket.abortUpload(key, name, this.#upload).catch(() => undefined);
  }

  async #sendPart(): Promise<void> {
    const { bucket, key, name } = this.#place;
    this.#upload ??= await this.#beginUpload();
    if (this.#etags.length === PARTS_MAX)
      throw new ConnectorError(
        'TARGET',
        `The file "${name}" would be larger than 80 GB, the maximum of one load`,
      );
    while (this.#sending.size >= SENDING_MAX) await Promise.race(this.#sending);
    const part = bucket.putPart(key, name, this.#upload, this.#etags.length + 1, Buffer.concat(this.#held));
    this.#held = [];
    this.#heldBytes = 0;
    this.#etags.push(part);
    // A failure is met by the next wait, and at the end.
    const sent = part.then(() => undefined).finally(() => this.#sending.delete(sent));
    sent.catch(() => undefined);
    this.#sending.add(sent);
  }

  async #beginUpload(): Promise<string> {
    const { bucket, key, name } = this.#place;
    const upload = await bucket.beginUpload(key, name, { [LOAD]: this.#load });
    await this.#writeRecord({ ...this.#record, open: { load: this.#load, upload } });
    return upload;
  }

  async #writeRecord(record: UploadRecord): Promise<void> {
    const { bucket, key, name } = this.#place;
    this.#record = record;
    await bucket.put(recordKey(key), name, Buffer.from(JSON.stringify(record)));
  }
}

function recordKey(key: string): string {
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  return `${folder}.${posix.basename(key)}.headgate`;
}

/** A record that is missing or is none counts as empty. */
async function readRecord({
  bucket,
  key,
  name,
}: UploadPlace): Promise<{ readonly record: UploadRecord; readonly writtenAt: number }> {
  const empty = { record: { loads: [], open: null }, writtenAt: 0 };
  const head = await bucket.head(recordKey(key), name);
  if (head === null || head.sizeBytes === 0) return empty;
  const text = (await bucket.range(recordKey(key), name, 0, head.sizeBytes, head.etag)).toString('utf8');
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return empty;
  }
  const parsed = recordOf.safeParse(found);
  return parsed.success ? { record: parsed.data, writtenAt: head.modified?.getTime() ?? 0 } : empty;
}
