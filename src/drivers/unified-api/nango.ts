import { isRecord } from '../../base/json.ts';
import { type Column, ConnectorError, type Resource } from '../driver.ts';
import type { OpenApi } from '../http/open-api.ts';
import { valueAt } from '../http/value-at.ts';
import type {
  AccountsPage,
  AccountsRequest,
  IntegratedAccount,
  OauthApp,
  OauthApps,
} from '../integration.ts';
import { cursorText } from '../page/page-cursor.ts';
import type { UnifiedApiConfig, UnifiedListArgs } from './config.ts';
import { askPlatform, decodeCursor, withoutSecret } from './platform-api.ts';
import { cursorPaging, type Provider, segments } from './provider.ts';

export const NANGO_URL = 'https://api.nango.dev';
/** Records that Nango has synced, by the name of their model. */
const RECORDS = /^records\/([^/]+)$/;

/** Nango: `records/Contact` are synced records, anything else is a path of the integration's API. Source: nango.dev/docs/reference. */
export function nangoProvider(api: OpenApi, config: UnifiedApiConfig): Provider {
  const headersOf = (account: string) => {
    const slash = account.indexOf('/');
    const integration = slash < 0 ? config.integration : account.slice(0, slash);
    if (integration === undefined)
      throw new ConnectorError(
        'CONFIG',
        `Write the account as "integration/${account}", or set "integration"`,
      );
    return { 'connection-id': account.slice(slash + 1), 'provider-config-key': integration };
  };
  const proxy = (account: string, path: string) => ({
    path: `proxy/${path}`,
    query: {},
    headers: headersOf(account),
  });
  return {
    accounts: (request, signal) => accountsOf(api, request, signal),
    resources: async (account, surface, signal) =>
      surface === 'proxy' ? [] : modelsOf(api, headersOf(account)['provider-config-key'], signal),
    columns: async (account, resource, signal) => {
      const [, model] = RECORDS.exec(resource) ?? [];
      return model === undefined
        ? null
        : fieldsOf(api, headersOf(account)['provider-config-key'], model, signal);
    },
    listOf: (account, args) => listOf(headersOf(account), args, config.page_size),
    recordPlace: (account, resource, id) => {
      const [, model] = RECORDS.exec(resource) ?? [];
      if (model === undefined)
        return {
          ...proxy(account, `${segments(resource)}/${encodeURIComponent(id)}`),
          record: (answer: unknown) => answer,
        };
      const byId = (answer: unknown) => {
        const found = valueAt(answer, 'records');
        const records: readonly unknown[] = Array.isArray(found) ? found : [];
        return records.find((one) => String(valueAt(one, 'id')) === id) ?? null;
      };
      return { path: 'records', query: { model, ids: id }, headers: headersOf(account), record: byId };
    },
    writePlace: (account, resource, id) => {
      if (RECORDS.test(resource))
        throw new ConnectorError(
          'CONFIG',
          `"${resource}" are records that Nango has synced, which only a sync changes; name a path of the integration’s API`,
        );
      return proxy(
        account,
        id === null ? segments(resource) : `${segments(resource)}/${encodeURIComponent(id)}`,
      );
    },
    proxyPlace: (account, path) => proxy(account, path.replace(/^\/+/, '')),
    oauthApps: oauthAppsOf(api, config),
  };
}

function listOf(
  headers: Readonly<Record<string, string>>,
  args: UnifiedListArgs,
  size: number,
): ReturnType<Provider['listOf']> {
  const [, model] = RECORDS.exec(args.resource) ?? [];
  const { columns = null, filter = null, incremental = null, records, paginate } = args;
  const common = { name: args.resource, columns, filter, incremental };
  const request = { method: 'GET' as const, headers, body: undefined, format: 'json' as const };
  if (model === undefined)
    return {
      ...common,
      resource: { ...request, path: `proxy/${segments(args.resource)}` },
      query: args.query,
      records: records ?? null,
      paging: paginate ?? { type: 'none' },
      primaryKey: [],
    };
  return {
    ...common,
    resource: { ...request, path: 'records' },
    query: { ...args.query, model },
    records: records ?? 'records',
    paging: paginate ?? cursorPaging('cursor', size),
    primaryKey: ['id'],
  };
}

async function accountsOf(
  api: OpenApi,
  { limit, cursor, q, integration }: AccountsRequest,
  signal: AbortSignal,
): Promise<AccountsPage> {
  const { page } = cursor === undefined ? { page: 0 } : decodeCursor(cursor, isPage);
  const query = { limit, page, search: q ?? null, integrationId: integration ?? null };
  const answer = await askPlatform(api, { path: 'connections', queries: [query] }, signal);
  const found = valueAt(answer, 'connections');
  const accounts = (Array.isArray(found) ? found : []).map(accountOf);
  return { accounts, next_cursor: accounts.length < limit ? null : cursorText({ page: page + 1 }) };
}

function accountOf(value: unknown): IntegratedAccount {
  const text = (path: string) => {
    const found = valueAt(value, path);
    return typeof found === 'string' && found !== '' ? found : null;
  };
  const integration = text('provider_config_key') ?? '';
  const errors = valueAt(value, 'errors');
  return {
    id: `${integration}/${text('connection_id')}`,
    label: text('end_user.display_name') ?? text('end_user.email'),
    tenant_id: text('end_user.organization.id') ?? text('end_user.id') ?? '',
    integration_name: integration,
    status: Array.isArray(errors) && errors.length > 0 ? 'error' : 'active',
  };
}

function isPage(value: unknown): value is { readonly page: number } {
  return isRecord(value) && Number.isSafeInteger(value['page']) && Number(value['page']) >= 0;
}

async function syncsOf(api: OpenApi, integration: string, signal: AbortSignal): Promise<readonly unknown[]> {
  const answer = await askPlatform(api, { path: 'scripts/config' }, signal);
  const found = (Array.isArray(answer) ? answer : []).find(
    (one) => valueAt(one, 'providerConfigKey') === integration,
  );
  const syncs = valueAt(found, 'syncs');
  return Array.isArray(syncs) ? syncs : [];
}

async function modelsOf(
  api: OpenApi,
  integration: string,
  signal: AbortSignal,
): Promise<readonly Resource[]> {
  const names = (await syncsOf(api, integration, signal)).flatMap((sync) => {
    const returns = valueAt(sync, 'returns');
    return Array.isArray(returns) ? returns.filter((one) => typeof one === 'string') : [];
  });
  return [...new Set(names)].map((name) => ({ name: `records/${name}`, type: 'unified' }));
}

async function fieldsOf(
  api: OpenApi,
  integration: string,
  model: string,
  signal: AbortSignal,
): Promise<readonly Column[] | null> {
  const models = (await syncsOf(api, integration, signal)).flatMap((sync) => {
    const found = valueAt(sync, 'models');
    return Array.isArray(found) ? found : [];
  });
  const fields = valueAt(
    models.find((one) => valueAt(one, 'name') === model),
    'fields',
  );
  if (!Array.isArray(fields)) return null;
  return fields.map((field) => {
    const [name, value] = [String(valueAt(field, 'name')), valueAt(field, 'value')];
    const isPlain = valueAt(field, 'array') !== true && valueAt(field, 'model') !== true;
    const type = isPlain && ['string', 'number', 'boolean'].includes(String(value)) ? value : 'json';
    return {
      name,
      type: type as Column['type'],
      nullable: valueAt(field, 'optional') === true,
      ...(name === 'id' && { key: true }),
    };
  });
}

const OAUTH_TYPES = ['OAUTH1', 'OAUTH2'];

function oauthAppsOf(api: OpenApi, { integration, needs_byoa }: UnifiedApiConfig): OauthApps {
  const path = () => {
    if (integration === undefined)
      throw new ConnectorError('CONFIG', 'Set "integration" of the connector to select the OAuth app');
    return `integrations/${encodeURIComponent(integration)}`;
  };
  const found = async (signal: AbortSignal) =>
    valueAt(await askPlatform(api, { path: path(), queries: [{ include: 'credentials' }] }, signal), 'data');
  const get = async (signal: AbortSignal): Promise<OauthApp> => {
    const data = await found(signal);
    const format = valueAt(data, 'credentials.type');
    const client = valueAt(data, 'credentials.client_id');
    const isOauth = OAUTH_TYPES.includes(String(format));
    const configured = isOauth && typeof client === 'string' && client !== '';
    return {
      needs_byoa: isOauth && (!configured || needs_byoa.includes(integration ?? '')),
      configured,
      oauth_app_mode: configured ? 'byoa' : null,
      ...(configured && { client_id: client }),
      format: typeof format === 'string' ? format : null,
      installed_integration_id: String(valueAt(data, 'unique_key') ?? integration),
    };
  };
  return {
    get,
    put: async ({ client_id, client_secret, format }, signal) => {
      const data = await found(signal);
      const type = format ?? valueAt(data, 'credentials.type') ?? 'OAUTH2';
      if (!OAUTH_TYPES.includes(String(type)))
        throw new ConnectorError(
          'CONFIG',
          `The integration "${integration}" has no OAuth app of the format "${type}"`,
        );
      const scopes = valueAt(data, 'credentials.scopes');
      const credentials = { type, client_id, client_secret, ...(typeof scopes === 'string' && { scopes }) };
      await askPlatform(api, { method: 'PATCH', path: path(), body: { credentials } }, signal).catch(
        (error: unknown) => {
          throw withoutSecret(error, client_secret);
        },
      );
      return get(signal);
    },
  };
}
