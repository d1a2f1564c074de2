import type { Column, Resource } from '../driver.ts';
import type { HttpList } from '../http/list/http-list.ts';
import type { Query } from '../http/resource-config.ts';
import type { AccountsPage, AccountsRequest, CatalogueRequest, OauthApps } from '../integration.ts';
import type { UnifiedListArgs } from './config.ts';

/** Where and how something of an account is asked for. The query and the headers win over those of a caller. */
export interface Place {
  readonly path: string;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
}

/** One platform. Waits end with their signal; failures are `ConnectorError`s. */
export interface Provider {
  /** A page of accounts; `cursor` is what an earlier page gave. */
  accounts(request: AccountsRequest, signal: AbortSignal): Promise<AccountsPage>;
  /** The resources that an account has. */
  resources(
    account: string,
    surface: NonNullable<CatalogueRequest['surface']>,
    signal: AbortSignal,
  ): Promise<readonly Resource[]>;
  /** The columns that the platform says a resource has; null where it says nothing. */
  columns(account: string, resource: string, signal: AbortSignal): Promise<readonly Column[] | null>;
  /** How a list is asked for, page by page. */
  listOf(account: string, args: UnifiedListArgs): HttpList;
  /** A record by its id. */
  recordPlace(
    account: string,
    resource: string,
    id: string,
  ): Place & { readonly record: (answer: unknown) => unknown };
  /** Where records are made, or with `id` one is changed or removed. Throws `CONFIG` for what cannot be written. */
  writePlace(account: string, resource: string, id: string | null): Place;
  proxyPlace(account: string, path: string): Place;
  /** Of the integration that the configuration names. */
  readonly oauthApps: OauthApps;
}

/** A name or a path with slashes as segments of a path. */
export function segments(name: string): string {
  return name
    .split('/')
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/');
}

const MAX_PAGES = 100_000;

/** Pages whose cursor stands at `next_cursor` of the answer before. */
export function cursorPaging(param: string, size: number): HttpList['paging'] {
  return {
    type: 'cursor',
    cursor_path: 'next_cursor',
    cursor_param: param,
    cursor_in: 'query',
    size_param: 'limit',
    size,
    max_pages: MAX_PAGES,
  };
}
