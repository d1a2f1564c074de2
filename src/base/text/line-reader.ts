/** Parts bytes into lines. */
export class LineReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  readonly #bytesMax: number;
  readonly #decode: (line: Buffer) => string;

  /** Throws a `RangeError` for a line of more than `bytesMax`, and what `decode` does; by itself it takes what is no UTF-8. */
  constructor(bytesMax: number, decode = (line: Buffer) => line.toString()) {
    this.#bytesMax = bytesMax;
    this.#decode = decode;
  }

  /** The lines that are complete now. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      lines.push(this.#take(chunk.subarray(from, end)));
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
    return lines;
  }

  /** What came after the last line feed. */
  rest(): string {
    return this.#take(Buffer.alloc(0));
  }

  #take(last: Buffer): string {
    this.#hold(last);
    const line = this.#parts.length === 1 ? last : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return this.#decode(line);
  }

  #hold(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes > this.#bytesMax) throw new RangeError('The line is too long');
  }
}
