import type { BucketSum, Digest, DigestedRow } from '../../drivers/digest/digest.ts';
import { order } from './row-spool.ts';

/** Takes what two sides do not have in the same way. */
export interface DifferenceSink {
  /** Rows with one key whose digests differ; whether the values do is for the sink to say. */
  differing(source: DigestedRow, target: DigestedRow): void;
  missing(source: DigestedRow): void;
  surplus(target: DigestedRow): void;
  /** The same for rows whose values are the same. */
  textOf(row: DigestedRow): string;
}

export interface ComparedSums {
  readonly rowsSource: number;
  readonly rowsTarget: number;
  /** Those whose rows are not the same. */
  readonly buckets: ReadonlySet<number>;
}

/** Both sides count and sum up at the same time. */
export async function compareSums(source: Digest, target: Digest): Promise<ComparedSums> {
  const [left, right] = await Promise.all([source.sums(), target.sums()]);
  const others = new Map(right.map((sum) => [sum.bucket, sum]));
  const buckets = new Set<number>();
  for (const sum of left) {
    const other = others.get(sum.bucket);
    if (other?.rows !== sum.rows || other.sum !== sum.sum) buckets.add(sum.bucket);
    others.delete(sum.bucket);
  }
  for (const bucket of others.keys()) buckets.add(bucket);
  return { rowsSource: rowsIn(left), rowsTarget: rowsIn(right), buckets };
}

function rowsIn(sums: readonly BucketSum[]): number {
  return sums.reduce((total, { rows }) => total + rows, 0);
}

/** Walks over the rows of the buckets on both sides, in the order of their keys' hashes. */
export async function compareRows(
  source: Digest,
  target: Digest,
  buckets: ReadonlySet<number>,
  sink: DifferenceSink,
): Promise<void> {
  const left = new RowWalk(source.rows(buckets));
  const right = new RowWalk(target.rows(buckets));
  try {
    for (;;) {
      if (left.isDry || right.isDry) await Promise.all([left.fill(), right.fill()]);
      const [a, b] = [left.row, right.row];
      if (a === null && b === null) return;
      const hash = a === null || (b !== null && b.keyHash < a.keyHash) ? (b?.keyHash ?? '') : a.keyHash;
      compareGroups(await left.take(hash), await right.take(hash), sink);
    }
  } finally {
    await Promise.all([left.close(), right.close()]);
  }
}

/** Rows with one key: those that are the same go away in pairs, and the others are put side by side. */
function compareGroups(
  source: readonly DigestedRow[],
  target: readonly DigestedRow[],
  sink: DifferenceSink,
): void {
  const unlike = withoutPairs(source, target);
  // Of several rows with one key, those whose values are the same in other digests belong together.
  const areMany = unlike[0].length > 0 && unlike[1].length > 0 && unlike[0].length + unlike[1].length > 2;
  const byText = (rows: readonly DigestedRow[]) =>
    rows.map((row) => ({ ...row, rowHash: sink.textOf(row) })).sort((a, b) => order(a.rowHash, b.rowHash));
  const [lefts, rights] = areMany ? withoutPairs(byText(unlike[0]), byText(unlike[1])) : unlike;
  for (let at = 0; at < Math.max(lefts.length, rights.length); at += 1) {
    const [a, b] = [lefts[at], rights[at]];
    if (a !== undefined && b !== undefined) sink.differing(a, b);
    else if (a !== undefined) sink.missing(a);
    else if (b !== undefined) sink.surplus(b);
  }
}

/** Both are sorted by the hash of the row. */
function withoutPairs(
  source: readonly DigestedRow[],
  target: readonly DigestedRow[],
): readonly [DigestedRow[], DigestedRow[]] {
  const lefts: DigestedRow[] = [];
  const rights: DigestedRow[] = [];
  let [i, j] = [0, 0];
  while (i < source.length || j < target.length) {
    const [a, b] = [source[i], target[j]];
    const first = a === undefined ? 1 : b === undefined ? -1 : order(a.rowHash, b.rowHash);
    if (first < 0 && a !== undefined) lefts.push(a);
    if (first > 0 && b !== undefined) rights.push(b);
    if (first <= 0) i += 1;
    if (first >= 0) j += 1;
  }
  return [lefts, rights];
}

/** Rows one after another, of batches as they come. */
class RowWalk {
  readonly #batches: AsyncIterator<readonly DigestedRow[]>;
  #rows: readonly DigestedRow[] = [];
  #at = 0;
  #isEnd = false;

  constructor(batches: AsyncIterable<readonly DigestedRow[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** More rows are to be asked for before the next one is known. */
  get isDry(): boolean {
    return this.#at >= this.#rows.length && !this.#isEnd;
  }

  get row(): DigestedRow | null {
    return this.#rows[this.#at] ?? null;
  }

  async fill(): Promise<void> {
    while (this.isDry) {
      const next = await this.#batches.next();
      this.#isEnd = next.done === true;
      this.#at = 0;
      this.#rows = next.done === true ? [] : next.value;
    }
  }

  /** The next rows with this hash of the key. */
  async take(keyHash: string): Promise<readonly DigestedRow[]> {
    const taken: DigestedRow[] = [];
    for (;;) {
      if (this.isDry) await this.fill();
      const { row } = this;
      if (row === null || row.keyHash !== keyHash) return taken;
      taken.push(row);
      this.#at += 1;
    }
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}
