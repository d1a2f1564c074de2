import { type LogLine, type LogPlace, type LogRows, placeText } from './log-line.ts';

const pageLines = 500;
const pagesMax = 60;

interface AttemptEnd {
  readonly attempt: number;
  readonly last_seq: number;
}

/** Reads lines after a place, as many as there are up to `limit`. Rejects where the server does not give them. */
export type ReadLines = (afterSeq: string, limit: number) => Promise<readonly LogLine[]>;

/**
 * A whole log of any length. The lines of an attempt have dense sequence numbers, so that it is known how many there are and which
 * one is where, without having them: they are read when they come into view, and only the pages used last are kept.
 */
export class PagedLog implements LogRows {
  readonly #attempts: { attempt: number; last_seq: number }[] = [];
  /** Least recently used first. */
  readonly #pages = new Map<string, (LogLine | null | undefined)[]>();
  readonly #reading = new Set<string>();
  readonly #read: ReadLines;
  readonly #onChange: () => void;

  constructor(read: ReadLines, onChange: () => void) {
    this.#read = read;
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#attempts.reduce((sum, { last_seq }) => sum + last_seq, 0);
  }

  /** How far the log is known to go; null where there is none yet. */
  get end(): LogPlace | null {
    const last = this.#attempts.at(-1);
    return last === undefined ? null : { attempt: last.attempt, seq: last.last_seq };
  }

  at(index: number): LogLine | null | undefined {
    const place = this.#placeOf(index);
    if (place === null) return undefined;
    return this.#pages.get(keyOf(place))?.[(place.seq - 1) % pageLines];
  }

  /** The index of a line, whether or not it is loaded. */
  indexOf({ attempt, seq }: LogPlace): number {
    let before = 0;
    for (const known of this.#attempts) {
      if (known.attempt === attempt) return before + seq - 1;
      if (known.attempt < attempt) before += known.last_seq;
    }
    return before;
  }

  /** What the server says of how far each attempt goes. */
  extend(ends: readonly AttemptEnd[]): void {
    for (const { attempt, last_seq } of ends) this.#reach({ attempt, seq: last_seq });
    this.#onChange();
  }

  /** Lines as they are written, in order, and gaps between them. */
  append(
    lines: readonly LogLine[],
    gaps: readonly { readonly attempt: number; readonly to: number }[],
  ): void {
    for (const line of lines) {
      this.#reach(line);
      const isFirst = (line.seq - 1) % pageLines === 0;
      if (isFirst || this.#pages.has(keyOf(line))) this.#put(line, line);
    }
    for (const { attempt, to } of gaps) this.#reach({ attempt, seq: to });
    this.#onChange();
  }

  /** Reads what is missing of these rows. */
  show(from: number, to: number): void {
    for (let index = Math.max(0, from); index < Math.min(to, this.count); index += 1) {
      const place = this.#placeOf(index);
      if (place === null) continue;
      const key = keyOf(place);
      const page = this.#pages.get(key);
      if (page !== undefined) this.#touch(key, page);
      if (page?.[(place.seq - 1) % pageLines] === undefined && !this.#reading.has(key))
        void this.#readPage(key, place);
    }
  }

  async #readPage(key: string, { attempt, seq }: LogPlace): Promise<void> {
    const first = seq - ((seq - 1) % pageLines);
    const known = this.#attempts.find((one) => one.attempt === attempt)?.last_seq ?? 0;
    const last = Math.min(known, first + pageLines - 1);
    this.#reading.add(key);
    try {
      const lines = await this.#read(placeText({ attempt, seq: first - 1 }), last - first + 1);
      const own = lines.filter((line) => line.attempt === attempt && line.seq >= first && line.seq <= last);
      // What is not among them was deleted, or not kept.
      for (let at = first; at <= last; at += 1) this.#put({ attempt, seq: at }, null);
      for (const line of own) this.#put(line, line);
    } catch {
      // The rows stay empty; they are asked for again when they are shown again, as after a lost connection.
    } finally {
      this.#reading.delete(key);
      this.#onChange();
    }
  }

  #put(place: LogPlace, line: LogLine | null): void {
    const key = keyOf(place);
    const page = this.#pages.get(key) ?? [];
    const at = (place.seq - 1) % pageLines;
    if (line !== null || page[at] === undefined) page[at] = line;
    this.#touch(key, page);
  }

  #touch(key: string, page: (LogLine | null | undefined)[]): void {
    this.#pages.delete(key);
    this.#pages.set(key, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= pagesMax) break;
      this.#pages.delete(oldest);
    }
  }

  #reach({ attempt, seq }: LogPlace): void {
    const known = this.#attempts.find((one) => one.attempt === attempt);
    if (known !== undefined) {
      known.last_seq = Math.max(known.last_seq, seq);
      return;
    }
    this.#attempts.push({ attempt, last_seq: seq });
    this.#attempts.sort((one, other) => one.attempt - other.attempt);
  }

  #placeOf(index: number): LogPlace | null {
    let left = index;
    for (const { attempt, last_seq } of this.#attempts) {
      if (left < last_seq) return { attempt, seq: left + 1 };
      left -= last_seq;
    }
    return null;
  }
}

function keyOf({ attempt, seq }: LogPlace): string {
  return `${attempt}/${Math.floor((seq - 1) / pageLines)}`;
}
