import type { Driver, ResourceView } from '../driver.ts';
import {
  proxyArgs,
  proxyGetArgs,
  unifiedAccountsArgs,
  unifiedApiConfig,
  unifiedCreateArgs,
  unifiedDeleteArgs,
  unifiedGetArgs,
  unifiedListArgs,
  unifiedUpdateArgs,
} from './config.ts';

const load = () => import('./connect.ts');

/** A page is of the configuration's account, and of a list without further parameters. */
function wholeResource(args: unknown): ResourceView | null {
  const parsed = unifiedListArgs.safeParse(args ?? {});
  if (!parsed.success) return null;
  const { resource, filter, columns, query, ...others } = parsed.data;
  if (Object.keys(query).length > 0 || Object.values(others).some((value) => value !== undefined))
    return null;
  return {
    resource,
    ...(filter === undefined ? {} : { filter }),
    ...(columns === undefined ? {} : { columns }),
  };
}

/** The accounts of customers at many integrations, through a platform that holds them. A scope is arguments, which win over the call's. */
export const unifiedApiDriver: Driver = {
  type: 'unified_api',
  title: 'Unified API (Truto, Nango)',
  capabilities: { write: [], introspect: true },
  config: unifiedApiConfig,
  secrets: ['token'],
  hostKeys: ['provider', 'base_url'],
  methods: [
    {
      name: 'list',
      summary: 'Reads the records of a resource, page by page',
      kind: 'rows',
      args: unifiedListArgs,
      scope: { kind: 'args' },
      cursor: { kind: 'conditions', arg: 'filter', param: 'incremental' },
      pageOf: wholeResource,
    },
    {
      name: 'accounts',
      summary: 'Reads the accounts connected by customers',
      kind: 'rows',
      args: unifiedAccountsArgs,
    },
    {
      name: 'get',
      summary: 'Returns a record by its id',
      kind: 'value',
      args: unifiedGetArgs,
      scope: { kind: 'args' },
    },
    {
      name: 'proxy_get',
      summary: 'Returns the response of the integration’s own API to a GET',
      kind: 'value',
      args: proxyGetArgs,
      scope: { kind: 'args' },
    },
    { name: 'create', summary: 'Creates a record', kind: 'write', args: unifiedCreateArgs },
    { name: 'update', summary: 'Changes fields of a record', kind: 'write', args: unifiedUpdateArgs },
    { name: 'delete', summary: 'Deletes a record', kind: 'write', args: unifiedDeleteArgs },
    {
      name: 'proxy',
      summary: 'Sends a request to the integration’s own API',
      kind: 'write',
      args: proxyArgs,
    },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectUnifiedApi(config, context),
};
