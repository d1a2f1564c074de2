import { hash } from 'node:crypto';
import type { Row } from '../driver.ts';
import type { BucketSum, Cell, DigestColumn, DigestedRow } from './digest.ts';
import { type NormalForm, normalText } from './normal-form.ts';

/** Digits of a key's hash that say its bucket. */
export const BUCKET_DIGITS = 3;
/** Digits of a row's hash that are summed up: 64 bits. */
export const SUM_DIGITS = 16;

const LOW_RANGE = 2 ** 32;

/** Forms whose text may hold anything, and so goes with its length before it. */
export function hasLength(form: NormalForm): boolean {
  return form === 'text' || form === 'padded' || form === 'json' || form === 'engine';
}

/**
 * What is hashed of a row, as every engine writes it: for each value its text with a comma behind it. Before a text that may hold commas
 * is its length in bytes; before bytes an `x`. Null is nothing, which no value is.
 */
function encode(cells: readonly Cell[], columns: readonly DigestColumn[]): string {
  let text = '';
  for (let at = 0; at < columns.length; at += 1) {
    const cell = cells[at];
    if (cell !== null && cell !== undefined) text += encodeCell(cell, columns[at]?.form ?? 'text');
    text += ',';
  }
  return text;
}

/** Of numbers and times, also those that are none, such as `NaN` and `infinity`. */
const PLAIN = /^[-+.: 0-9A-Za-z]+$/;

const HEX = /^[0-9a-f]*$/;

function encodeCell(cell: string, form: NormalForm): string {
  if (form === 'bytes' && HEX.test(cell)) return `x${cell}`;
  if (hasLength(form)) return `${Buffer.byteLength(cell)}:${cell}`;
  // A text that does not read as the type; no engine that knows the type has such a value.
  return PLAIN.test(cell) ? cell : `=${Buffer.byteLength(cell)}:${cell}`;
}

/** A row of a batch by what is compared of it: the columns of the key, and then the others. */
export function digestRow(
  row: Row,
  key: readonly DigestColumn[],
  columns: readonly DigestColumn[],
): DigestedRow {
  const cells: Cell[] = [];
  for (const { name, form } of key) cells.push(normalText(ownValue(row, name), form));
  const keyText = encode(cells, key);
  const rest: Cell[] = columns.map(({ name, form }) => normalText(ownValue(row, name), form));
  return {
    keyHash: hash('md5', keyText, 'hex'),
    rowHash: hash('md5', keyText + encode(rest, columns), 'hex'),
    cells: cells.concat(rest),
  };
}

/** Under which every object inherits a value, such as `constructor`. A set is faster to ask than the prototype. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

function ownValue(row: Row, name: string): unknown {
  return INHERITED.has(name) && !Object.hasOwn(row, name) ? undefined : row[name];
}

export function bucketOf(keyHash: string): number {
  return Number.parseInt(keyHash.slice(0, BUCKET_DIGITS), 16);
}

/** Sums of buckets as rows come. */
export class BucketSums {
  readonly #rows: Float64Array;
  /** The sum modulo 2^64 in two halves, which a double holds exactly. */
  readonly #high: Float64Array;
  readonly #low: Float64Array;

  constructor(buckets: number) {
    this.#rows = new Float64Array(buckets);
    this.#high = new Float64Array(buckets);
    this.#low = new Float64Array(buckets);
  }

  add(bucket: number, rowHash: string): void {
    const low = (this.#low[bucket] ?? 0) + Number.parseInt(rowHash.slice(8, SUM_DIGITS), 16);
    const carry = low >= LOW_RANGE ? 1 : 0;
    const high = (this.#high[bucket] ?? 0) + Number.parseInt(rowHash.slice(0, 8), 16) + carry;
    this.#rows[bucket] = (this.#rows[bucket] ?? 0) + 1;
    this.#low[bucket] = low % LOW_RANGE;
    this.#high[bucket] = high % LOW_RANGE;
  }

  all(): readonly BucketSum[] {
    return [...this.#rows].flatMap((rows, bucket) => {
      const sum = (BigInt(this.#high[bucket] ?? 0) << 32n) + BigInt(this.#low[bucket] ?? 0);
      return rows === 0 ? [] : [{ bucket, rows, sum }];
    });
  }
}
