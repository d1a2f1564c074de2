import type { Test } from 'tap';
import { isRecord } from '../../../src/base/json.ts';
import { type HttpReceiver, type Received, startReceiver } from '../../support/http-receiver.ts';

export const TRUTO_TOKEN = 'truto-t0ken';
const uuid = (n: number) => `1ba1f401-7183-47c5-9e39-${String(n).padStart(12, '0')}`;

export interface TrutoPeer {
  readonly base: string;
  readonly receiver: HttpReceiver;
  readonly contacts: Record<string, unknown>[];
  /** Of the installed integration. */
  override: Record<string, unknown>;
  /** Statuses of the next answers, in place of their own. */
  readonly failures: number[];
}

/** What the driver uses of Truto, as truto.one/docs/api-reference describes it: 250 accounts, and contacts of a CRM. */
export async function startTruto(t: Test): Promise<TrutoPeer> {
  const receiver = await startReceiver(t);
  const base = `http://127.0.0.1:${receiver.port}`;
  const peer: TrutoPeer = { base, receiver, contacts: contactsOf(5), override: {}, failures: [] };
  receiver.answer = (response, request) => {
    const failure = peer.failures.shift();
    const [status, body] =
      request.headers.authorization === `Bearer ${TRUTO_TOKEN}`
        ? failure === undefined
          ? answerOf(peer, request, new URL(request.path, base))
          : [failure, { error: 'busy' }]
        : [401, { error: 'Unauthorized' }];
    response.writeHead(status as number, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify(body));
  };
  return peer;
}

function contactsOf(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `c${index + 1}`,
    first_name: `Contact ${index + 1}`,
    updated_at: `2026-01-0${index + 1}T00:00:00.000Z`,
  }));
}

export const TRUTO_ACCOUNTS = Array.from({ length: 250 }, (_, index) => ({
  id: uuid(index),
  tenant_id: index % 100 === 0 ? 'acme' : `tenant-${index}${index === 249 ? '-acme' : ''}`,
  status: index === 3 ? 'needs_reauth' : 'active',
  environment_integration: { integration: { name: index % 2 === 0 ? 'hubspot' : 'zendesk', label: 'CRM' } },
}));

type Answer = readonly [status: number, body: unknown];

function answerOf(peer: TrutoPeer, request: Received, { pathname, searchParams }: URL): Answer {
  const [, first, second, third, fourth] = pathname.split('/').map(decodeURIComponent);
  if (first === 'integrated-account' && second === undefined) return [200, accountsPage(searchParams)];
  if (first === 'integrated-account' && third === 'capabilities') return [200, capabilities(searchParams)];
  if (first === 'integrated-account') {
    const found = TRUTO_ACCOUNTS.find(({ id }) => id === second);
    return found === undefined ? [404, { error: 'not found' }] : [200, found];
  }
  if (first === 'environment-integration') return integration(peer, request);
  if (first === 'unified' && pathname.endsWith('/meta/list'))
    return second === 'crm' ? [200, META] : [404, { error: 'no such resource' }];
  if (searchParams.get('integrated_account_id') !== uuid(0)) return [404, { error: 'no such account' }];
  const id = first === 'unified' ? fourth : third;
  return contact(peer, request, id, searchParams);
}

function accountsPage(query: URLSearchParams): unknown {
  const [tenant, name] = [query.get('tenant_id'), query.get('integration.name')];
  const found = TRUTO_ACCOUNTS.filter(
    ({ tenant_id, environment_integration }) =>
      (tenant === null || tenant_id === tenant) &&
      (name === null || environment_integration.integration.name === name),
  );
  return page(found, query);
}

function page(all: readonly unknown[], query: URLSearchParams, key = 'result'): unknown {
  const [from, limit] = [Number(query.get('next_cursor') ?? 0), Number(query.get('limit') ?? 10)];
  const next = from + limit < all.length ? String(from + limit) : null;
  return { [key]: all.slice(from, from + limit), next_cursor: next, limit };
}

function capabilities(query: URLSearchParams): unknown {
  const type = query.get('type');
  return {
    integration: { slug: 'hubspot' },
    unified: {
      resources: type === 'proxy' ? [] : [{ api_name: 'crm', name: 'contacts', methods: ['list'] }],
    },
    proxy: { resources: type === 'unified' ? [] : [{ name: 'contacts', methods: [] }] },
  };
}

const META = {
  method: 'list',
  schema: { type: 'object', properties: { id: { type: 'string' }, owner: { type: 'object' } } },
  response_schema: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      first_name: { type: 'string' },
      updated_at: { type: 'string', format: 'date-time' },
    },
  },
};

function integration(peer: TrutoPeer, { method, body, path }: Received): Answer {
  if (method === 'PATCH') {
    const { override } = JSON.parse(body) as { override: Record<string, unknown> };
    const echoed = JSON.stringify(override);
    if (echoed.includes('wrong')) return [422, { error: `cannot use ${echoed}` }];
    peer.override = override;
    return [200, {}];
  }
  if (!path.includes('integration.name=hubspot')) return [200, { result: [], next_cursor: null }];
  const credentials = {
    oauth2: { format: 'oauth2', config: { client: { id: '' }, auth: { tokenPath: '/t' } } },
  };
  const installed = { id: 'installed-1', override: peer.override, integration: { config: { credentials } } };
  return [200, { result: [installed], next_cursor: null }];
}

function contact(
  peer: TrutoPeer,
  { method, body, path }: Received,
  id: string | undefined,
  query: URLSearchParams,
): Answer {
  const { contacts } = peer;
  const given: unknown = body === '' ? {} : JSON.parse(body);
  if (method === 'POST' && isRecord(given)) {
    const made = { id: `c${contacts.length + 1}`, ...given };
    contacts.push(made);
    return [201, made];
  }
  if (id === undefined) {
    const after = query.get('updated_at[gte]') ?? '';
    const found = contacts.filter(({ updated_at }) => String(updated_at) >= after);
    return [200, page(found, query, path.startsWith('/proxy') ? 'results' : 'result')];
  }
  const found = contacts.find((one) => one['id'] === id);
  if (found === undefined) return [404, { error: 'no contact', truto_is_remote_error: true }];
  if (method === 'DELETE') contacts.splice(contacts.indexOf(found), 1);
  else Object.assign(found, given);
  return [200, method === 'DELETE' ? { id } : found];
}
