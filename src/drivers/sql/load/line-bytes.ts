const BACKSLASH = 92;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

const SPECIAL = /[\\\n\r\t]/;
const SPECIALS = /[\\\n\r\t]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const LETTERS: Readonly<Record<number, number>> = {
  [BACKSLASH]: BACKSLASH,
  [LINE_FEED]: 0x6e,
  [CARRIAGE_RETURN]: 0x72,
  [TAB]: 0x74,
};

/** Texts up to this length are copied here, where a call of the runtime for each would take longer. */
const SHORT_CHARS = 256;
/** The longest that a character becomes: three bytes, or two of an escape. */
const CHAR_BYTES = 3;
/** The longest text of a number, such as `-1.2345678901234567e-300`. */
const NUMBER_BYTES = 32;
/** Whole numbers below it have at most ten digits; so have hundredths of the numbers below `HUNDREDTHS_BELOW`. */
const WHOLE_BELOW = 2_147_483_647;
const HUNDREDTHS_BELOW = 20_000_000;

/** No value, where rows are lines of text. */
export const NULL_TEXT = '\\N';
/** In place of where a field ends: there is too little room for it and for the byte behind it. */
export const NO_ROOM = -1;

/** A text as a field of a line whose fields end in a tab: what COPY of PostgreSQL and LOAD DATA of MySQL read alike. */
export function escapeText(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (char) => ESCAPED[char] as string) : text;
}

/** Puts an escaped text at `from`, in UTF-8; gives where it ends, or `NO_ROOM`. */
export function putText(bytes: Buffer, from: number, text: string): number {
  if (text.length > SHORT_CHARS) return putPlainText(bytes, from, escapeText(text));
  if (from + text.length * CHAR_BYTES >= bytes.length) return NO_ROOM;
  let at = from;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80 && code > CARRIAGE_RETURN && code !== BACKSLASH) bytes[at++] = code;
    else if (code < 0x80) {
      const letter = LETTERS[code];
      if (letter !== undefined) bytes[at++] = BACKSLASH;
      bytes[at++] = letter ?? code;
    } else if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else if (code < 0xd800 || code > 0xdfff) {
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else {
      // Half of a pair: the runtime knows what becomes of those without another half.
      return putPlainText(bytes, at, escapeText(text.slice(i)));
    }
  }
  return at;
}

/** Puts a number as `String` writes it, and −0 with its sign. */
export function putNumber(bytes: Buffer, from: number, value: number): number {
  if (from + NUMBER_BYTES >= bytes.length) return NO_ROOM;
  const size = Math.abs(value);
  const whole = size | 0;
  const isWhole = whole === size && size < WHOLE_BELOW;
  // No other number of at most 15 digits is this double, so that these are its shortest.
  const hundredths = isWhole || !(size < HUNDREDTHS_BELOW) ? 0 : Math.round(size * 100);
  if (!isWhole && (hundredths === 0 || hundredths / 100 !== size))
    return putPlainText(bytes, from, `${value}`);
  let at = from;
  if (value < 0 || Object.is(value, -0)) bytes[at++] = MINUS;
  at = putDigits(bytes, at, whole);
  return isWhole ? at : putFraction(bytes, at, hundredths - whole * 100);
}

/** Puts a text as it is. */
export function putPlainText(bytes: Buffer, from: number, text: string): number {
  const room = bytes.length - from;
  if (text.length * CHAR_BYTES >= room && Buffer.byteLength(text) >= room) return NO_ROOM;
  return from + bytes.write(text, from);
}

function putDigits(bytes: Buffer, from: number, whole: number): number {
  const end = from + digitCount(whole);
  let rest = whole;
  for (let at = end - 1; at >= from; at--) {
    const tenth = (rest / 10) | 0;
    bytes[at] = ZERO + rest - tenth * 10;
    rest = tenth;
  }
  return end;
}

function putFraction(bytes: Buffer, from: number, hundredths: number): number {
  const tens = (hundredths / 10) | 0;
  const ones = hundredths - tens * 10;
  bytes[from] = POINT;
  bytes[from + 1] = ZERO + tens;
  if (ones === 0) return from + 2;
  bytes[from + 2] = ZERO + ones;
  return from + 3;
}

function digitCount(whole: number): number {
  if (whole < 100_000) return whole < 100 ? (whole < 10 ? 1 : 2) : whole < 1_000 ? 3 : whole < 10_000 ? 4 : 5;
  if (whole < 100_000_000) return whole < 1_000_000 ? 6 : whole < 10_000_000 ? 7 : 8;
  return whole < 1_000_000_000 ? 9 : 10;
}
