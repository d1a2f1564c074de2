/** What a buffer holds, as bytes that `add` takes. */
export interface HeldColumn {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly nulls: number;
  /** A bit for each row, set where it has no value; empty where all have one. */
  readonly absent: Uint8Array;
}

const BYTES_MIN = 1_024;
const NONE = new Uint8Array(0);

/**
 * The values of one column of a row group, in Parquet's plain encoding from the moment on that they come: values that wait as objects
 * would cost more to collect than to encode. What was put in since the last `keep` can be taken back.
 */
export class ColumnBuffer {
  bytes: Buffer;
  /** The same bytes, for values of four and of eight. */
  ints: Int32Array;
  longs: BigInt64Array;
  doubles: Float64Array;
  /** Bytes that are filled. */
  used = 0;
  rows = 0;
  nulls = 0;
  #absent: Uint8Array = NONE;
  #kept = { used: 0, rows: 0, nulls: 0 };

  constructor() {
    const memory = new ArrayBuffer(BYTES_MIN);
    this.bytes = Buffer.from(memory);
    this.ints = new Int32Array(memory);
    this.longs = new BigInt64Array(memory);
    this.doubles = new Float64Array(memory);
  }

  /** A bit for each row, set where it has no value; rows beyond its end have one. */
  get absent(): Uint8Array {
    return this.#absent;
  }

  /** Makes room for so many bytes. */
  reserve(bytes: number): void {
    const needed = this.used + bytes;
    if (needed <= this.bytes.length) return;
    const size = Math.ceil(Math.max(needed, this.bytes.length * 2) / 8) * 8;
    const memory = new ArrayBuffer(size);
    const grown = Buffer.from(memory);
    this.bytes.copy(grown, 0, 0, this.used);
    this.bytes = grown;
    this.ints = new Int32Array(memory);
    this.longs = new BigInt64Array(memory);
    this.doubles = new Float64Array(memory);
  }

  /** The row has no value. */
  skip(row: number): void {
    const at = row >> 3;
    if (at >= this.#absent.length) {
      const grown = new Uint8Array(Math.max(64, at + 1, this.#absent.length * 2));
      grown.set(this.#absent);
      this.#absent = grown;
    }
    this.#absent[at] = (this.#absent[at] ?? 0) | (1 << (row & 7));
    this.nulls++;
  }

  keep(): void {
    const { used, rows, nulls } = this;
    this.#kept = { used, rows, nulls };
  }

  takeBack(): void {
    const { used, rows, nulls } = this.#kept;
    if (this.nulls > nulls) {
      for (let row = rows; row < this.#absent.length * 8; row++)
        this.#absent[row >> 3] = (this.#absent[row >> 3] ?? 0) & ~(1 << (row & 7));
    }
    Object.assign(this, { used, rows, nulls });
  }

  held(): HeldColumn {
    const { rows, nulls } = this;
    const absent = nulls === 0 ? NONE : this.#absent.slice(0, (rows + 7) >> 3);
    return { bytes: this.bytes.subarray(0, this.used), rows, nulls, absent };
  }

  add({ bytes, rows, absent }: HeldColumn): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.used);
    this.used += bytes.length;
    for (let row = 0; row < absent.length * 8; row++)
      if (((absent[row >> 3] ?? 0) & (1 << (row & 7))) !== 0) this.skip(this.rows + row);
    this.rows += rows;
    this.keep();
  }

  /** Empty; its memory stays for the next group. */
  clear(): void {
    this.used = 0;
    this.rows = 0;
    this.nulls = 0;
    this.#absent.fill(0);
    this.keep();
  }
}
