const INITIAL_BYTES = 262_144;
const TWO_32 = 4_294_967_296;
/** Signature, flags and the length of no header extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/**
 * Rows for `CopyRows`, column by column in the table's order: `row`, then one call per column. Texts are well-formed and
 * without NUL. It can be reused after its rows are written: growing a new one costs more than filling it. Source:
 * https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-BINARY-FORMAT.
 */
export class CopyBuffer {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #at = HEADER.copy(this.#buffer);
  rows = 0;

  /** Empty again. */
  clear(): void {
    this.#at = HEADER.length;
    this.rows = 0;
  }

  row(columns: number): void {
    this.#reserve(2);
    this.#at = this.#buffer.writeInt16BE(columns, this.#at);
    this.rows += 1;
  }

  int2(value: number): void {
    this.#reserve(6);
    this.#at = this.#buffer.writeInt32BE(2, this.#at);
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  int4(value: number): void {
    this.#reserve(8);
    this.#at = this.#buffer.writeInt32BE(4, this.#at);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  /** A whole number from 0 to 2^53 - 1. */
  int8(value: number): void {
    this.#reserve(12);
    this.#at = this.#buffer.writeInt32BE(8, this.#at);
    this.#at = this.#buffer.writeInt32BE(Math.floor(value / TWO_32), this.#at);
    this.#at = this.#buffer.writeUInt32BE(value % TWO_32, this.#at);
  }

  text(value: string | null): void {
    if (value === null) {
      this.#reserve(4);
      this.#at = this.#buffer.writeInt32BE(-1, this.#at);
      return;
    }
    this.#reserve(4 + value.length * 3);
    const bytes = this.#buffer.write(value, this.#at + 4, 'utf8');
    this.#buffer.writeInt32BE(bytes, this.#at);
    this.#at += 4 + bytes;
  }

  /** The whole stream; no row comes after. */
  finish(): Buffer {
    this.#reserve(2);
    this.#at = this.#buffer.writeInt16BE(-1, this.#at);
    return this.#buffer.subarray(0, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(grown, 0, 0, this.#at);
    this.#buffer = grown;
  }
}
