import type { Batch, Row } from '../../drivers/driver.ts';

/** Told of every row that another one has become. */
export type RowChange = (from: Row, to: Row) => void;

/** Called with the row as the step got it, and its place in the batch; throwing ends the step. */
export type OnRowError = (row: Row, error: unknown, index: number) => void;

/** Some of the operations of a step: batch in, batch out. Rows that fail are handed to `onError` and left out. */
export interface OpPart {
  /** Rows that a condition left out, so far. */
  readonly skipped: number;
  /** Rows that an operation left out, so far. */
  readonly filtered: number;
  /** `onFiltered` is told, for each row that an operation leaves out, the place in the batch of the one that it comes from. */
  apply(batch: Batch, onError: OnRowError, onFiltered?: (index: number) => void): Batch | Promise<Batch>;
}
