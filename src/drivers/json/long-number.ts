import { plainDecimal } from '../../base/text/plain-decimal.ts';
import { digitsOf, isExactNumber } from '../../base/values/exact-json.ts';

/** A number of a document that no double is, or that JSON has no word for. Stands in the records that are read, until they are rows. */
export class LongNumber {
  readonly type: 'integer' | 'number' | 'decimal';
  /** As it travels: plain digits, or as it was written where it is beyond all doubles; of type `number`, NaN or an infinity. */
  readonly text: string;

  constructor(type: LongNumber['type'], text: string) {
    this.type = type;
    this.text = text;
  }
}

/** A value as it travels: a `LongNumber` as its text, any other as it is. */
export function asText(value: unknown): unknown {
  return value instanceof LongNumber ? value.text : value;
}

const WHOLE = /^-?\d+$/;
const LARGE_EXPONENT = /[eE][+-]?\d{3}/;

/** The number that a text says, where its double is not exactly that; null where it is. */
export function longNumber(source: string, value = Number(source)): LongNumber | null {
  if (WHOLE.test(source)) return Number.isSafeInteger(value) ? null : new LongNumber('integer', source);
  if (isExactNumber(source)) return null;
  if (LARGE_EXPONENT.test(source)) return new LongNumber('decimal', source);
  const plain = plainDecimal(source);
  return new LongNumber(WHOLE.test(plain) ? 'integer' : 'decimal', plain);
}

/** Each holds the values of those before it, but for whole numbers that no double is. */
const NUMERIC = ['integer', 'number', 'decimal'] as const;
type Numeric = (typeof NUMERIC)[number];

/** The type of numbers that holds both; null where one of them is none. `isExact`: integers among them are beyond all doubles. */
export function widerNumeric(a: string, b: string, isExact: boolean): Numeric | null {
  const [first, second] = [a, b].map((type) => NUMERIC.findIndex((one) => one === type)) as [number, number];
  if (first < 0 || second < 0) return null;
  const wider = NUMERIC[Math.max(first, second)] ?? null;
  return isExact && wider === 'number' ? 'decimal' : wider;
}

/** Whether a double does not hold it, and a column of doubles must be one of decimals. */
export function isExactInteger(value: unknown): boolean {
  return value instanceof LongNumber && value.type === 'integer';
}

/** Whether a fraction is a double with all the seventeen digits that tell it from any other, as some programs write it. */
export function isSeventeenDigits(source: string, value: number): boolean {
  return !WHOLE.test(source) && digitsOf(value.toPrecision(17)) === digitsOf(source);
}
