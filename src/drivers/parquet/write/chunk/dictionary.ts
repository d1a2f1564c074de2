import type { ColumnBuffer } from './column-buffer.ts';

/** A column chunk whose values repeat: each of them once, and which of them each row has. */
export interface Dictionary {
  /** For each value of the chunk, which one of the dictionary it is. */
  readonly indexes: Int32Array;
  /** Of each value of the dictionary, the place among the values of the chunk where it comes first. */
  readonly firsts: Int32Array;
}

/** Most values of a dictionary. */
const VALUES_MAX = 16_384;
const SLOTS = VALUES_MAX * 4;
/** The slots are a power of two. */
const MASK = SLOTS - 1;
const EMPTY = -1;
/** Bytes of a long value that tell where it is looked for: those at its beginning and as many at its end. */
const HASHED_BYTES = 32;

/** Finds the values that repeat. One is used for many chunks. */
export class DictionaryFinder {
  readonly #slots = new Int32Array(SLOTS);
  readonly #firsts = new Int32Array(VALUES_MAX);

  /** Of values of so many words of four bytes. null where most values come once. */
  ofWords({ ints }: ColumnBuffer, count: number, words: number): Dictionary | null {
    const [slots, firsts] = [this.#slots.fill(EMPTY), this.#firsts];
    const most = Math.min(VALUES_MAX, count >> 1);
    const indexes = new Int32Array(count);
    let size = 0;
    for (let i = 0; i < count; i++) {
      const at = i * words;
      let hash = 0;
      for (let word = 0; word < words; word++) hash = mixed(hash ^ (ints[at + word] as number));
      let slot = hash & MASK;
      let found = slots[slot] as number;
      while (found !== EMPTY && !sameWords(ints, at, (firsts[found] as number) * words, words)) {
        slot = (slot + 1) & MASK;
        found = slots[slot] as number;
      }
      if (found === EMPTY) {
        if (size >= most) return null;
        found = size++;
        slots[slot] = found;
        firsts[found] = i;
      }
      indexes[i] = found;
    }
    return { indexes, firsts: firsts.slice(0, size) };
  }

  /** Of values with their length before them; `places` has where each begins. */
  ofBytes({ bytes }: ColumnBuffer, places: Int32Array): Dictionary | null {
    const [slots, firsts] = [this.#slots.fill(EMPTY), this.#firsts];
    const count = places.length;
    const most = Math.min(VALUES_MAX, count >> 1);
    const indexes = new Int32Array(count);
    let size = 0;
    for (let i = 0; i < count; i++) {
      const at = places[i] as number;
      let slot = hashOf(bytes, at) & MASK;
      let found = slots[slot] as number;
      while (found !== EMPTY && !sameBytes(bytes, at, places[firsts[found] as number] as number)) {
        slot = (slot + 1) & MASK;
        found = slots[slot] as number;
      }
      if (found === EMPTY) {
        if (size >= most) return null;
        found = size++;
        slots[slot] = found;
        firsts[found] = i;
      }
      indexes[i] = found;
    }
    return { indexes, firsts: firsts.slice(0, size) };
  }
}

function mixed(value: number): number {
  const some = Math.imul(value, 0x9e3779b1);
  return some ^ (some >>> 15);
}

function sameWords(ints: Int32Array, a: number, b: number, words: number): boolean {
  for (let word = 0; word < words; word++) if (ints[a + word] !== ints[b + word]) return false;
  return true;
}

/** The length of the value at a place. */
export function lengthAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, at: number): number {
  const end = at + 4 + lengthAt(bytes, at);
  let hash = 0x811c9dc5 ^ (end - at);
  const isLong = end - at > 2 * HASHED_BYTES;
  const firstEnd = isLong ? at + HASHED_BYTES : end;
  for (let i = at + 4; i < firstEnd; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  if (isLong)
    for (let i = end - HASHED_BYTES; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

function sameBytes(bytes: Buffer, a: number, b: number): boolean {
  const length = lengthAt(bytes, a) + 4;
  if (length > 2 * HASHED_BYTES) return bytes.compare(bytes, a, a + length, b, b + length) === 0;
  for (let i = 0; i < length; i++) if (bytes[a + i] !== bytes[b + i]) return false;
  return true;
}
