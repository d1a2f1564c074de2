import { sha256 } from '../../base/ids.ts';
import { canonicalJson, isRecord } from '../../base/json.ts';
import { ConnectorError, type PageRequest } from '../driver.ts';
import { selectionOf } from './page-search.ts';

/** Most rows of one page. */
export const pageRowsMax = 10_000;
const cursorCharsMax = 16_384;

/** Throws `CONFIG` for a limit that is not a whole number from 1 to 10,000. */
export function requirePageLimit({ limit }: Pick<PageRequest, 'limit'>): void {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > pageRowsMax)
    throw new ConnectorError('CONFIG', `"limit" takes a number from 1 to ${pageRowsMax}`);
}

/** What a cursor belongs to: the same resource, conditions and order. */
export function queryOf(request: PageRequest): string {
  return sha256(canonicalJson(selectionOf(request))).slice(0, 16);
}

/** As `queryOf`, and the same columns. */
export function queryWithColumnsOf(request: PageRequest): string {
  return sha256(canonicalJson([request.columns ?? null, selectionOf(request)])).slice(0, 32);
}

/** A cursor as it is given out: opaque to who carries it, and not secret. */
export function cursorText(cursor: object): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** What `cursorText` wrote; null for any other text. Its values are as a client sent them. */
export function readCursor(text: string): Readonly<Record<string, unknown>> | null {
  if (text.length > cursorCharsMax) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
