/** What one query may use. */
export interface SqlLimits {
  /** Of the engine, in MB; beyond it rows go to disk. */
  readonly memoryMb: number;
  /** In MB. */
  readonly diskMb: number;
  readonly threads: number;
  /** A `join` may always make so many rows; more only where they are at most ten times those that came. */
  readonly joinRows: number;
}

/** Beside the heap of a runner, within the memory that its process may have. */
export const SQL_LIMITS: SqlLimits = Object.freeze({
  memoryMb: 384,
  diskMb: 20_480,
  threads: 2,
  joinRows: 100_000_000,
});
