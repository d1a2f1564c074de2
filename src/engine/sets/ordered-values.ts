import { compareTimeTexts } from '../../base/values/time-order.ts';
import type { Column, ColumnType } from '../../drivers/driver.ts';

const NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'decimal']);
/** Columns of these types are in order whatever their values are. */
const ORDERED: ReadonlySet<ColumnType> = new Set([
  'integer',
  'number',
  'decimal',
  'boolean',
  'date',
  'time',
  'timestamp',
]);
/** What is between day and time, and after them. */
const TIME_FORM = /^\d{4,}-\d\d-\d\d(.?)(?:\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?\s*(\S*)$/;

/** Finds out whether the values of a column have an order: text that stands for numbers or times has another one than those. */
export class OrderedValues {
  readonly #column: string;
  #hasNumbers = false;
  #hasTexts = false;
  #areTimes = true;
  /** The forms in which times are written, two at most. */
  readonly #forms = new Set<string>();

  constructor(column: string) {
    this.#column = column;
  }

  meet({ type }: Column, value: unknown): void {
    if (value === null || value === undefined) return;
    if (typeof value === 'number' || NUMBERS.has(type)) this.#hasNumbers = true;
    else if (typeof value === 'string') this.#meetText(value);
  }

  /** Why the order would be none; null where it is one. `type` is what all of the values have in common. */
  problem(type: ColumnType): string | null {
    if (ORDERED.has(type) || !this.#hasTexts) return null;
    if (this.#hasNumbers)
      return `the column "${this.#column}" holds numbers and text; cast it to one of them before`;
    if (this.#areTimes && this.#forms.size > 1)
      return `the column "${this.#column}" holds times as text, in several forms; cast it to timestamp before`;
    return null;
  }

  #meetText(text: string): void {
    this.#hasTexts = true;
    if (!this.#areTimes || this.#forms.size > 1) return;
    const form = TIME_FORM.exec(text);
    if (form === null || compareTimeTexts(text, text, 'moment') === null) this.#areTimes = false;
    else this.#forms.add(`${text.length} ${form[1]} ${form[2]}`);
  }
}
