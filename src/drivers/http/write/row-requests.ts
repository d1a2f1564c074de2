import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../base/json.ts';
import { ConnectorError, type Row } from '../../driver.ts';
import type { WriteWay } from './write-config.ts';

const FIELD = /\{([^{}]+)\}/g;
/** As a segment of a path they would lead elsewhere. */
const DOTS = /^\.{1,2}$/;

/** Requests of one load whose keys are kept apart. */
export const KEYED_REQUESTS_MAX = 1_000_000;

/** The path of a request for a row. `DATA` where the row has no value for a field of it. */
export function pathOf(template: string, row: Row): string {
  return template.replace(FIELD, (_whole, field: string) => {
    const value = Object.hasOwn(row, field) ? row[field] : null;
    const text = value === null || value === undefined || typeof value === 'object' ? '' : String(value);
    if (text === '' || DOTS.test(text)) {
      const message = `The row has no value for "${field}" for the path "${template}"`;
      throw new ConnectorError('DATA', message, { column: field });
    }
    return encodeURIComponent(text);
  });
}

/** Whether the path is another one for each row. */
export function hasFields(template: string): boolean {
  return template.search(FIELD) >= 0;
}

/** The JSON body of a request for rows: one by itself, more as a list. Bytes are base64, integers beyond 2^53 text. */
export function bodyOf({ batch_size, place }: WriteWay, rows: readonly Row[]): string {
  const value = batch_size === 1 ? rows[0] : rows;
  const body = (place?.split('.') ?? [])
    .toReversed()
    .reduce<unknown>((inner, key) => ({ [key]: inner }), value);
  return JSON.stringify(body, plain);
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/**
 * Idempotency keys of the requests of one load. A key is made of what a request does, and of how many like it came before, so that
 * another attempt gives each request the same key whatever the order of the rows, and two equal rows have two keys.
 */
export class RequestKeys {
  readonly #load: string;
  readonly #seen = new Map<number, number>();

  constructor(...load: readonly string[]) {
    this.#load = canonicalJson(load);
  }

  /** Throws `CONFIG` beyond `KEYED_REQUESTS_MAX` different requests. */
  next(path: string, body: string): string {
    const digest = createHash('sha256').update(`${this.#load}\n${path}\n${body}`).digest();
    // Two requests with the same 48 bits count as like: their keys differ all the same.
    const like = digest.readUIntBE(0, 6);
    const before = this.#seen.get(like) ?? 0;
    if (before === 0 && this.#seen.size >= KEYED_REQUESTS_MAX)
      throw new ConnectorError(
        'CONFIG',
        `One load sends at most ${KEYED_REQUESTS_MAX.toLocaleString('en-US')} different requests: raise "batch_size", or load in parts`,
      );
    this.#seen.set(like, before + 1);
    return `${digest.toString('hex', 0, 16)}-${before}`;
  }
}
