import { sha256 } from '../../base/ids.ts';
import { canonicalJson, isRecord } from '../../base/json.ts';
import { CursorError } from '../cursor-error.ts';
import type { PageRequest } from '../driver.ts';
import { selectionOf } from '../page-search.ts';

/** Where the next page begins: after the row with these values of the order's columns, or at an offset. */
export type PagePosition =
  | { readonly kind: 'after'; readonly values: readonly unknown[] }
  | { readonly kind: 'offset'; readonly offset: number };

export const cursorCharsMax = 16_384;

/** What a cursor belongs to: the same resource, conditions and order. */
function queryOf(request: PageRequest): string {
  return sha256(canonicalJson(selectionOf(request))).slice(0, 16);
}

export function encodeCursor(request: PageRequest, position: PagePosition): string {
  const place = position.kind === 'after' ? { k: position.values } : { o: position.offset };
  return Buffer.from(JSON.stringify({ q: queryOf(request), ...place })).toString('base64url');
}

/** The position of the request's cursor, or null without one. Throws `CONFIG` for a cursor that another query gave. */
export function decodeCursor(request: PageRequest): PagePosition | null {
  if (request.cursor === undefined) return null;
  const cursor = parseCursor(request.cursor);
  if (cursor === null || cursor['q'] !== queryOf(request)) {
    throw foreignCursor();
  }
  if (Array.isArray(cursor['k'])) return { kind: 'after', values: cursor['k'] };
  const offset = cursor['o'];
  if (typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0)
    return { kind: 'offset', offset };
  throw foreignCursor();
}

export function foreignCursor(): CursorError {
  return new CursorError('The cursor belongs to another query; start with the first page');
}

function parseCursor(text: string): Record<string, unknown> | null {
  if (text.length > cursorCharsMax) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
