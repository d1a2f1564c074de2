import { hash } from 'node:crypto';

const SLOTS_FIRST = 1_024;
const EMPTY = 0n;

/**
 * Requests of a list that were made, for lists of millions of pages with cursors of any length: 16 to 32 bytes for each, as the first 64
 * bits of its SHA-256. Two of ten million are taken for the same once in 300,000 such lists.
 */
export class SeenPages {
  #slots = new BigUint64Array(SLOTS_FIRST);
  #size = 0;

  /** False for a request that was added before. */
  add(request: string): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const mark = hash('sha256', request, 'buffer').readBigUInt64LE() || 1n;
    if (!place(this.#slots, mark)) return false;
    this.#size += 1;
    return true;
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#slots.length * 2);
    for (const mark of this.#slots) if (mark !== EMPTY) place(larger, mark);
    this.#slots = larger;
  }
}

/** In the first empty slot from its own on; false where it is there. */
function place(slots: BigUint64Array, mark: bigint): boolean {
  const last = slots.length - 1;
  let at = Number(mark & BigInt(last));
  for (; slots[at] !== EMPTY; at = (at + 1) & last) if (slots[at] === mark) return false;
  slots[at] = mark;
  return true;
}
