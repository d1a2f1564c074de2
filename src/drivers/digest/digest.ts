import type { NormalForm } from './normal-form.ts';

/** Rows are divided among as many buckets by the hash of their key: by its first three hexadecimal digits, or as the engine hashes. */
export const BUCKETS = 4_096;

/** A column to compare, and the form in which its values are equal. */
export interface DigestColumn {
  readonly name: string;
  readonly form: NormalForm;
  /** The other side's column as it declares it, where both sides are of one engine; else absent. */
  readonly peer?: string | undefined;
}

/** What of a table is compared. */
export interface DigestRequest {
  readonly resource: string;
  /** All of these hold. */
  readonly filters: readonly Readonly<Record<string, unknown>>[];
  readonly key: readonly DigestColumn[];
  readonly columns: readonly DigestColumn[];
  /** Rows of the first of the buckets alone. */
  readonly buckets: number;
  readonly signal: AbortSignal;
}

/** The rows of one bucket: how many, and the sum of their digests, modulo 2^64. */
export interface BucketSum {
  readonly bucket: number;
  readonly rows: number;
  readonly sum: bigint;
}

export type Cell = string | null | undefined;

/** A row by what is compared of it. */
export interface DigestedRow {
  readonly keyHash: string;
  readonly rowHash: string;
  /** Those of the key, and then the columns, in their normal form; null for null, undefined for absent. */
  readonly cells: readonly Cell[];
  /** Its place among the rows of its side; absent where that means nothing. */
  readonly at?: number;
}

/** Rows of one side in one snapshot, digested where they are. */
export interface Digest {
  /** The engine hashes values in a way of its own, which only another one of its kind has as well. */
  readonly isOwn: boolean;
  sums(): Promise<readonly BucketSum[]>;
  /** The rows of these buckets, in the order of `keyHash` by its bytes. */
  rows(buckets: ReadonlySet<number>): AsyncIterable<readonly DigestedRow[]>;
  close(): Promise<void>;
}

/** Of a connection whose engine computes digests. */
export interface Digesting {
  /** null where the engine has no normal form of one of the columns. */
  digest?(request: DigestRequest): Promise<Digest | null>;
}
