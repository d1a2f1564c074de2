import { ConnectorError } from '../../driver.ts';
import { asText } from '../../json/long-number.ts';
import type { HttpConfig } from '../config.ts';
import type { HttpAnswer } from '../exchange.ts';
import type { AnswerValues } from '../list/answer-values.ts';
import type { Query } from '../resource-config.ts';
import { followUrl } from '../urls.ts';
import { valueAt } from '../value-at.ts';
import { linkOf } from './link-header.ts';
import type { Paging } from './paging-config.ts';

/** What the next request asks for: further parameters of the first URL, or another URL; `body`: of its JSON body. */
export type NextPage =
  | {
      readonly query: Readonly<Record<string, string | number>>;
      readonly body?: Query;
      /** The page before was short, which may be its end: an API may cap the size, or hide records. */
      readonly isProbe?: boolean | undefined;
      /** Of `offset`: records that the API hides may shift what comes. */
      readonly mayOverlap?: boolean | undefined;
      /** Of `keyset`: what is wrong where anything comes, since records share the value that the next page begins after. */
      readonly tie?: ConnectorError | undefined;
    }
  | { readonly url: URL };

export interface PageSeen {
  readonly paging: Paging;
  /** Of the pages until now: 1 after the first. */
  readonly pages: number;
  /** Records of the answers until now. */
  readonly records: number;
  readonly answer: HttpAnswer;
  readonly found: AnswerValues;
}

/** The parameters of the first page. */
export function firstPage(paging: Paging): Query {
  if (paging.type === 'none') return {};
  const size = paging.size_param === undefined ? {} : { [paging.size_param]: paging.size };
  if (paging.type === 'page') return { ...size, [paging.page_param]: paging.first };
  if (paging.type === 'offset') return { ...size, [paging.offset_param]: 0 };
  return size;
}

/** What follows a page; null where it was the last. */
export function nextPage(config: HttpConfig, seen: PageSeen): NextPage | null {
  const { paging, pages, records, answer, found } = seen;
  switch (paging.type) {
    case 'none':
      return null;
    case 'page': {
      const total = numberAt(found.document, paging.pages_path);
      if (total === null ? found.values.length === 0 : pages >= total) return null;
      return {
        query: { [paging.page_param]: paging.first + pages },
        isProbe: total === null && isShort(seen, paging),
      };
    }
    case 'offset': {
      const total = numberAt(found.document, paging.total_path);
      // An API that gives nothing has nothing, whatever total it names.
      if (found.values.length === 0) return null;
      if (total !== null && records >= total) return null;
      return {
        query: { [paging.offset_param]: records },
        isProbe: total === null && isShort(seen, paging),
        mayOverlap: isShort(seen, paging),
      };
    }
    case 'cursor': {
      const cursor = valueAt(found.document, paging.cursor_path);
      if (isOver(found.document, paging.has_more_path) || isNothing(cursor)) return null;
      if (typeof cursor !== 'string' && typeof cursor !== 'number')
        throw new ConnectorError(
          'CONFIG',
          `"${paging.cursor_path}" of the API's answer is no cursor, but ${typeof cursor}`,
        );
      const given = { [paging.cursor_param]: cursor };
      return paging.cursor_in === 'body' ? { query: {}, body: given } : { query: given };
    }
    case 'link_header': {
      const link = linkOf(answer.headers['link'] ?? '', paging.rel);
      return link === null ? null : { url: followUrl(config, answer.url, link, 'The link to the next page') };
    }
    case 'next_url': {
      const link = valueAt(found.document, paging.url_path);
      if (isNothing(link)) return null;
      return { url: followUrl(config, answer.url, String(link), 'The address of the next page') };
    }
    case 'keyset':
      return afterLast(seen, paging);
    default:
      return paging satisfies never;
  }
}

function afterLast(seen: PageSeen, paging: Extract<Paging, { readonly type: 'keyset' }>): NextPage | null {
  const { document, values } = seen.found;
  const { field, has_more_path } = paging;
  const last = values.at(-1);
  if (last === undefined || isOver(document, has_more_path)) return null;
  const key = asText(valueAt(last, field));
  if (typeof key !== 'string' && typeof key !== 'number')
    throw new ConnectorError('DATA', `The last record of a page has no "${field}" to continue from`);
  const isTied = values.length > 1 && asText(valueAt(values.at(-2), field)) === key;
  const isProbe = has_more_path === undefined && isShort(seen, paging);
  const isFull = has_more_path !== undefined || (paging.size_param !== undefined && !isProbe);
  if (isTied && isFull) throw tied(field, key);
  return { query: { [paging.param]: key }, isProbe, ...(isTied && { tie: tied(field, key) }) };
}

/** The next page begins after the value, and so after every record that has it, wherever the page ended. */
function tied(field: string, key: string | number): ConnectorError {
  const message = `Several records at the end of a page have the same "${field}" (${String(key).slice(0, 100)}), so the API may leave out others with it: set "field" of "paginate" to one that is unique, such as an id`;
  return new ConnectorError('DATA', message);
}

/** An API that is told no size chooses its own, so that only an empty page is surely the last. */
function isShort(
  { found }: PageSeen,
  { size, size_param }: { readonly size: number; readonly size_param?: string | undefined },
): boolean {
  return size_param === undefined || found.values.length < size;
}

function isOver(document: unknown, path: string | undefined): boolean {
  return path !== undefined && isNothing(valueAt(document, path));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function numberAt(document: unknown, path: string | undefined): number | null {
  if (path === undefined) return null;
  const value = valueAt(document, path);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new ConnectorError('CONFIG', `There is no number at "${path}" of the API's answer`);
}
