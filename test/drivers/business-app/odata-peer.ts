import type { ServerResponse } from 'node:http';
import type { Test } from 'tap';
import { type HttpReceiver, type Received, startReceiver } from '../../support/http-receiver.ts';
import { filterOf, orderOf } from './odata-filter.ts';

export const ODATA_TOKEN = 'odata-t0ken';
export type Entity = Record<string, unknown>;
export const guid = (n: number) => `5a1b0000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** Two schemas, an alias, a base type, an enumeration, a type definition, a complex type, and annotations, as real services have. */
export const METADATA = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
 <edmx:DataServices>
  <Schema Namespace="Shop.Base" Alias="b" xmlns="http://docs.oasis-open.org/odata/ns/edm">
   <EntityType Name="record" Abstract="true">
    <Key><PropertyRef Name="id"/></Key>
    <Property Name="id" Type="Edm.Guid" Nullable="false"/>
    <Property Name="modifiedon" Type="Edm.DateTimeOffset"/>
   </EntityType>
   <EnumType Name="Status"><Member Name="Open" Value="0"/><Member Name="Closed" Value="1"/></EnumType>
   <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal"/>
   <ComplexType Name="Address"><Property Name="city" Type="Edm.String"/><Property Name="zip" Type="Edm.String"/></ComplexType>
  </Schema>
  <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
   <EntityType Name="customer" BaseType="b.record">
    <Property Name="name" Type="Edm.String" MaxLength="200"/>
    <Property Name="revenue" Type="Edm.Decimal" Precision="19" Scale="4"/>
    <Property Name="credit" Type="b.Money"/>
    <Property Name="visits" Type="Edm.Int64"/>
    <Property Name="rating" Type="Edm.Int32"/>
    <Property Name="score" Type="Edm.Double"/>
    <Property Name="active" Type="Edm.Boolean"/>
    <Property Name="born" Type="Edm.Date"/>
    <Property Name="status" Type="b.Status"/>
    <Property Name="photo" Type="Edm.Binary"/>
    <Property Name="portrait" Type="Edm.Stream"/>
    <Property Name="address" Type="b.Address"/>
    <Property Name="tags" Type="Collection(Edm.String)"/>
    <NavigationProperty Name="lines" Type="Collection(Shop.line)"/>
    <Annotation Term="Org.OData.Core.V1.Description" String="A customer &amp; more"/>
   </EntityType>
   <EntityType Name="line">
    <Key><PropertyRef Name="order"/><PropertyRef Name="line"/></Key>
    <Property Name="order" Type="Edm.Int32" Nullable="false"/>
    <Property Name="line" Type="Edm.Int32" Nullable="false"/>
    <Property Name="text" Type="Edm.String"/>
   </EntityType>
   <Function Name="Total"><Parameter Name="city" Type="Edm.String"/><Parameter Name="since" Type="Edm.Date"/><ReturnType Type="Edm.Decimal"/></Function>
   <Action Name="Close" IsBound="true"><Parameter Name="it" Type="Shop.customer"/><Parameter Name="note" Type="Edm.String"/></Action>
   <EntityContainer Name="Container">
    <EntitySet Name="customers" EntityType="Shop.customer"/>
    <EntitySet Name="lines" EntityType="Shop.line"/>
    <Singleton Name="me" Type="Shop.customer"/>
    <FunctionImport Name="Total" Function="Shop.Total"/>
   </EntityContainer>
  </Schema>
 </edmx:DataServices>
</edmx:Edmx>`;

export interface OdataPeer {
  readonly base: string;
  readonly receiver: HttpReceiver;
  readonly customers: Entity[];
  readonly lines: Entity[];
  metadata: string;
  /** Most records of a page, whatever is asked for; with `ignoresTop` every answer ends with a link, as those of Dataverse. */
  pageMax: number;
  /** Statuses of the next answers, in place of their own. */
  readonly failures: number[];
  /** The same for requests for records, those within a batch included; 0 for none. */
  readonly recordFailures: number[];
  /** A token that requests which write must carry; null for none. */
  csrf: string | null;
  /** Called before each answer; true where it has answered. */
  hook: (response: ServerResponse, request: Received) => boolean;
}

type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/** A small OData 4 service on loopback, written from the standard: what the driver uses of it, and its faults. */
export async function startOdata(t: Test, count = 5): Promise<OdataPeer> {
  const receiver = await startReceiver(t);
  const peer: OdataPeer = {
    base: `http://127.0.0.1:${receiver.port}/odata/v4`,
    receiver,
    customers: Array.from({ length: count }, (_, index) => customerOf(index + 1)),
    lines: [
      { order: 1, line: 1, text: "it's" },
      { order: 1, line: 2, text: null },
    ],
    metadata: METADATA,
    pageMax: 1_000,
    failures: [],
    recordFailures: [],
    csrf: null,
    hook: () => false,
  };
  receiver.answer = (response, request) => {
    if (peer.hook(response, request)) return;
    const [status, body, headers] = answerOf(peer, request);
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'content-type': isText ? 'application/xml' : 'application/json;odata.metadata=minimal',
      'odata-version': '4.0',
      ...headers,
    });
    response.end(body === undefined ? '' : isText ? body : JSON.stringify(body));
  };
  return peer;
}

export function customerOf(n: number): Entity {
  return {
    id: guid(n),
    modifiedon: `2026-01-${String(1 + (n % 28)).padStart(2, '0')}T00:00:00Z`,
    name: `Customer ${n}`,
    revenue: `${n}.5000`,
    credit: '0.1',
    visits: '9007199254740993',
    rating: n % 5,
    score: n / 4,
    active: n % 2 === 0,
    born: '2000-02-29',
    status: n % 2 === 0 ? 'Open' : 'Closed',
    photo: 'AAH_',
    address: { city: n % 2 === 0 ? 'Bonn' : "Val d'Isère", zip: '01234' },
    tags: ['a', 'b'],
  };
}

function answerOf(peer: OdataPeer, request: Received): Answer {
  const { pathname, searchParams } = new URL(request.path, peer.base);
  if (request.headers.authorization !== `Bearer ${ODATA_TOKEN}`) return fault(401, 'Who are you?');
  const path = decodeURIComponent(pathname.replace(/^\/odata\/v4\/?/, ''));
  if (path === '' && request.headers['x-csrf-token'] === 'Fetch' && peer.csrf !== null)
    return [
      200,
      root(),
      {
        'x-csrf-token': peer.csrf,
        'set-cookie': 'session=s1; Path=/; Expires=Wed, 01 Jan 2030 00:00:00 GMT',
      },
    ];
  const failure = peer.failures.shift();
  if (failure !== undefined) return [...fault(failure, 'Not now'), { 'retry-after': '0' }];
  if (path === '') return [200, root()];
  if (path === '$metadata') return metadataOf(peer, request);
  const writes = request.method !== 'GET';
  const isProven = request.headers['x-csrf-token'] === peer.csrf && request.headers.cookie === 'session=s1';
  if (writes && peer.csrf !== null && !isProven) return fault(403, 'CSRF token validation failed');
  if (path === '$batch') return batchOf(peer, request);
  return dataOf(peer, request, path, searchParams);
}

function root(): unknown {
  return { value: ['customers', 'lines', 'me'].map((name) => ({ name, kind: 'EntitySet', url: name })) };
}

function metadataOf({ metadata }: OdataPeer, { headers }: Received): Answer {
  const etag = `W/"${metadata.length}"`;
  return headers['if-none-match'] === etag ? [304] : [200, metadata, { etag }];
}

function fault(status: number, message: string): [number, unknown] {
  return [status, { error: { code: String(status), message } }];
}

function dataOf(peer: OdataPeer, request: Received, path: string, query: URLSearchParams): Answer {
  const failure = peer.recordFailures.shift() ?? 0;
  if (failure > 0) return [...fault(failure, 'Not now'), { 'retry-after': '0' }];
  if (path.startsWith('Total(')) return [200, { value: '12.30', path, query: Object.fromEntries(query) }];
  const found = /^(\w+)(?:\((.*?)\))?(?:\/([\w.$]+))?$/.exec(path);
  const [, set = '', key, rest] = found ?? [];
  if (set === 'me')
    return [200, { '@odata.context': '$metadata#me', ...customerOf(1), '@odata.etag': 'W/"1"' }];
  const all = set === 'customers' ? peer.customers : set === 'lines' ? peer.lines : null;
  if (all === null) return fault(404, `No "${set}" here`);
  if (rest === '$count') {
    const filter = query.get('$filter');
    return [200, filter === null ? all.length : all.filter(filterOf(filter)).length];
  }
  if (key !== undefined) return recordOf(all, request, key, rest);
  if (request.method === 'POST') return created(all, request);
  try {
    return listOf(peer, all, request, query);
  } catch (error) {
    return fault(400, (error as Error).message);
  }
}

function listOf(peer: OdataPeer, all: readonly Entity[], request: Received, query: URLSearchParams): Answer {
  const filter = query.get('$filter');
  const found = filter === null ? [...all] : all.filter(filterOf(filter));
  for (const key of (query.get('$orderby')?.split(',') ?? []).reverse()) {
    const [name = '', direction] = key.split(' ');
    found.sort((a, b) => orderOf(a[name] ?? null, b[name] ?? null) * (direction === 'desc' ? -1 : 1));
  }
  const wish = /odata\.maxpagesize=(\d+)/.exec(String(request.headers['prefer'] ?? ''));
  const size = Math.min(peer.pageMax, Number(wish?.[1] ?? Number.POSITIVE_INFINITY));
  const from = Number(query.get('$skiptoken') ?? query.get('$skip') ?? 0);
  const top = Number(query.get('$top') ?? Number.POSITIVE_INFINITY);
  const page = found.slice(from, from + Math.min(top, size));
  const next = new URL(request.path, peer.base);
  next.searchParams.set('$skiptoken', String(from + size));
  const isLast = top <= size || from + size >= found.length;
  const select = query.get('$select')?.split(',');
  const isExact = String(request.headers.accept).includes('IEEE754Compatible=true');
  return [
    200,
    {
      '@odata.context': '$metadata#list',
      value: page.map((entity) => shown(entity, select, isExact)),
      ...(!isLast && { '@odata.nextLink': next.href }),
    },
  ];
}

function shown(entity: Entity, select: readonly string[] | undefined, isExact: boolean): Entity {
  const values = Object.entries(entity).filter(([name]) => select === undefined || select.includes(name));
  const plain = values.map(([name, value]) => [
    name,
    !isExact && ['revenue', 'credit', 'visits'].includes(name) ? Number(value) : value,
  ]);
  return { '@odata.etag': etagOf(entity), ...Object.fromEntries(plain) };
}

export function etagOf(entity: Entity): string {
  return `W/"${JSON.stringify(entity).length}-${String(entity['name'])}"`;
}

function matches(entity: Entity, key: string): boolean {
  const parts = key.includes('=') ? key.split(',').map((part) => part.split('=')) : [['id', key]];
  return parts.every(
    ([name = '', value = '']) => String(entity[name]) === value.replace(/^'|'$/g, '').replaceAll("''", "'"),
  );
}

function recordOf(
  all: Entity[],
  { method, headers, body }: Received,
  key: string,
  rest: string | undefined,
): Answer {
  const index = all.findIndex((entity) => matches(entity, key));
  const entity = all[index];
  const wanted = headers['if-match'];
  if (entity === undefined && method === 'PATCH' && wanted === undefined) {
    all.push({ id: key, ...(JSON.parse(body) as Entity) });
    return [201, all.at(-1)];
  }
  if (entity === undefined) return fault(404, `No record ${key}`);
  if (rest !== undefined)
    return [200, { '@odata.context': '$metadata', did: rest, with: JSON.parse(body) as unknown }];
  if (wanted !== undefined && wanted !== '*' && wanted !== etagOf(entity)) return fault(412, 'Changed');
  if (method === 'DELETE') {
    all.splice(index, 1);
    return [204];
  }
  if (method === 'PATCH') Object.assign(entity, JSON.parse(body));
  return [200, { '@odata.context': '$metadata#one', ...shown(entity, undefined, true) }];
}

function created(all: Entity[], { body }: Received): Answer {
  const entity = JSON.parse(body) as Entity;
  if (entity['name'] === 'taken') return fault(400, 'The name is taken');
  all.push({ id: guid(1_000 + all.length), ...entity });
  return [201, { '@odata.context': '$metadata#one', ...all.at(-1) }];
}

interface BatchPart {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly atomicityGroup?: string;
}

function batchOf(peer: OdataPeer, request: Received): Answer {
  const { requests } = JSON.parse(request.body) as { readonly requests: readonly BatchPart[] };
  const goesOn = String(request.headers['prefer'] ?? '').includes('odata.continue-on-error');
  const before = structuredClone([...peer.customers]);
  const responses: unknown[] = [];
  for (const part of requests) {
    const body = part.body === undefined ? '' : JSON.stringify(part.body);
    const inner = {
      ...request,
      method: part.method,
      body,
      headers: { ...part.headers },
      path: `/odata/v4/${part.url}`,
    };
    const { pathname, searchParams } = new URL(inner.path, peer.base);
    const records = decodeURIComponent(pathname.replace('/odata/v4/', ''));
    const [status, answered, headers] = dataOf(peer, inner, records, searchParams);
    if (status >= 400 && part.atomicityGroup !== undefined) {
      peer.customers.splice(0, peer.customers.length, ...before);
      return [200, { responses: [{ id: part.id, status, body: answered }] }];
    }
    responses.push({ id: part.id, status, headers, body: answered });
    if (status >= 400 && !goesOn) break;
  }
  return [200, { responses }];
}
