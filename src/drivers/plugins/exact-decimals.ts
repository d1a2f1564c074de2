import { isRecord } from '../../base/json.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { plainDecimal } from '../../base/text/plain-decimal.ts';
import type { Column, Row } from '../driver.ts';

/** Digits that a double may not keep. */
const LONG = /\d[\d.]{15}/;

/** Makes texts of the numbers in decimal columns, with all their digits. */
export class ExactDecimals {
  readonly #names: readonly string[];

  constructor(columns: readonly Column[]) {
    this.#names = columns.filter(({ type }) => type === 'decimal').map(({ name }) => name);
  }

  /** `line` is the JSON of a message that has the record under `key`. */
  apply(record: Row, line: string, key: string): void {
    if (this.#names.length === 0) return;
    const exact = LONG.test(line) ? sourcesIn(line)[key] : null;
    for (const name of this.#names) {
      const value = record[name];
      if (typeof value !== 'number') continue;
      const source = isRecord(exact) ? String(exact[name]) : '';
      record[name] = plainDecimal(LONG.test(source) ? source : String(value));
    }
  }
}

/** The document with the text of each number in its place. */
function sourcesIn(line: string): Row {
  return parseJsonText(line, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value,
  ) as Row;
}
