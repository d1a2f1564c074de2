/** The session of a load inside its transaction, as the statements need it that engines share. */
export interface LoadSession {
  /** Runs one statement; gives the number of rows that it changed. */
  change(sql: string, params?: readonly unknown[]): Promise<number>;
  /** The number in the one column of the one row. */
  count(sql: string): Promise<number>;
}
