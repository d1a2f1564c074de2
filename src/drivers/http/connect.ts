import {
  AbsentResourceError,
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
import { parseInput } from '../files/parse-input.ts';
import { type HttpConfig, httpConfig } from './config.ts';
import { type HttpExchange, lowerCased } from './exchange.ts';
import { answerText } from './list/answer-text.ts';
import { documentOf } from './list/answer-values.ts';
import type { HttpList } from './list/http-list.ts';
import { listOf, unknownResource } from './list/list.ts';
import { listColumns, listPage, listRows } from './list/list-rows.ts';
import { type OpenApi, openApi } from './open-api.ts';
import { httpGetArgs, httpListArgs, httpRequestArgs } from './request-args.ts';
import { urlOf } from './urls.ts';
import { valueAt } from './value-at.ts';
import { openHttpWriter } from './write/writer.ts';

class HttpConnection implements Connection {
  readonly #config: HttpConfig;
  readonly #exchange: HttpExchange;
  readonly #api: OpenApi;

  constructor(api: OpenApi) {
    this.#config = api.config;
    this.#exchange = api.exchange;
    this.#api = api;
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
    return listColumns(this.#api, this.#resource(resource), signal);
  }

  async *read(request: ReadRequest): AsyncGenerator<Batch, void, undefined> {
    if (request.method !== 'list') throw noMethod('http', request.method);
    const args = parseInput(httpListArgs, request.args ?? {}, 'the arguments of "list"');
    yield* listRows(this.#api, listOf(this.#config, args, request.readOnly ?? true), request);
  }

  async page(request: Parameters<Connection['page']>[0]) {
    return listPage(this.#api, this.#resource(request.resource), request);
  }

  #resource(resource: string): HttpList {
    const { resources } = this.#config;
    if (!Object.hasOwn(resources, resource))
      throw new AbsentResourceError(unknownResource(resources, resource));
    return listOf(this.#config, httpListArgs.parse({ resource }), true);
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
    await this.#api.close();
  }

  async #get(given: unknown, signal: AbortSignal): Promise<unknown> {
    const { path, query, headers, format, encoding, records } = parseInput(
      httpGetArgs,
      given ?? {},
      'the arguments of "get"',
    );
    const url = urlOf(this.#config, path, [query]);
    const asked = { method: 'GET' as const, url, headers: lowerCased(headers), isRepeatable: true };
    const answer = await this.#exchange.ask(asked, signal);
    if (answer.isEmpty) return null;
    const document = await documentOf(answer, format, encoding ?? null);
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
      body: answer.isEmpty ? null : await documentOf(answer, 'auto').catch(() => answerText(answer)),
    };
  }
}

export async function connectHttp(given: unknown, context: ConnectContext): Promise<Connection> {
  const config = parseInput(httpConfig, given, 'the configuration of an http connector');
  return new HttpConnection(await openApi(config, context));
}
