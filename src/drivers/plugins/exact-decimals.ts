import { plainDecimal } from '../../base/text/plain-decimal.ts';
import type { Column, Row } from '../driver.ts';
import { LongNumber } from '../json/long-number.ts';

/** Makes texts of the numbers in decimal columns, as decimals travel. */
export class ExactDecimals {
  readonly #names: readonly string[];

  constructor(columns: readonly Column[]) {
    this.#names = columns.filter(({ type }) => type === 'decimal').map(({ name }) => name);
  }

  apply(record: Row): void {
    for (const name of this.#names) {
      const value = record[name];
      if (typeof value === 'number') record[name] = plainDecimal(String(value));
      else if (value instanceof LongNumber) record[name] = value.text;
    }
  }
}
