import type { Batch, Column, Row } from '../../drivers/driver.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import { RunFault } from '../run-fault.ts';
import { isAfter, isCursorValue } from './cursor-value.ts';

/** The greatest value of an extract's cursor field among the rows that pass. A row that does not fit ends the extract. */
export class CursorTracker {
  /** null until a row has one. Where the source sorts, the last: its comparison counts, which for texts is unlike any other. */
  greatest: unknown = null;
  /** Rows without a value. */
  missing = 0;
  /** Set before the first batch. */
  isSorted = false;
  readonly #step: ExtractStep;
  readonly #spec: NonNullable<ExtractStep['cursor']>;
  #columns: readonly Column[] | null = null;

  constructor(step: ExtractStep) {
    if (step.cursor === null) throw new Error('A cursor is tracked where there is one');
    this.#step = step;
    this.#spec = step.cursor;
  }

  /** The batch without the rows that are left out. */
  see(batch: Batch): Batch {
    if (batch.columns !== this.#columns) this.#seeColumns(batch.columns);
    const { field, type, onMissing } = this.#spec;
    const left = this.missing;
    for (const row of batch.rows) {
      const value = row[field];
      if (value === null || value === undefined) this.#seeMissing();
      else if (!isCursorValue(type, value)) throw this.#fault(`the value ${shown(value)} is no ${type}`);
      else if (this.isSorted) this.#follow(value);
      else if (this.greatest === null || isAfter(type, value, this.greatest)) this.greatest = value;
    }
    if (onMissing !== 'skip' || this.missing === left) return batch;
    return { columns: batch.columns, rows: batch.rows.filter((row) => !isMissing(row, field)) };
  }

  #follow(value: unknown): void {
    const { type } = this.#spec;
    if (type !== 'string' && this.greatest !== null && isAfter(type, this.greatest, value)) {
      throw this.#fault(
        `the source puts ${shown(value)} after ${shown(this.greatest)}, so it does not compare them as values of type ${type}; rows could be passed over`,
      );
    }
    this.greatest = value;
  }

  #seeMissing(): void {
    this.missing++;
    if (this.#spec.onMissing !== 'fail') return;
    throw this.#fault(
      'a row has no value; the next run could not tell whether it was read. Set "on_missing: skip" or "include", or have the source fill it',
    );
  }

  /** A database compares the texts of a column of texts: as such `10` comes before `9`. */
  #seeColumns(columns: readonly Column[]): void {
    this.#columns = columns;
    const { field, type } = this.#spec;
    const column = columns.find(({ name }) => name === field);
    if (column === undefined && columns.length > 0)
      throw this.#fault('the rows have no such column; name it among those that are read');
    if (this.isSorted && column?.type === 'string' && (type === 'integer' || type === 'number'))
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

function isMissing(row: Row, field: string): boolean {
  return row[field] === null || row[field] === undefined;
}

function shown(value: unknown): string {
  return (typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))).slice(0, 100);
}
