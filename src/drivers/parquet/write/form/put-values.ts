import type { ColumnBuffer } from '../chunk/column-buffer.ts';

/** Puts values into a buffer, row after row; null and undefined are none. Throws `DATA` at the first that the column cannot hold. */
export type PutValues = (to: ColumnBuffer, values: readonly unknown[]) => void;

const HIGH = 4_294_967_296;

/** Values of four or eight bytes each. */
export function putFixed(width: 4 | 8 | 16, put: (to: ColumnBuffer, value: unknown) => void): PutValues {
  return (to, values) => {
    to.reserve(values.length * width);
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === null || value === undefined) to.skip(to.rows + i);
      else {
        put(to, value);
        to.used += width;
      }
    }
    to.rows += values.length;
  };
}

/** A whole number of at most 53 bits as one of 64, without one of those, which are slow. */
export function putLong({ ints, used }: ColumnBuffer, value: number): void {
  const at = used >> 2;
  ints[at] = value;
  ints[at + 1] = Math.floor(value / HIGH);
}

export function putNumbers(numberOf: (value: unknown) => number): PutValues {
  return (to, values) => {
    to.reserve(values.length * 8);
    const { doubles, rows } = to;
    let at = to.used >> 3;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (typeof value === 'number') doubles[at++] = value;
      else if (value === null || value === undefined) to.skip(rows + i);
      else doubles[at++] = numberOf(value);
    }
    to.used = at << 3;
    to.rows += values.length;
  };
}

/** `least`: of those that are put in as they are; `longOf` says what becomes of others. */
export function putIntegers(longOf: (value: unknown) => bigint, least: number): PutValues {
  return (to, values) => {
    to.reserve(values.length * 8);
    const { ints, longs, rows } = to;
    let at = to.used >> 2;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === null || value === undefined) {
        to.skip(rows + i);
        continue;
      }
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) {
        ints[at] = value;
        ints[at + 1] = (value | 0) === value ? value >> 31 : Math.floor(value / HIGH);
      } else longs[at >> 1] = longOf(value);
      at += 2;
    }
    to.used = at << 2;
    to.rows += values.length;
  };
}

/** Up to this length texts are copied here, where a call of the runtime for each would take longer. */
const SHORT_CHARS = 40;
/** The longest that a UTF-16 unit becomes in UTF-8. */
const CHAR_BYTES = 3;

/** `textOf`: of what is no text, or has half of a surrogate pair, which has no form in UTF-8. */
export function putTexts(textOf: (value: unknown) => string): PutValues {
  return (to, values) => {
    const { rows } = to;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === null || value === undefined) to.skip(rows + i);
      else putText(to, typeof value === 'string' ? value : textOf(value), textOf);
    }
    to.rows += values.length;
  };
}

function putText(to: ColumnBuffer, text: string, refuse: (text: string) => unknown): void {
  const { length } = text;
  to.reserve(4 + length * CHAR_BYTES);
  const { bytes } = to;
  const from = to.used + 4;
  let end = from;
  if (length < SHORT_CHARS) {
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) break;
      bytes[end++] = code;
    }
  }
  if (end - from < length) {
    end = from + bytes.write(text, from);
    if (end - from > length && !text.isWellFormed()) refuse(text);
  }
  putLength(to, end - from);
}

export function putBytes(bytesOf: (value: unknown) => Uint8Array): PutValues {
  return (to, values) => {
    const { rows } = to;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === null || value === undefined) to.skip(rows + i);
      else {
        const bytes = bytesOf(value);
        to.reserve(4 + bytes.length);
        to.bytes.set(bytes, to.used + 4);
        putLength(to, bytes.length);
      }
    }
    to.rows += values.length;
  };
}

function putLength(to: ColumnBuffer, length: number): void {
  const { bytes, used } = to;
  bytes[used] = length;
  bytes[used + 1] = length >>> 8;
  bytes[used + 2] = length >>> 16;
  bytes[used + 3] = length >>> 24;
  to.used = used + 4 + length;
}

export function putBooleans(booleanOf: (value: unknown) => boolean): PutValues {
  return (to, values) => {
    to.reserve(values.length);
    const { bytes, rows } = to;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === null || value === undefined) to.skip(rows + i);
      else bytes[to.used++] = booleanOf(value) ? 1 : 0;
    }
    to.rows += values.length;
  };
}
