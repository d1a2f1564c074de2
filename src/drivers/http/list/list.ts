import { setImmediate } from 'node:timers/promises';
import { isRecord } from '../../../base/json.ts';
import { didYouMeanOneOf } from '../../../base/text/suggest-name.ts';
import { ConnectorError } from '../../driver.ts';
import type { ValueGroup } from '../../json/json-records.ts';
import type { HttpConfig } from '../config.ts';
import { type HttpAnswer, type HttpExchange, lowerCased } from '../exchange.ts';
import { firstPage, type NextPage, nextPage } from '../paging/next-page.ts';
import { PageUrls } from '../paging/page-urls.ts';
import { isEnd, isSamePage, NO_SUCH_PAGE, overlapOf } from '../paging/probed-page.ts';
import { SeenPages } from '../paging/seen-pages.ts';
import { childGroups } from '../parent/child-list.ts';
import type { ParentConfig } from '../parent/parent-config.ts';
import { type HttpListArgs, httpListArgs } from '../request-args.ts';
import type { HttpResource, Query } from '../resource-config.ts';
import { urlOf } from '../urls.ts';
import { type AnswerValues, valuesOf } from './answer-values.ts';
import type { HttpList, ParentList } from './http-list.ts';
import { incrementalQuery } from './incremental.ts';

/** Throws `CONFIG` for an unknown resource, and for a `POST` that nothing says only reads where that is wanted. */
export function listOf(config: HttpConfig, args: HttpListArgs, readOnly: boolean): HttpList {
  const known = args.resource === undefined ? null : resourceOf(config, args.resource);
  if (readOnly && known?.method === 'POST' && !known.read_only) {
    const message = `The resource "${args.resource}" is requested with POST; set its "read_only" to true if that has no side effects`;
    throw new ConnectorError('CONFIG', message);
  }
  const { path = '', headers = {} } = args;
  return {
    name: args.resource ?? path,
    resource: {
      path: known?.path ?? path,
      method: known?.method ?? 'GET',
      headers: { ...known?.headers, ...headers },
      body: known?.body,
      format: args.format ?? known?.format ?? 'auto',
      encoding: args.encoding ?? known?.encoding,
      infer: args.infer ?? known?.infer,
    },
    query: { ...known?.query, ...args.query },
    records: args.records ?? known?.records ?? null,
    paging: args.paginate ?? known?.paginate ?? { type: 'none' },
    incremental: args.incremental ?? known?.incremental ?? null,
    columns: args.columns ?? known?.columns ?? null,
    primaryKey: known?.primary_key ?? [],
    filter: args.filter ?? null,
    parent: known?.parent === undefined ? null : parentOf(config, known.parent, readOnly),
  };
}

function parentOf(
  config: HttpConfig,
  { resource, include = [], concurrency }: ParentConfig,
  readOnly: boolean,
): ParentList {
  return {
    name: resource,
    list: listOf(config, httpListArgs.parse({ resource }), readOnly),
    include: Array.isArray(include)
      ? include.map((field) => [`${resource}_${field}`, field] as const)
      : Object.entries(include),
    concurrency,
  };
}

function resourceOf({ resources }: HttpConfig, name: string): HttpResource {
  const found = Object.hasOwn(resources, name) ? resources[name] : undefined;
  if (found !== undefined) return found;
  throw new ConnectorError('CONFIG', unknownResource(resources, name));
}

export function unknownResource(resources: HttpConfig['resources'], name: string): string {
  return `The connector has no resource "${name}"${didYouMeanOneOf(name, Object.keys(resources).slice(0, 20))}`;
}

export interface PagesRequest {
  readonly signal: AbortSignal;
  /** Ask for the next page while the caller works on this one. */
  readonly ahead: boolean;
  /** A parent whose list is refused stands among the values. Default: it ends the read. */
  readonly isLenient?: boolean;
}

/** The request for a page, and what is known of it before. */
interface Asking
  extends Pick<Extract<NextPage, { readonly query: unknown }>, 'isProbe' | 'mayOverlap' | 'tie'> {
  readonly url: URL;
  /** Of the JSON body. */
  readonly further?: Query | undefined;
}

interface Asked {
  readonly answer: HttpAnswer;
  readonly found: AnswerValues;
}

/** The records of a list, page by page: of one that each record of another has, all of theirs. */
export function pagesOf(
  config: HttpConfig,
  exchange: HttpExchange,
  list: HttpList,
  request: PagesRequest,
): AsyncGenerator<ValueGroup, void, undefined> {
  const { parent = null } = list;
  if (parent === null) return ownPages(config, exchange, list, request);
  const { ahead, isLenient = false } = request;
  const groupsOf = (one: HttpList, isAhead: boolean) =>
    pagesOf(config, exchange, one, { ...request, ahead: isAhead && ahead });
  return childGroups(list, parent, groupsOf, { ahead, isLenient });
}

/** Ends with `DATA` where a page repeats, as it would for ever. */
async function* ownPages(
  config: HttpConfig,
  exchange: HttpExchange,
  list: HttpList,
  { signal: given, ahead }: PagesRequest,
): AsyncGenerator<ValueGroup, void, undefined> {
  const { paging } = list;
  given.throwIfAborted();
  const left = new AbortController();
  const { signal } = left;
  // Cheaper for each page than AbortSignal.any().
  const onAbort = () => left.abort(given.reason);
  given.addEventListener('abort', onAbort, { once: true });
  const first = urlOf(config, list.resource.path, [
    list.query,
    incrementalQuery(list.incremental, list.filter),
    firstPage(paging),
  ]);
  const urls = new PageUrls(first);
  const seen = new SeenPages();
  let records = 0;
  let handed = 0;
  let asking: Asking = { url: first };
  let asked = ask(exchange, list, asking, signal);
  let before: Asked | null = null;
  let repeats = 0;
  try {
    for (let pages = 1; ; pages++) {
      const page: Asked = await asked;
      const { found } = page;
      const isOver = before !== null && isLast(asking, before, page, pages);
      repeats = isOver ? repeats + 1 : 0;
      if (isOver && (found.values.length === 0 || repeats >= repeatsOf(asking))) return;
      if (!isOver) refuseSame(list, before, page, pages);
      records += found.values.length;
      const next = nextPage(config, { paging, pages, records, ...page });
      const values = isOver
        ? []
        : asking.mayOverlap === true && before !== null
          ? beyond(before, page)
          : found.values;
      const from = handed + 1;
      handed += values.length;
      before = page;
      const following = next === null ? null : askingOf(urls, next);
      if (following !== null) refuseEndless(list, seen, following, pages);
      if (following !== null && ahead) {
        asked = askQuietly(exchange, list, following, signal);
        // The client writes on a connection that was just used in the next turn of the event loop: before the caller's work on this page.
        await setImmediate();
      }
      yield { values, chars: found.chars, first: from };
      if (following === null) return;
      if (!ahead) asked = ask(exchange, list, following, signal);
      asking = following;
    }
  } finally {
    given.removeEventListener('abort', onAbort);
    left.abort();
  }
}

/** Its failure is for who waits for it, which may be nobody. */
function askQuietly(...args: Parameters<typeof ask>): Promise<Asked> {
  const asked = ask(...args);
  asked.catch(() => undefined);
  return asked;
}

/** Whether a page that was asked for to find the end shows it. Throws where records were left out before it. */
function isLast({ isProbe, tie }: Asking, before: Asked, { found }: Asked, pages: number): boolean {
  if (tie !== undefined && found.values.length > 0) throw tie;
  return isProbe === true && isEnd(before.found.values, found.values, pages);
}

/** How often the last page must come again: once more where its neighbours may be hidden, so that a page further on is the same. */
function repeatsOf({ mayOverlap }: Asking): number {
  return mayOverlap === true ? 2 : 1;
}

/** The records of a page that the one before has not given. */
function beyond(before: Asked, { found }: Asked): readonly unknown[] {
  const overlap = overlapOf(before.found.values, found.values);
  return overlap === 0 ? found.values : found.values.slice(overlap);
}

function askingOf(urls: PageUrls, next: NextPage): Asking {
  if ('url' in next) return { url: next.url };
  const { body, isProbe, mayOverlap, tie } = next;
  return { url: urls.of(next), further: body, isProbe, mayOverlap, tie };
}

async function ask(
  exchange: HttpExchange,
  { resource, records, orRecords, paging }: HttpList,
  { url, further, isProbe }: Asking,
  signal: AbortSignal,
): Promise<Asked> {
  const { method, body } = resource;
  const json =
    method === 'GET'
      ? undefined
      : JSON.stringify(isRecord(body) ? { ...body, ...further } : (body ?? further ?? {}));
  const headers = {
    accept: 'application/json, */*;q=0.5',
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...lowerCased(resource.headers),
  };
  const emptyOn = isProbe === true ? NO_SUCH_PAGE : [];
  const asked = { method, url, headers, body: json, isRepeatable: true, emptyOn };
  const answer = await exchange.ask(asked, signal);
  const typed = paging.type === 'none';
  const { format, encoding = null } = resource;
  const found = await valuesOf(answer, { format, encoding, records, orRecords, typed, signal });
  return { answer, found };
}

function refuseSame({ name, paging }: HttpList, before: Asked | null, page: Asked, pages: number): void {
  const pageOf = ({ answer, found }: Asked) => ({ values: found.values, body: answer.body });
  if (before === null || !isSamePage(pageOf(before), pageOf(page))) return;
  const message = `Page ${pages} of "${name}" is identical to the previous one: does the API support the parameter of "paginate" (${paging.type})? Where it gives everything at once, set "paginate" to none`;
  throw new ConnectorError('DATA', message);
}

function refuseEndless(
  { name, paging }: HttpList,
  seen: SeenPages,
  { url, further }: Asking,
  pages: number,
): void {
  const key = further === undefined ? url.href : `${url.href} ${JSON.stringify(further)}`;
  if (!seen.add(key))
    throw new ConnectorError(
      'DATA',
      `The list "${name}" is circular: page ${pages} leads to a page already read`,
    );
  if (paging.type !== 'none' && pages >= paging.max_pages) {
    const message = `The list "${name}" has more than ${paging.max_pages} pages; raise "max_pages" of "paginate" if that is intended`;
    throw new ConnectorError('DATA', message);
  }
}
