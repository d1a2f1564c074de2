import { shownValue } from '../../base/text/shown-value.ts';
import type { Batch, Column, Row } from '../../drivers/driver.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import { rowWords } from '../expression-message.ts';
import { withoutRows } from '../pipeline/row-origins.ts';
import { RunFault } from '../run-fault.ts';
import { isAfter, isCursorValue, valueAfter } from './cursor-value.ts';

/** The greatest value of an extract's cursor field among the rows that pass. A row that does not fit ends the extract. */
export class CursorTracker {
  /** null until a row has one. Where the source sorts, the last: its comparison counts, which for texts is unlike any other. */
  greatest: unknown = null;
  /** Rows without a value. */
  missing = 0;
  /** Rows that were looked at: all that came, but for those after the window. */
  seen = 0;
  /** The window is full: what comes after it is for the next run. */
  isFull = false;
  readonly #step: ExtractStep;
  readonly #spec: NonNullable<ExtractStep['cursor']>;
  #isSorted = false;
  #saved: unknown = null;
  #columns: readonly Column[] | null = null;
  /** The first value after the window; null until there is a new row. */
  #windowEnd: unknown = null;

  constructor(step: ExtractStep) {
    if (step.cursor === null) throw new Error('A cursor is tracked where there is one');
    this.#step = step;
    this.#spec = step.cursor;
  }

  /** Before the first batch: whether the source sorts, and the value after which rows are new. */
  begin(isSorted: boolean, saved: unknown): void {
    this.#isSorted = isSorted;
    this.#saved = saved;
  }

  /** The source's own state, as it is once all rows so far are loaded. */
  follow(state: unknown): void {
    this.greatest = state;
  }

  /** The batch without the rows that are left out. */
  see(batch: Batch): Batch {
    if (this.#spec.isState) {
      this.seen += batch.rows.length;
      return batch;
    }
    if (batch.columns !== this.#columns) this.#seeColumns(batch.columns);
    const { field, type, onMissing } = this.#spec;
    const left = this.missing;
    const before = this.seen;
    for (let at = 0; at < batch.rows.length; at++) {
      const value = batch.rows[at]?.[field];
      if (this.#isAfterWindow(value)) return this.#beginning(batch, before);
      this.seen++;
      if (value === null || value === undefined) this.#seeMissing(batch, at);
      else if (!isCursorValue(type, value))
        throw this.#fault(`the value ${shownValue(value)}${placeOf(batch, at)} is not of type ${type}`);
      else if (this.#isSorted) this.#followSorted(value);
      else if (this.greatest === null || isAfter(type, value, this.greatest)) this.greatest = value;
    }
    if (onMissing !== 'skip' || this.missing === left) return batch;
    const dropped = [...batch.rows.keys()].filter((at) => isMissing(batch.rows[at] as Row, field));
    const rows = batch.rows.filter((row) => !isMissing(row, field));
    return { columns: batch.columns, rows, originOf: withoutRows(batch.originOf, dropped) };
  }

  /** Sorted rows: nothing that comes after belongs to the window. */
  #isAfterWindow(value: unknown): boolean {
    const { type, window } = this.#spec;
    if (window === null || !isCursorValue(type, value)) return false;
    if (this.#windowEnd !== null) return !isAfter(type, this.#windowEnd, value);
    // Rows that are read again, for the sake of their key or of the lookback, do not use it up.
    if (this.#saved === null || isAfter(type, value, this.#saved))
      this.#windowEnd = valueAfter(type, value, window);
    return false;
  }

  #beginning(batch: Batch, before: number): Batch {
    this.isFull = true;
    return { ...batch, rows: batch.rows.slice(0, this.seen - before) };
  }

  #followSorted(value: unknown): void {
    const { type } = this.#spec;
    if (type !== 'string' && this.greatest !== null && isAfter(type, this.greatest, value)) {
      throw this.#fault(
        `the source puts ${shownValue(value)} after ${shownValue(this.greatest)}, so it does not compare them as values of type ${type}; rows could be passed over`,
      );
    }
    this.greatest = value;
  }

  #seeMissing(batch: Batch, at: number): void {
    this.missing++;
    if (this.#spec.onMissing !== 'fail') return;
    throw this.#fault(
      `a row has no value${placeOf(batch, at)}; the next run could not tell whether it was read. Set "on_missing: skip" or "include", or have the source fill it`,
    );
  }

  /** A database compares the texts of a column of texts: as such `10` comes before `9`. */
  #seeColumns(columns: readonly Column[]): void {
    this.#columns = columns;
    const { field, type } = this.#spec;
    const column = columns.find(({ name }) => name === field);
    if (column === undefined && columns.length > 0)
      throw this.#fault('the rows have no such column; add it to the columns that are read');
    if (this.#isSorted && column?.type === 'string' && (type === 'integer' || type === 'number'))
      throw this.#fault(`the column holds texts, which do not compare as values of type ${type}`);
  }

  #fault(what: string): RunFault {
    const { field } = this.#spec;
    return new RunFault('DATA_ERROR', `The cursor "${field}" cannot be followed: ${what}`, {
      reason: 'task_error',
      stepId: this.#step.id,
    });
  }
}

/** The row in brackets, by its id or line; empty where nothing is known of it. */
function placeOf({ rows, originOf }: Batch, at: number): string {
  const words = rowWords(originOf?.(at) ?? {}, rows[at]);
  return words === null ? '' : ` (${words})`;
}

function isMissing(row: Row, field: string): boolean {
  return row[field] === null || row[field] === undefined;
}
