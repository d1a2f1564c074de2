const INITIAL_BYTES = 262_144;
const TWO_32 = 4_294_967_296;
const ASCII_MAX = 0x7f;
/** Up to here a loop is faster than the call that leaves JavaScript. */
const SHORT_CHARS_MAX = 32;
/** Signature, flags and the length of no header extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/**
 * Rows for `CopyRows`, column by column in the table's order: `row`, then one call per column. Texts are well-formed and
 * without NUL. It can be reused after its rows are written: growing a new one costs more than filling it. Source:
 * https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-BINARY-FORMAT.
 */
export class CopyBuffer {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  /** Of the same bytes: its writes are compiled to single instructions, which those of a `Buffer` are not. */
  #view = viewOf(this.#buffer);
  #at = HEADER.copy(this.#buffer);
  rows = 0;

  /** Empty again. */
  clear(): void {
    this.#at = HEADER.length;
    this.rows = 0;
  }

  row(columns: number): void {
    const at = this.#take(2);
    this.#view.setInt16(at, columns);
    this.rows += 1;
  }

  int2(value: number): void {
    const at = this.#take(6);
    this.#view.setInt32(at, 2);
    this.#view.setInt16(at + 4, value);
  }

  int4(value: number): void {
    const at = this.#take(8);
    this.#view.setInt32(at, 4);
    this.#view.setInt32(at + 4, value);
  }

  /** A whole number from 0 to 2^53 - 1. */
  int8(value: number): void {
    const at = this.#take(12);
    this.#view.setInt32(at, 8);
    this.#view.setUint32(at + 4, value / TWO_32);
    this.#view.setUint32(at + 8, value);
  }

  text(value: string | null): void {
    if (value === null) {
      const at = this.#take(4);
      this.#view.setInt32(at, -1);
      return;
    }
    this.#reserve(4 + value.length * 3);
    const at = this.#at;
    const isWritten = value.length <= SHORT_CHARS_MAX && this.#writeAscii(value, at + 4);
    const bytes = isWritten ? value.length : this.#buffer.write(value, at + 4, 'utf8');
    this.#view.setInt32(at, bytes);
    this.#at = at + 4 + bytes;
  }

  /** False where the text is not ASCII: what was written is to be overwritten. */
  #writeAscii(text: string, at: number): boolean {
    const buffer = this.#buffer;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > ASCII_MAX) return false;
      buffer[at + index] = code;
    }
    return true;
  }

  /** The whole stream; no row comes after. */
  finish(): Buffer {
    const at = this.#take(2);
    this.#view.setInt16(at, -1);
    return this.#buffer.subarray(0, this.#at);
  }

  /** Where so many bytes now belong. */
  #take(bytes: number): number {
    this.#reserve(bytes);
    const at = this.#at;
    this.#at = at + bytes;
    return at;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(grown, 0, 0, this.#at);
    this.#buffer = grown;
    this.#view = viewOf(grown);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
