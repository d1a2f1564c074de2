const BLOCK_BYTES = 1_048_576;
/** Most that UTF-8 needs for a unit of UTF-16. */
const BYTES_PER_UNIT = 3;
const BLOCK_ENDS = 65_536;

/**
 * Texts by their positions, as UTF-8 outside of the heap: a third of the memory of as many strings, and nothing for the collector to go
 * through. Texts are added in order and looked up in any; together they have less than 4 GB.
 */
export class TextTable {
  /** All texts, one behind the other. */
  readonly #blocks: Buffer[] = [];
  /** Where each text ends. */
  readonly #ends: Uint32Array[] = [];
  #length = 0;
  #bytes = 0;

  get length(): number {
    return this.#length;
  }

  /** Of all texts. */
  get bytes(): number {
    return this.#bytes;
  }

  push(text: string): void {
    const place = this.#bytes % BLOCK_BYTES;
    // Most texts end in the block: they are written there, and nothing is made for the collector.
    if (place > 0 && place + text.length * BYTES_PER_UNIT <= BLOCK_BYTES)
      this.#bytes += (this.#blocks.at(-1) as Buffer).write(text, place, 'utf8');
    else this.#copy(Buffer.from(text));
    const index = this.#length % BLOCK_ENDS;
    if (index === 0) this.#ends.push(new Uint32Array(BLOCK_ENDS));
    (this.#ends.at(-1) as Uint32Array)[index] = this.#bytes;
    this.#length += 1;
  }

  #copy(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const place = this.#bytes % BLOCK_BYTES;
      if (place === 0) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      const copied = bytes.copy(this.#blocks.at(-1) as Buffer, place, at);
      this.#bytes += copied;
      at += copied;
    }
  }

  /** Undefined where there is none. */
  at(index: number): string | undefined {
    const end = this.#endOf(index);
    if (end === undefined) return undefined;
    const start = this.#endOf(index - 1) ?? 0;
    const block = Math.floor(start / BLOCK_BYTES);
    const from = start % BLOCK_BYTES;
    const bytes = end - start;
    if (from + bytes <= BLOCK_BYTES) return this.#blocks[block]?.toString('utf8', from, from + bytes) ?? '';
    const parts = this.#blocks.slice(block, Math.floor((end - 1) / BLOCK_BYTES) + 1);
    return Buffer.concat(parts).toString('utf8', from, from + bytes);
  }

  #endOf(index: number): number | undefined {
    return index < this.#length
      ? this.#ends[Math.floor(index / BLOCK_ENDS)]?.[index % BLOCK_ENDS]
      : undefined;
  }
}
