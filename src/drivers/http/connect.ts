import { createOutbound, type Outbound } from '../../base/outbound/outbound.ts';
import { outboundRules } from '../../base/outbound/outbound-policy.ts';
import {
  BATCH_ROWS_DEFAULT,
  type Batch,
  type Column,
  type ConnectContext,
  type Connection,
  ConnectorError,
  type ReadRequest,
  type WriteRequest,
  type Writer,
} from '../driver.ts';
import { noMethod } from '../files/open-file.ts';
import { pageRows } from '../files/page-rows.ts';
import { parseInput } from '../files/parse-input.ts';
import { recordBatches, sampledRecordsMax } from '../json/record-batches.ts';
import { documentOf } from './answer-values.ts';
import { type HttpConfig, httpConfig } from './config.ts';
import { HttpExchange, lowerCased } from './exchange.ts';
import { type HttpList, listOf, pagesOf } from './list.ts';
import { matchingRows } from './matching-rows.ts';
import { httpGetArgs, httpListArgs, httpRequestArgs } from './request-args.ts';
import { urlOf } from './urls.ts';
import { valueAt } from './value-at.ts';
import { type CompiledRule, compileRules } from './verdict.ts';
import { openHttpWriter } from './write/writer.ts';

class HttpConnection implements Connection {
  readonly #config: HttpConfig;
  readonly #outbound: Outbound;
  readonly #exchange: HttpExchange;

  constructor(config: HttpConfig, outbound: Outbound, rules: readonly CompiledRule[]) {
    this.#config = config;
    this.#outbound = outbound;
    this.#exchange = new HttpExchange(config, outbound, rules);
  }

  async test(signal: AbortSignal): Promise<string> {
    const path = this.#config.test_path ?? '';
    const url = urlOf(this.#config, path, []);
    try {
      const { status } = await this.#exchange.ask(
        { method: 'GET', url, headers: {}, isRepeatable: true },
        signal,
      );
      return `${url.host} answers (${status})`;
    } catch (error) {
      // An API need not have anything at its base, but whoever names a path means one that is there.
      const isBareBase = this.#config.test_path === undefined && error instanceof ConnectorError;
      if (isBareBase && error.fault === 'CONFIG' && error.message.startsWith('The API answered'))
        return `${url.host} answers, though not at "base_url" itself: set "test_path" to a path that needs the credentials`;
      throw error;
    }
  }

  async listResources(): Promise<{ name: string; type: string }[]> {
    return Object.keys(this.#config.resources).map((name) => ({ name, type: 'resource' }));
  }

  async describe(resource: string, signal: AbortSignal): Promise<readonly Column[]> {
    const list = listOf(this.#config, httpListArgs.parse({ resource }), true);
    let columns: readonly Column[] = [];
    for await (const batch of this.#rows(
      list,
      { signal, batchRows: sampledRecordsMax, limit: sampledRecordsMax },
      false,
    )) {
      columns = batch.columns;
      break;
    }
    return columns;
  }

  async *read(request: ReadRequest): AsyncGenerator<Batch, void, undefined> {
    if (request.method !== 'list') throw noMethod('http', request.method);
    const args = parseInput(httpListArgs, request.args ?? {}, 'the arguments of "list"');
    const list = listOf(this.#config, args, request.readOnly ?? true);
    // With a limit the next page may not be wanted.
    yield* this.#rows(list, request, request.limit === undefined);
  }

  async page(request: Parameters<Connection['page']>[0]) {
    const list = listOf(this.#config, httpListArgs.parse({ resource: request.resource }), true);
    const columns = await this.describe(request.resource, request.signal);
    const rows = (skip: number, _names: readonly string[], signal: AbortSignal) =>
      recordBatches(pagesOf(this.#config, this.#exchange, list, { signal, ahead: false }), {
        name: list.name,
        columns: list.columns,
        signal,
        skip,
      });
    return pageRows({ version: JSON.stringify(list), columns, rows }, request);
  }

  async call(method: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    if (method === 'get') return this.#get(args, signal);
    if (method === 'request') return this.#request(args, signal);
    throw noMethod('http', method);
  }

  async openWriter(request: WriteRequest): Promise<Writer> {
    return openHttpWriter(this.#config, this.#exchange, request);
  }

  async close(): Promise<void> {
    await this.#outbound.close();
  }

  #rows(
    list: HttpList,
    { signal, limit, batchRows = BATCH_ROWS_DEFAULT }: Pick<ReadRequest, 'signal' | 'limit' | 'batchRows'>,
    ahead: boolean,
  ): AsyncIterable<Batch> {
    const groups = pagesOf(this.#config, this.#exchange, list, { signal, ahead });
    const { filter, columns, name, primaryKey } = list;
    if (filter === null)
      return withKey(recordBatches(groups, { name, columns, signal, limit, batchRows }), primaryKey);
    const all = recordBatches(groups, { name, columns: null, signal, batchRows });
    return withKey(matchingRows(all, { filter, columns, limit }), primaryKey);
  }

  async #get(given: unknown, signal: AbortSignal): Promise<unknown> {
    const { path, query, headers, format, records } = parseInput(
      httpGetArgs,
      given ?? {},
      'the arguments of "get"',
    );
    const url = urlOf(this.#config, path, [query]);
    const asked = { method: 'GET' as const, url, headers: lowerCased(headers), isRepeatable: true };
    const answer = await this.#exchange.ask(asked, signal);
    if (answer.isEmpty) return null;
    const document = await documentOf(answer, format);
    return records === undefined ? document : (valueAt(document, records) ?? null);
  }

  async #request(given: unknown, signal: AbortSignal): Promise<unknown> {
    const args = parseInput(httpRequestArgs, given ?? {}, 'the arguments of "request"');
    const { method, path, query, body, idempotency_key: key } = args;
    const json = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
    const headers = {
      ...(json === undefined ? {} : { 'content-type': type }),
      ...lowerCased(args.headers),
      ...(key === undefined ? {} : { [this.#config.idempotency_header.toLowerCase()]: key }),
    };
    const isRepeatable = key === undefined ? undefined : true;
    const url = urlOf(this.#config, path, [query]);
    const answer = await this.#exchange.ask({ method, url, headers, body: json, isRepeatable }, signal);
    return {
      status: answer.status,
      body: answer.isEmpty
        ? null
        : await documentOf(answer, 'auto').catch(() => answer.body.toString('utf8')),
    };
  }
}

/** The batches, whose columns say which of them identify a record. */
async function* withKey(
  batches: AsyncIterable<Batch>,
  names: readonly string[],
): AsyncGenerator<Batch, void, undefined> {
  if (names.length === 0) return yield* batches;
  for await (const batch of batches) {
    const columns = batch.columns.map((column) =>
      names.includes(column.name) ? { ...column, key: true } : column,
    );
    yield { ...batch, columns };
  }
}

export async function connectHttp(given: unknown, context: ConnectContext): Promise<Connection> {
  const config = parseInput(httpConfig, given, 'the configuration of an http connector');
  const access = context.outbound ?? { policy: 'allowlist' as const, allow: [], ownPorts: [] };
  const { timeout_ms } = config;
  const outbound = createOutbound({
    rules: outboundRules(access, access.ownPorts),
    limits: {
      connectMs: Math.min(timeout_ms, context.connectTimeoutMs),
      headersMs: timeout_ms,
      bodyMs: timeout_ms,
      responseBytesMax: config.max_response_bytes,
    },
  });
  try {
    outbound.checkUrl(config.base_url);
  } catch (cause) {
    throw new ConnectorError('CONFIG', cause instanceof Error ? cause.message : String(cause), { cause });
  }
  return new HttpConnection(config, outbound, await compileRules(config.errors));
}
