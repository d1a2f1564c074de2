import { readDecimal } from './number-text.ts';

const NOT_ZERO = /[1-9]/;

const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** Of a column that has such a number: whole ones, or any. */
export type ExactType = 'integer' | 'decimal';

/**
 * A number with digits that a double has no place for, while expressions work with it. In the cells of rows, and inside of JSON values
 * there, such numbers are text, and the type of the column says that they are numbers. In JSON text that expressions make they are
 * their digits.
 */
export class ExactNumber {
  /** Private, so that nothing that lists the properties of a value finds one. */
  readonly #text: string;
  readonly #type: ExactType;

  /** `text`: a number as JSON writes it, without an exponent. */
  constructor(text: string, type: ExactType) {
    this.#text = text;
    this.#type = type;
  }

  get text(): string {
    return this.#text;
  }

  get type(): ExactType {
    return this.#type;
  }

  get isZero(): boolean {
    return !NOT_ZERO.test(this.#text);
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): unknown {
    return rawJSON(this.#text);
  }
}

/** The number that a text is; null where it is none, such as `NaN`. */
export function exactNumber(text: string, type: ExactType): ExactNumber | null {
  const digits = readDecimal(text);
  return digits === null ? null : new ExactNumber(digits, type);
}

/** Whether one is anywhere in a JSON value. */
export function holdsExact(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(holdsExact);
  for (const key in value) if (holdsExact((value as Record<string, unknown>)[key])) return true;
  return false;
}
