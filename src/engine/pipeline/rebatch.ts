import type { Batch, Column, Row } from '../../drivers/driver.ts';
import { charsOf, ROW_LIMITS } from '../../drivers/row-limits.ts';
import type { BatchFields } from '../../language/task/batch-bounds.ts';
import { fromRow, joinedOrigins, type OriginPart } from './row-origins.ts';

/** Rows of a batch whose length is looked at to guess that of all. */
const SAMPLE_ROWS = 8;

/** Makes batches of one size out of batches of any size; a change of columns ends a batch early. */
export class Rebatch {
  readonly #size: number;
  readonly #charsMax: number;
  readonly #cuts: boolean;
  #columns: readonly Column[] = [];
  #parts: Row[][] = [];
  /** Where the rows of `#parts` come from, in order. */
  #origins: OriginPart[] = [];
  #count = 0;
  #chars = 0;

  /**
   * A batch ends early, at the end of one that came, when its values would be longer than about `charsMax`; with `cuts` also within
   * one that came, after the row that reaches the bound.
   */
  constructor(rows: number, charsMax = ROW_LIMITS.batchCharsMax, cuts = false) {
    this.#size = rows;
    this.#charsMax = charsMax;
    this.#cuts = cuts;
  }

  /** Of the size and the bytes that the step names. */
  static of({ batchRows, batchBytes }: Pick<BatchFields, 'batchRows' | 'batchBytes'>): Rebatch {
    return new Rebatch(batchRows, batchBytes ?? undefined, batchBytes !== null);
  }

  /** For a step that passes batches on as they come: null unless it names a size or bytes of its own. */
  static ifGiven(step: BatchFields): Rebatch | null {
    return step.batchRowsGiven || step.batchBytes !== null ? Rebatch.of(step) : null;
  }

  /** The batches that are complete now. */
  push(batch: Batch): Batch[] {
    return this.#cuts ? this.#pushCut(batch) : this.#push(batch, null);
  }

  #pushCut(batch: Batch): Batch[] {
    const { rows, columns, originOf } = batch;
    const out: Batch[] = [];
    let from = 0;
    let chars = 0;
    for (let at = 0; at < rows.length; at++) {
      chars += charsOf(rows[at], this.#charsMax);
      const isLast = at === rows.length - 1;
      const isFull = this.#chars + chars >= this.#charsMax || this.#count + (at + 1 - from) >= this.#size;
      if (!isLast && !isFull) continue;
      const isWhole = from === 0 && isLast;
      const piece = { columns, rows: rows.slice(from, at + 1), originOf: fromRow(originOf, from) };
      out.push(...this.#push(isWhole ? batch : piece, chars));
      from = at + 1;
      chars = 0;
    }
    return out;
  }

  /** `known`: how long the values of the batch are; guessed where it is null. */
  #push(batch: Batch, known: number | null): Batch[] {
    if (this.#count === 0 && batch.rows.length === this.#size) return [batch];
    const out: Batch[] = [];
    if (this.#count > 0 && this.#columns !== batch.columns && !sameShape(this.#columns, batch.columns)) {
      out.push(this.#take(this.#count));
    }
    this.#columns = batch.columns;
    if (batch.rows.length > 0) {
      this.#parts.push(batch.rows);
      this.#origins.push({ originOf: batch.originOf, from: 0, count: batch.rows.length });
    }
    this.#count += batch.rows.length;
    while (this.#count >= this.#size) out.push(this.#take(this.#size));
    if (this.#count > 0) {
      this.#chars += known ?? guessChars(batch.rows);
      if (this.#chars >= this.#charsMax) out.push(this.#take(this.#count));
    }
    return out;
  }

  /** What is left, or null. */
  rest(): Batch | null {
    return this.#count === 0 ? null : this.#take(this.#count);
  }

  #take(count: number): Batch {
    const [first = []] = this.#parts;
    const all = this.#parts.length === 1 ? first : first.concat(...this.#parts.slice(1));
    const whole = count === all.length;
    this.#parts = whole ? [] : [all.slice(count)];
    this.#count -= count;
    this.#chars = 0;
    const originOf = joinedOrigins(this.#takeOrigins(count));
    const rows = whole ? all : all.slice(0, count);
    return { columns: this.#columns, rows, ...(originOf && { originOf }) };
  }

  /** Part by part: what is left of one must not hold on to those before it. */
  #takeOrigins(count: number): OriginPart[] {
    const taken: OriginPart[] = [];
    for (let left = count; left > 0; ) {
      const [part] = this.#origins;
      if (part === undefined) break;
      const some = Math.min(left, part.count);
      taken.push({ ...part, count: some });
      left -= some;
      if (some === part.count) this.#origins.shift();
      else this.#origins[0] = { ...part, from: part.from + some, count: part.count - some };
    }
    return taken;
  }
}

/** The length of all rows' values, by a few of them. */
function guessChars(rows: readonly Row[]): number {
  const step = Math.max(1, Math.floor(rows.length / SAMPLE_ROWS));
  let seen = 0;
  let chars = 0;
  for (let at = 0; at < rows.length; at += step) {
    chars += charsOf(rows[at], ROW_LIMITS.batchCharsMax);
    seen++;
  }
  return seen === 0 ? 0 : (chars / seen) * rows.length;
}

function sameShape(a: readonly Column[], b: readonly Column[]): boolean {
  return (
    a.length === b.length && a.every((column, i) => column.name === b[i]?.name && column.type === b[i]?.type)
  );
}
