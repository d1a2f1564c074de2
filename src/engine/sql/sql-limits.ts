/** What one query may use. */
export interface SqlLimits {
  /** Of the engine, in MB; beyond it rows go to disk. */
  readonly memoryMb: number;
  /** In MB. */
  readonly diskMb: number;
  readonly threads: number;
}

/** Beside the heap of a runner, within the memory that its process may have. */
export const SQL_LIMITS: SqlLimits = Object.freeze({ memoryMb: 384, diskMb: 20_480, threads: 2 });
