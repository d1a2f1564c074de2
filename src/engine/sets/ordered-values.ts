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

interface Kind {
  readonly name: string;
  /** Its group is the offset of a time. */
  readonly form: RegExp;
  readonly advice: string;
}

/** Texts that stand for something with another order than that of their letters. */
const CLOCKS: Kind = {
  name: 'times of day',
  form: /^-?\d{1,3}:\d\d(?::\d\d(?:\.\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d){0,2})?$/i,
  advice: 'in several forms; bring them to one form before',
};
const KINDS: readonly Kind[] = [
  CLOCKS,
  {
    name: 'durations',
    form: /^-?P(?=[T\d-])(?:-?\d+(?:\.\d+)?[YMWD])*(?:T(?:-?\d+(?:\.\d+)?[HMS])+)?$/i,
    advice: 'whose order is another; make numbers of them before',
  },
  {
    name: 'amounts of money',
    form: /^[-(]?\p{Sc}\s?-?\d/u,
    advice: 'whose order is another; make numbers of them before',
  },
];

/** Finds out whether the values of a column have an order: text that stands for numbers or times has another one than those. */
export class OrderedValues {
  readonly #column: string;
  #hasNumbers = false;
  #hasTexts = false;
  #areTimes = true;
  /** The forms in which times are written, two at most. */
  readonly #forms = new Set<string>();
  /** What all texts are so far; undefined before the first one. */
  #kind: Kind | null | undefined;
  /** Two at most that have no order. */
  readonly #ofKind = new Set<string>();

  constructor(column: string) {
    this.#column = column;
  }

  meet({ type }: Column, value: unknown): void {
    if (value === null || value === undefined) return;
    if (typeof value === 'number' || NUMBERS.has(type)) this.#hasNumbers = true;
    else if (typeof value === 'string') {
      this.#meetKind(type, value);
      this.#meetText(value);
    }
  }

  /** Why the order would be none; null where it is one. `type` is what all of the values have in common. */
  problem(type: ColumnType): string | null {
    if (this.#kind && this.#ofKind.size > 1)
      return `the column "${this.#column}" holds ${this.#kind.name} as text, ${this.#kind.advice}`;
    if (ORDERED.has(type) || !this.#hasTexts) return null;
    if (this.#hasNumbers)
      return `the column "${this.#column}" holds numbers and text; cast it to one of them before`;
    if (this.#areTimes && this.#forms.size > 1)
      return `the column "${this.#column}" holds times as text, in several forms; cast it to timestamp before`;
    return null;
  }

  #meetKind(type: ColumnType, text: string): void {
    if (this.#kind === undefined) this.#kind = KINDS.find(({ form }) => form.test(text)) ?? null;
    const match = this.#kind?.form.exec(text);
    if (!match) this.#kind = null;
    else if (this.#ofKind.size < 2) this.#ofKind.add(this.#kind === CLOCKS ? clockForm(type, match) : text);
  }

  #meetText(text: string): void {
    this.#hasTexts = true;
    if (!this.#areTimes || this.#forms.size > 1) return;
    const form = TIME_FORM.exec(text);
    if (form === null || compareTimeTexts(text, text, 'moment') === null) this.#areTimes = false;
    else this.#forms.add(`${text.length} ${form[1]} ${form[2]}`);
  }
}

/** Times of day in one form are in the order of their letters; in a column of times, only offsets part them. */
function clockForm(type: ColumnType, [text, offset = '']: RegExpExecArray): string {
  if (type === 'time') return offset;
  return offset === '' ? `${text.indexOf(':')}` : `${text.indexOf(':')} ${text.length} ${offset}`;
}
