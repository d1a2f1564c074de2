import { isRecord } from '../../../base/json.ts';
import type { Column, ColumnType, Resource } from '../../driver.ts';
import type { OpenApi } from '../../http/open-api.ts';
import { valueAt } from '../../http/value-at.ts';
import type { UnifiedApiConfig, UnifiedListArgs } from '../config.ts';
import { askPlatform } from '../platform-api.ts';
import { cursorPaging, type Provider, segments } from '../provider.ts';
import { trutoAccounts } from './truto-accounts.ts';
import { trutoOauthApps } from './truto-oauth.ts';

export const TRUTO_URL = 'https://api.truto.one';

const TYPES: Readonly<Record<string, ColumnType>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  object: 'json',
  array: 'json',
};

/** Truto: `crm/contacts` is a resource of a unified API, `contacts` one of the integration. Source: truto.one/docs/api-reference. */
export function trutoProvider(api: OpenApi, config: UnifiedApiConfig): Provider {
  const place = (account: string, path: string) => ({
    path,
    query: { integrated_account_id: account },
    headers: {},
  });
  const record = (answer: unknown) => answer;
  return {
    accounts: (request, signal) => trutoAccounts(api, request, signal),
    resources: async (account, surface, signal) => {
      const path = `integrated-account/${encodeURIComponent(account)}/capabilities`;
      const queries = [{ type: surface, has_description: false }];
      const answer = await askPlatform(api, { path, queries }, signal);
      return [...unifiedOf(answer), ...proxyOf(answer)].filter(
        ({ type }) => surface === 'all' || type === surface,
      );
    },
    columns: async (account, resource, signal) => {
      if (!resource.includes('/')) return null;
      const { query } = place(account, '');
      const path = `unified/${segments(resource)}/meta/list`;
      const answer = await askPlatform(api, { path, queries: [query] }, signal);
      return columnsOf(answer);
    },
    listOf: (account, args) => listOf(place(account, pathOf(args.resource)), args, config.page_size),
    recordPlace: (account, resource, id) => ({
      ...place(account, `${pathOf(resource)}/${encodeURIComponent(id)}`),
      record,
    }),
    writePlace: (account, resource, id) =>
      place(account, id === null ? pathOf(resource) : `${pathOf(resource)}/${encodeURIComponent(id)}`),
    proxyPlace: (account, path) => place(account, `proxy/${path.replace(/^\/+/, '')}`),
    oauthApps: trutoOauthApps(api, config),
  };
}

function pathOf(resource: string): string {
  return `${resource.includes('/') ? 'unified' : 'proxy'}/${segments(resource)}`;
}

function listOf(
  { path, query }: { readonly path: string; readonly query: UnifiedListArgs['query'] },
  args: UnifiedListArgs,
  size: number,
): ReturnType<Provider['listOf']> {
  return {
    name: args.resource,
    resource: { path, method: 'GET', headers: {}, body: undefined, format: 'json' },
    query: { ...args.query, ...query },
    records: args.records ?? 'result',
    ...(args.records === undefined && { orRecords: 'results' }),
    paging: args.paginate ?? cursorPaging('next_cursor', size),
    incremental: args.incremental ?? null,
    columns: args.columns ?? null,
    primaryKey: ['id'],
    filter: args.filter ?? null,
  };
}

function unifiedOf(answer: unknown): Resource[] {
  return listAt(answer, 'unified.resources').flatMap((one) => {
    const [model, name] = [valueAt(one, 'api_name'), valueAt(one, 'name')];
    return typeof model === 'string' && typeof name === 'string'
      ? [{ name: `${model}/${name}`, type: 'unified' }]
      : [];
  });
}

function proxyOf(answer: unknown): Resource[] {
  return listAt(answer, 'proxy.resources').flatMap((one) => {
    const name = valueAt(one, 'name');
    return typeof name === 'string' ? [{ name, type: 'proxy' }] : [];
  });
}

function columnsOf(answer: unknown): readonly Column[] | null {
  const populated = valueAt(answer, 'response_schema.properties');
  const properties =
    isRecord(populated) && Object.keys(populated).length > 0
      ? populated
      : valueAt(answer, 'schema.properties');
  if (!isRecord(properties)) return null;
  return Object.entries(properties).map(([name, property]) => {
    const type = String(valueAt(property, 'type') ?? '');
    const isTime = valueAt(property, 'format') === 'date-time';
    return {
      name,
      type: isTime ? 'timestamp' : (TYPES[type] ?? 'unknown'),
      nullable: name !== 'id',
      ...(type !== '' && { native_type: type }),
      ...(name === 'id' && { key: true }),
    };
  });
}

function listAt(value: unknown, path: string): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}
