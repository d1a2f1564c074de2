import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { type AppError, validationError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Binds each cursor to the query that returned it; any other query rejects it. */
export interface BoundCursor {
  /** The place inside a viewer's cursor; null for the first page. Throws a `VALIDATION_ERROR` for the cursor of another query. */
  open(cursor: string | null): string | null;
  /** A viewer's cursor for a place; null where there is no next page. */
  wrap(place: string | null): string | null;
}

/**
 * `query` is everything that decides which rows there are, and in which order, with the connector's configuration. Its hash is the
 * key that a place is sealed with: of another query it does not open, and a viewer, who does not know the query, cannot read in it
 * the values of columns that are not shown.
 */
export function boundCursor(query: unknown): BoundCursor {
  const key = createHash('sha256').update(canonicalJson(query)).digest();
  return {
    open: (cursor) => (cursor === null ? null : unseal(key, cursor)),
    wrap: (place) => (place === null ? null : seal(key, place)),
  };
}

/** A place that counts rows. Throws a `VALIDATION_ERROR` for one that does not. */
export function offsetOf(place: string | null): number {
  if (place === null) return 0;
  const offset = Number(place);
  if (!/^\d+$/.test(place) || !Number.isSafeInteger(offset)) throw foreign();
  return offset;
}

/** The place after a page of rows that all are there; null at the end. */
export function placeAfter(offset: number, limit: number, total: number): string | null {
  return offset + limit < total ? String(offset + limit) : null;
}

function foreign(): AppError {
  const message = 'The cursor belongs to another query; start with the first page';
  return validationError([{ path: 'cursor', message }]);
}

function seal(key: Uint8Array, place: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  const body = Buffer.concat([cipher.update(place, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

function unseal(key: Uint8Array, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString();
  } catch {
    throw foreign();
  }
}
