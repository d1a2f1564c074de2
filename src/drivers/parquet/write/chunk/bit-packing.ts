/** Bits of the numbers from 0 to `most`; one at least, since not every reader knows of none. */
export function bitsFor(most: number): number {
  return Math.max(1, 32 - Math.clz32(most));
}

/** Values of which the next ones are equal, from which on they are written as a run. */
const RUN_MIN = 16;

/**
 * Small numbers in the hybrid of runs and packed bits; gives where it ends. `bytes` must have room for `packedBytesMax`. Source:
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
 */
export function putPacked(
  bytes: Uint8Array,
  from: number,
  { values, bits }: { readonly values: ArrayLike<number>; readonly bits: number },
): number {
  const { length } = values;
  let at = from;
  let packedFrom = 0;
  let i = 0;
  while (i < length) {
    const value = values[i] as number;
    let end = i + 1;
    while (end < length && values[end] === value) end++;
    if (end - i < RUN_MIN && !(i === packedFrom && end === length)) {
      // Groups of eight stay whole.
      i = Math.min(length, packedFrom + (((end - packedFrom + 7) >> 3) << 3));
      continue;
    }
    if (i > packedFrom) at = putGroups(bytes, at, { values, from: packedFrom, to: i, bits });
    at = putVarint(bytes, at, (end - i) * 2);
    for (let shift = 0; shift < bits; shift += 8) bytes[at++] = value >>> shift;
    i = end;
    packedFrom = end;
  }
  return packedFrom < length ? putGroups(bytes, at, { values, from: packedFrom, to: length, bits }) : at;
}

/** Room for any numbers of so many bits. */
export function packedBytesMax(count: number, bits: number): number {
  return 64 + Math.ceil(((count + 7) * bits) / 8) + (Math.ceil(count / RUN_MIN) + 1) * 12;
}

interface Groups {
  readonly values: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
  readonly bits: number;
}

/** Groups of eight values; those that the last one lacks are 0. */
function putGroups(bytes: Uint8Array, start: number, { values, from, to, bits }: Groups): number {
  const groups = (to - from + 7) >> 3;
  let at = putVarint(bytes, start, groups * 2 + 1);
  let held = 0;
  let heldBits = 0;
  for (let i = from; i < from + groups * 8; i++) {
    held |= (i < to ? (values[i] as number) : 0) << heldBits;
    heldBits += bits;
    while (heldBits >= 8) {
      bytes[at++] = held;
      held >>>= 8;
      heldBits -= 8;
    }
  }
  return at;
}

export function putVarint(bytes: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  while (rest > 127) {
    bytes[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  return at;
}
