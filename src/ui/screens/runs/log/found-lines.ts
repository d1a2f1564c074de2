import type { LogLine, LogRows } from './log-line.ts';

/** More are not read: nobody reads so many. */
export const foundLinesMax = 20_000;

/** The lines that match a filter, in order, as far as they have been found. */
export class FoundLines implements LogRows {
  readonly #lines: LogLine[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#lines.length;
  }

  get isFull(): boolean {
    return this.#lines.length >= foundLinesMax;
  }

  at(index: number): LogLine | undefined {
    return this.#lines[index];
  }

  append(lines: readonly LogLine[]): void {
    for (const line of lines) if (!this.isFull) this.#lines.push(line);
    this.#onChange();
  }
}
