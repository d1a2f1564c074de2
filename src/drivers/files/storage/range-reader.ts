import type { FileHandle } from 'node:fs/promises';

/** Bytes of the first request, and of the largest: a reader that goes on asks for more at once. */
const BLOCK_BYTES = { min: 256 * 1024, max: 8 * 1024 * 1024 };

interface Block {
  readonly from: number;
  readonly length: number;
  readonly bytes: Promise<Buffer>;
}

/** Bytes `from` to `from + length` of one version of a file; rejects where it is another one by now. */
type FetchRange = (from: number, length: number) => Promise<Buffer>;

/** A file that is read by requests for ranges. While a reader works on one block of consecutive ones, the next is on its way. */
class RangeReader {
  readonly #sizeBytes: number;
  readonly #range: FetchRange;
  #block: Block | null = null;
  #ahead: Block | null = null;
  /** Where the next read begins, if it goes on from the last one. */
  #next = 0;
  #size = BLOCK_BYTES.min;

  constructor(sizeBytes: number, range: FetchRange) {
    this.#sizeBytes = sizeBytes;
    this.#range = range;
  }

  async read(
    target: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    const end = Math.min(position + length, this.#sizeBytes);
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
      if (from + length < this.#sizeBytes) this.#ahead = this.#fetch(from + length, this.#size);
    }
    return this.#block;
  }

  #fetch(from: number, wanted: number): Block {
    const length = Math.min(wanted, this.#sizeBytes - from);
    const bytes = this.#range(from, length);
    // Its failure is for who waits for it, which may be nobody.
    bytes.catch(() => undefined);
    return { from, length, bytes };
  }
}

function holds({ from, length }: Block, at: number): boolean {
  return at >= from && at < from + length;
}

/** The `read` of a file of this size. */
export function rangeReads(sizeBytes: number, range: FetchRange): FileHandle['read'] {
  const reader = new RangeReader(sizeBytes, range);
  const read = async (target: Uint8Array, offset: number, length: number, position: number) => ({
    ...(await reader.read(target, offset, length, position)),
    buffer: target,
  });
  return read as unknown as FileHandle['read'];
}
