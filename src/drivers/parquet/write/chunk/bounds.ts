import type { ColumnBuffer } from './column-buffer.ts';
import { lengthAt } from './dictionary.ts';

/** How the stored values of a column are ordered. */
export type ValueOrder = 'boolean' | 'days' | 'long' | 'unsigned' | 'double' | 'signed-bytes' | 'bytes';

type Stored = boolean | number | bigint | Uint8Array;

/** The least and the greatest value of a chunk, for its statistics; none where there is no value that has an order. */
export interface Bounds {
  readonly min_value?: Stored;
  readonly max_value?: Stored;
}

/** Bytes of a decimal that is stored as bytes. */
const DECIMAL_BYTES = 16;

/** `firsts`: where each of the values that differ comes first; null for all of `count`. */
export function boundsOf(
  buffer: ColumnBuffer,
  order: ValueOrder,
  { count, firsts, places }: { count: number; firsts: Int32Array | null; places: Int32Array | null },
): Bounds {
  const size = firsts === null ? count : firsts.length;
  if (size === 0) return {};
  const placeOf = (i: number) => (firsts === null ? i : (firsts[i] as number));
  switch (order) {
    case 'double':
      return doubleBounds(buffer.doubles, size, placeOf);
    case 'boolean':
      return bounds(
        size,
        placeOf,
        (a, b) => (buffer.bytes[a] as number) - (buffer.bytes[b] as number),
        (at) => buffer.bytes[at] === 1,
      );
    case 'days':
      return bounds(
        size,
        placeOf,
        (a, b) => (buffer.ints[a] as number) - (buffer.ints[b] as number),
        (at) => buffer.ints[at] as number,
      );
    case 'long':
      return longBounds(buffer, size, placeOf);
    case 'unsigned':
      return unsignedBounds(buffer.longs, size, placeOf);
    case 'signed-bytes':
      return bounds(
        size,
        placeOf,
        (a, b) => compareDecimals(buffer.bytes, a, b),
        (at) => decimalAt(buffer.bytes, at),
      );
    case 'bytes':
      return byteBounds(buffer.bytes, places ?? new Int32Array(0), size, placeOf);
    default:
      return order satisfies never;
  }
}

type PlaceOf = (i: number) => number;

function bounds(
  size: number,
  placeOf: PlaceOf,
  compare: (a: number, b: number) => number,
  valueAt: (place: number) => Stored,
): Bounds {
  let [least, most] = [placeOf(0), placeOf(0)];
  for (let i = 1; i < size; i++) {
    const at = placeOf(i);
    if (compare(at, least) < 0) least = at;
    else if (compare(at, most) > 0) most = at;
  }
  return { min_value: valueAt(least), max_value: valueAt(most) };
}

/** NaN has no place in the order, and of the zeros either may be meant by both. */
function doubleBounds(doubles: Float64Array, size: number, placeOf: PlaceOf): Bounds {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < size; i++) {
    const value = doubles[placeOf(i)] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least > most) return {};
  return { min_value: least === 0 ? -0 : least, max_value: most === 0 ? 0 : most };
}

/** By their halves: numbers of 64 bits are slow. */
function longBounds({ ints, longs }: ColumnBuffer, size: number, placeOf: PlaceOf): Bounds {
  let [least, most] = [placeOf(0), placeOf(0)];
  const isLess = (a: number, b: number): boolean => {
    const [high, other] = [ints[a * 2 + 1] as number, ints[b * 2 + 1] as number];
    return high === other ? (ints[a * 2] as number) >>> 0 < (ints[b * 2] as number) >>> 0 : high < other;
  };
  for (let i = 1; i < size; i++) {
    const at = placeOf(i);
    if (isLess(at, least)) least = at;
    else if (isLess(most, at)) most = at;
  }
  return { min_value: longs[least] as bigint, max_value: longs[most] as bigint };
}

function unsignedBounds(longs: BigInt64Array, size: number, placeOf: PlaceOf): Bounds {
  const valueAt = (at: number) => BigInt.asUintN(64, longs[at] as bigint);
  return bounds(
    size,
    placeOf,
    (a, b) => (valueAt(a) < valueAt(b) ? -1 : Number(valueAt(a) > valueAt(b))),
    valueAt,
  );
}

/** Byte by byte, which for UTF-8 is the order of code points. */
function byteBounds(bytes: Buffer, places: Int32Array, size: number, placeOf: PlaceOf): Bounds {
  const startOf = (i: number) => places[placeOf(i)] as number;
  let [least, most] = [startOf(0), startOf(0)];
  for (let i = 1; i < size; i++) {
    const at = startOf(i);
    if (compareBytes(bytes, at, least) < 0) least = at;
    else if (compareBytes(bytes, at, most) > 0) most = at;
  }
  return { min_value: valueAt(bytes, least), max_value: valueAt(bytes, most) };
}

function valueAt(bytes: Buffer, at: number): Uint8Array {
  return new Uint8Array(bytes.subarray(at + 4, at + 4 + lengthAt(bytes, at)));
}

function compareBytes(bytes: Buffer, a: number, b: number): number {
  const [length, other] = [lengthAt(bytes, a), lengthAt(bytes, b)];
  const shorter = Math.min(length, other);
  for (let i = 4; i < shorter + 4; i++) {
    const difference = (bytes[a + i] as number) - (bytes[b + i] as number);
    if (difference !== 0) return difference;
  }
  return length - other;
}

function compareDecimals(bytes: Buffer, a: number, b: number): number {
  const [left, right] = [a * DECIMAL_BYTES, b * DECIMAL_BYTES];
  const sign = bytes.readInt8(left) - bytes.readInt8(right);
  return sign !== 0 ? sign : bytes.compare(bytes, right, right + DECIMAL_BYTES, left, left + DECIMAL_BYTES);
}

function decimalAt(bytes: Buffer, at: number): bigint {
  const from = at * DECIMAL_BYTES;
  return (bytes.readBigInt64BE(from) << 64n) | bytes.readBigUInt64BE(from + 8);
}
