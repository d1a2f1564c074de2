import type { FileHandle } from 'node:fs/promises';
import type { OpenedFile } from '../storage/file-storage.ts';
import type { S3Bucket, S3Head } from './s3-bucket.ts';

/** Bytes of the first request, and of the largest: a reader that goes on asks for more at once. */
const BLOCK_BYTES = { min: 256 * 1024, max: 8 * 1024 * 1024 };

interface Block {
  readonly from: number;
  readonly length: number;
  readonly bytes: Promise<Buffer>;
}

/**
 * An object as a file: requests for ranges, each for the contents that were there when it was opened. While a reader works on one block
 * of consecutive ones, the next is on its way.
 */
export class S3Reader {
  readonly #bucket: S3Bucket;
  readonly #key: string;
  readonly #name: string;
  readonly #head: S3Head;
  #block: Block | null = null;
  #ahead: Block | null = null;
  /** Where the next read begins, if it goes on from the last one. */
  #next = 0;
  #size = BLOCK_BYTES.min;

  constructor(bucket: S3Bucket, key: string, name: string, head: S3Head) {
    this.#bucket = bucket;
    this.#key = key;
    this.#name = name;
    this.#head = head;
  }

  async read(
    target: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    const end = Math.min(position + length, this.#head.sizeBytes);
    if (end <= position) return { bytesRead: 0 };
    const goesOn = position === this.#next;
    this.#next = end;
    let at = position;
    while (at < end) {
      const block = this.#blockAt(at, end - at, goesOn);
      const bytes = await block.bytes;
      const from = at - block.from;
      const taken = bytes.subarray(from, from + end - at);
      // A storage that answers with less than the range that was asked for ends the file early.
      if (taken.length === 0) break;
      target.set(taken, offset + at - position);
      at += taken.length;
    }
    return { bytesRead: at - position };
  }

  #blockAt(at: number, wanted: number, goesOn: boolean): Block {
    if (this.#block !== null && holds(this.#block, at)) return this.#block;
    if (this.#ahead !== null && holds(this.#ahead, at)) {
      this.#block = this.#ahead;
      this.#ahead = null;
    } else {
      if (!goesOn) this.#size = BLOCK_BYTES.min;
      this.#block = this.#fetch(at, Math.max(wanted, this.#size));
    }
    const { from, length } = this.#block;
    if (goesOn && from > 0) {
      this.#size = Math.min(BLOCK_BYTES.max, this.#size * 2);
      if (from + length < this.#head.sizeBytes) this.#ahead = this.#fetch(from + length, this.#size);
    }
    return this.#block;
  }

  #fetch(from: number, wanted: number): Block {
    const length = Math.min(wanted, this.#head.sizeBytes - from);
    const bytes = this.#bucket.range(this.#key, this.#name, from, length, this.#head.etag);
    // Its failure is for who waits for it, which may be nobody.
    bytes.catch(() => undefined);
    return { from, length, bytes };
  }
}

function holds({ from, length }: Block, at: number): boolean {
  return at >= from && at < from + length;
}

export function openedObject(bucket: S3Bucket, key: string, name: string, head: S3Head): OpenedFile {
  const reader = new S3Reader(bucket, key, name, head);
  const read = async (target: Uint8Array, offset: number, length: number, position: number) => ({
    ...(await reader.read(target, offset, length, position)),
    buffer: target,
  });
  return {
    name,
    path: null,
    handle: { read: read as unknown as FileHandle['read'], close: async () => undefined },
    sizeBytes: head.sizeBytes,
    version: `${head.etag}:${head.sizeBytes}`,
  };
}
