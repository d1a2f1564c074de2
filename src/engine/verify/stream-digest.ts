import type { BucketSum, Digest, DigestColumn, DigestedRow } from '../../drivers/digest/digest.ts';
import { BucketSums, bucketOf, digestRow } from '../../drivers/digest/row-digest.ts';
import type { Reading } from './reading.ts';
import { byHash, charsOf, RowSpool } from './row-spool.ts';

/** Length of the cells that are held so that a small side is read once. */
const HELD_CHARS_MAX = 4_000_000;

export interface StreamOptions {
  readonly key: readonly DigestColumn[];
  readonly columns: readonly DigestColumn[];
  readonly buckets: number;
  readonly stepId: string;
  /** For rows that do not fit into memory; null: none may be used. */
  readonly spillFolder: string | null;
  /** Of rows with one key the last one alone counts. */
  readonly lastWins: boolean;
  /** Called for rows that were read; may throw, which ends the reading. */
  onRows(rows: number): void;
}

/**
 * Digests of what a connector gives, computed here. A side that is small is read once and held; any other is read again for the rows of
 * the buckets that differ.
 */
export class StreamDigest implements Digest {
  readonly isOwn = false;
  readonly #reading: Reading;
  readonly #options: StreamOptions;
  readonly #spools: RowSpool[] = [];
  #held: DigestedRow[] | null = null;

  constructor(reading: Reading, options: StreamOptions) {
    this.#reading = reading;
    this.#options = options;
  }

  async sums(): Promise<readonly BucketSum[]> {
    const sums = new BucketSums(this.#options.buckets);
    let held: DigestedRow[] | null = [];
    let chars = 0;
    for await (const rows of this.#read()) {
      for (const row of rows) {
        sums.add(bucketOf(row.keyHash), row.rowHash);
        if (held === null) continue;
        held.push(row);
        chars += charsOf(row);
        if (chars > HELD_CHARS_MAX) held = null;
      }
    }
    this.#held = held?.sort(byHash) ?? null;
    return sums.all();
  }

  async *rows(buckets: ReadonlySet<number>): AsyncGenerator<readonly DigestedRow[]> {
    if (this.#held !== null) {
      yield this.#counting(this.#held.filter(({ keyHash }) => buckets.has(bucketOf(keyHash))));
      return;
    }
    const spool = new RowSpool(this.#options.spillFolder, this.#options.stepId);
    this.#spools.push(spool);
    for await (const rows of this.#read())
      for (const row of rows) if (buckets.has(bucketOf(row.keyHash))) spool.add(row);
    for await (const rows of spool.all()) yield this.#counting(rows);
    spool.close();
  }

  async close(): Promise<void> {
    for (const spool of this.#spools) spool.close();
    this.#held = null;
  }

  /** Rows with one key are never in two lists. */
  #counting(rows: readonly DigestedRow[]): readonly DigestedRow[] {
    if (!this.#options.lastWins) return rows;
    const last = new Map<string, DigestedRow>();
    for (const row of rows) if ((last.get(row.keyHash)?.at ?? -1) < (row.at ?? 0)) last.set(row.keyHash, row);
    return [...last.values()];
  }

  async *#read(): AsyncGenerator<readonly DigestedRow[]> {
    const { key, columns, buckets, onRows, lastWins } = this.#options;
    let at = 0;
    for await (const { rows } of this.#reading.batches()) {
      const digested = rows.map((row) => ({
        ...digestRow(row, key, columns),
        ...(lastWins && { at: at++ }),
      }));
      onRows(rows.length);
      yield digested.filter(({ keyHash }) => bucketOf(keyHash) < buckets);
    }
  }
}
