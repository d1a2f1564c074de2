import type { Batch } from '../../drivers/driver.ts';
import type { CursorSpec } from '../../language/task/steps/extract-step.ts';
import { isAfter, isCursorValue } from './cursor-value.ts';

/** The greatest value of an extract's cursor field among the rows that pass. */
export class CursorTracker {
  /** null until a row has one. */
  greatest: unknown = null;
  /** Rows whose field was missing, empty or of another type. */
  without = 0;
  readonly #spec: CursorSpec;

  constructor(spec: CursorSpec) {
    this.#spec = spec;
  }

  see(batch: Batch): void {
    const { field, type } = this.#spec;
    let greatest = this.greatest;
    for (const row of batch.rows) {
      const value = row[field];
      if (greatest !== null && isAfter(type, value, greatest)) greatest = value;
      else if (value === null || value === undefined) this.without++;
      else if (greatest === null) {
        if (isCursorValue(type, value)) greatest = value;
        else this.without++;
      }
    }
    this.greatest = greatest;
  }
}
