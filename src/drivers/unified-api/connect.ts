import { messageOf } from '../../base/errors.ts';
import {
  type Batch,
  type Column,
  type ConnectContext,
  type Connection,
  ConnectorError,
  type ReadRequest,
  type Resource,
} from '../driver.ts';
import { noMethod } from '../files/open-file.ts';
import { parseInput } from '../files/parse-input.ts';
import { httpConfig } from '../http/config.ts';
import { listColumns, listPage, listRows } from '../http/list/list-rows.ts';
import { type OpenApi, openApi } from '../http/open-api.ts';
import type {
  AccountsPage,
  AccountsRequest,
  Catalogue,
  CatalogueRequest,
  OauthApps,
} from '../integration.ts';
import {
  proxyArgs,
  proxyGetArgs,
  type UnifiedApiConfig,
  unifiedAccountsArgs,
  unifiedApiConfig,
  unifiedCreateArgs,
  unifiedDeleteArgs,
  unifiedGetArgs,
  unifiedListArgs,
  unifiedUpdateArgs,
} from './config.ts';
import { NANGO_URL, nangoProvider } from './nango.ts';
import { askPlatform } from './platform-api.ts';
import type { Place, Provider } from './provider.ts';
import { TRUTO_URL, trutoProvider } from './truto/truto.ts';

/** Accounts of a page of the method `accounts`. */
const ACCOUNTS_PAGE = 100;
const ACCOUNT_COLUMNS: readonly Column[] = ['id', 'label', 'tenant_id', 'integration_name', 'status'].map(
  (name) => ({ name, type: 'string', nullable: name === 'label' || name === 'status' }),
);

class UnifiedApiConnection implements Connection {
  readonly #config: UnifiedApiConfig;
  readonly #api: OpenApi;
  readonly #provider: Provider;

  constructor(config: UnifiedApiConfig, api: OpenApi) {
    this.#config = config;
    this.#api = api;
    this.#provider = config.provider === 'truto' ? trutoProvider(api, config) : nangoProvider(api, config);
  }

  get oauthApp(): OauthApps {
    return this.#provider.oauthApps;
  }

  async test(signal: AbortSignal): Promise<string> {
    const { accounts } = await this.#provider.accounts({ limit: 1 }, signal);
    const some = accounts.length === 0 ? 'no account is connected yet' : 'accounts are connected';
    return `${this.#config.provider === 'truto' ? 'Truto' : 'Nango'} answers; ${some}`;
  }

  accounts(request: AccountsRequest, signal: AbortSignal): Promise<AccountsPage> {
    return this.#provider.accounts(request, signal);
  }

  async listResources(signal: AbortSignal): Promise<readonly Resource[]> {
    return this.#provider.resources(this.#account(undefined), 'all', signal);
  }

  /** While the platform cannot be reached, the resources of the configuration. */
  async catalogue({ accountId, surface = 'all' }: CatalogueRequest, signal: AbortSignal): Promise<Catalogue> {
    try {
      const resources = await this.#provider.resources(this.#account(accountId), surface, signal);
      return { resources, fallback: false };
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault !== 'UNAVAILABLE') throw error;
      const resources = this.#config.fallback_resources.map((name) => ({
        name,
        type: name.includes('/') ? 'unified' : 'proxy',
      }));
      const wanted = resources.filter(({ type }) => surface === 'all' || type === surface);
      return { resources: wanted, fallback: true, schema_error: messageOf(error) };
    }
  }

  /** As the platform says, else as the first records are. */
  async describe(
    resource: string,
    signal: AbortSignal,
    { accountId }: { readonly accountId?: string } = {},
  ): Promise<readonly Column[]> {
    const account = this.#account(accountId);
    const said = await this.#provider.columns(account, resource, signal);
    return (
      said ??
      listColumns(this.#api, this.#provider.listOf(account, unifiedListArgs.parse({ resource })), signal)
    );
  }

  async *read(request: ReadRequest): AsyncGenerator<Batch, void, undefined> {
    if (request.method === 'accounts') return yield* this.#allAccounts(request);
    if (request.method !== 'list') throw noMethod('unified_api', request.method);
    const args = parseInput(unifiedListArgs, request.args ?? {}, 'the arguments of "list"');
    const list = this.#provider.listOf(this.#account(args.integrated_account_id), args);
    yield* listRows(this.#api, list, request);
  }

  async page(request: Parameters<Connection['page']>[0]) {
    const args = unifiedListArgs.parse({ resource: request.resource });
    return listPage(this.#api, this.#provider.listOf(this.#account(undefined), args), request);
  }

  async call(method: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    const provider = this.#provider;
    const parsed = <T>(schema: Parameters<typeof parseInput<T>>[0]) =>
      parseInput(schema, given ?? {}, `the arguments of "${method}"`);
    const account = (args: { readonly integrated_account_id?: string | undefined }) =>
      this.#account(args.integrated_account_id);
    switch (method) {
      case 'get': {
        const args = parsed(unifiedGetArgs);
        const place = provider.recordPlace(account(args), args.resource, args.id);
        return place.record(await this.#ask('GET', place, args, signal));
      }
      case 'create': {
        const args = parsed(unifiedCreateArgs);
        return this.#ask('POST', provider.writePlace(account(args), args.resource, null), args, signal);
      }
      case 'update': {
        const args = parsed(unifiedUpdateArgs);
        return this.#ask('PATCH', provider.writePlace(account(args), args.resource, args.id), args, signal);
      }
      case 'delete': {
        const args = parsed(unifiedDeleteArgs);
        return this.#ask('DELETE', provider.writePlace(account(args), args.resource, args.id), args, signal);
      }
      case 'proxy_get': {
        const args = parsed(proxyGetArgs);
        return this.#ask('GET', provider.proxyPlace(account(args), args.path), args, signal);
      }
      case 'proxy': {
        const args = parsed(proxyArgs);
        return this.#ask(args.method, provider.proxyPlace(account(args), args.path), args, signal);
      }
      default:
        throw noMethod('unified_api', method);
    }
  }

  async openWriter(): Promise<never> {
    throw new ConnectorError(
      'CONFIG',
      'A unified_api connector does not support loads; write rows with "create" or "update" in a call step',
    );
  }

  async close(): Promise<void> {
    await this.#api.close();
  }

  #account(given: string | undefined): string {
    const account = given ?? this.#config.integrated_account_id;
    if (account !== undefined) return account;
    throw new ConnectorError(
      'CONFIG',
      'Give "integrated_account_id", here or in the configuration of the connector',
    );
  }

  #ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    { path, query, headers }: Place,
    args: {
      readonly query: Place['query'];
      readonly body?: unknown;
      readonly idempotency_key?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { body, idempotency_key: idempotencyKey } = args;
    return askPlatform(
      this.#api,
      { method, path, queries: [args.query, query], headers, body, idempotencyKey },
      signal,
    );
  }

  async *#allAccounts({
    args,
    signal,
    limit = Number.POSITIVE_INFINITY,
  }: ReadRequest): AsyncGenerator<Batch> {
    const { q, integration } = parseInput(unifiedAccountsArgs, args ?? {}, 'the arguments of "accounts"');
    const asked = { limit: ACCOUNTS_PAGE, ...(q && { q }), ...(integration && { integration }) };
    let left = limit;
    let cursor: string | null = '';
    while (cursor !== null && left > 0) {
      const from: string = cursor;
      const page = await this.#provider.accounts({ ...asked, ...(from && { cursor: from }) }, signal);
      const rows = page.accounts.slice(0, left).map((account) => ({ ...account }));
      left -= rows.length;
      if (rows.length > 0) yield { columns: ACCOUNT_COLUMNS, rows };
      cursor = page.next_cursor;
    }
  }
}

export async function connectUnifiedApi(given: unknown, context: ConnectContext): Promise<Connection> {
  const config = parseInput(unifiedApiConfig, given, 'the configuration of a unified_api connector');
  const { provider, token, timeout_ms, max_response_bytes, retry, rate_limit, idempotency_header } = config;
  const base_url = config.base_url ?? (provider === 'truto' ? TRUTO_URL : NANGO_URL);
  const common = { timeout_ms, max_response_bytes, retry, rate_limit, idempotency_header };
  const http = httpConfig.parse({ ...common, base_url, auth: { type: 'bearer' }, token });
  return new UnifiedApiConnection(config, await openApi(http, context));
}
