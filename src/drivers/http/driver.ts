import type { Driver, ResourceView } from '../driver.ts';
import { AUTH_SECRET_NAMES } from './auth/auth-config.ts';
import { httpConfig } from './config.ts';
import { httpGetArgs, httpListArgs, httpRequestArgs } from './request-args.ts';

/** What one request may hold at most. */
const writeBatchRows = 1_000;

const load = () => import('./connect.ts');

/** A page shows a resource as the configuration says, so that a call which says otherwise has none. */
function wholeResource(args: unknown): ResourceView | null {
  const parsed = httpListArgs.safeParse(args ?? {});
  if (!parsed.success) return null;
  const { resource, filter, columns, query, headers, ...others } = parsed.data;
  const isPlain = Object.keys(query).length === 0 && Object.keys(headers).length === 0;
  const says = Object.values(others).some((value) => value !== undefined);
  if (resource === undefined || !isPlain || says) return null;
  return {
    resource,
    ...(filter === undefined ? {} : { filter }),
    ...(columns === undefined ? {} : { columns }),
  };
}

/** APIs over HTTP: lists page by page, single values, and requests that write. Everything goes through the outbound rules. */
export const httpDriver: Driver = {
  type: 'http',
  title: 'HTTP API',
  capabilities: {
    write: ['append', 'upsert', 'merge', 'delete'],
    introspect: true,
    writeBatchRows,
    keepsWhatWasSent: true,
  },
  config: httpConfig,
  secrets: AUTH_SECRET_NAMES,
  hostKeys: ['base_url', 'auth'],
  methods: [
    {
      name: 'list',
      summary: 'Reads the records of a list, page by page',
      kind: 'rows',
      args: httpListArgs,
      scope: { kind: 'conditions', arg: 'filter' },
      cursor: { kind: 'conditions', arg: 'filter', param: 'incremental' },
      pageOf: wholeResource,
      tellsMalformed: true,
    },
    { name: 'get', summary: 'Returns the response to a GET request', kind: 'value', args: httpGetArgs },
    { name: 'request', summary: 'Sends a request that may write', kind: 'write', args: httpRequestArgs },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectHttp(config, context),
};
