import { sha256 } from '../../base/ids.ts';
import { canonicalJson } from '../../base/json.ts';
import { type ConnectContext, ConnectorError } from '../driver.ts';
import { httpConfig } from '../http/config.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { documentOf } from '../http/list/answer-values.ts';
import { type OpenApi, openApi } from '../http/open-api.ts';
import { urlOf } from '../http/urls.ts';
import type { CarriedRows } from '../http/verdict.ts';
import type { BusinessAppConfig } from './config.ts';
import { CsrfToken } from './csrf-token.ts';
import { entityType } from './metadata/columns.ts';
import type { EntityModel } from './metadata/model.ts';
import { type KnownModel, ModelCache } from './metadata/model-cache.ts';
import { readModel } from './metadata/read-model.ts';
import type { FilterStyle } from './query/filter.ts';
import type { PageWay } from './query/list-page.ts';
import type { Subject } from './query/property.ts';

/** A model that does not know an entity is asked for again, though not for each of them. */
const REFRESH_AFTER_MS = 10_000;
const CHANGED =
  'The record does not exist, or changed since its ETag was read: read it again (the service answered 412)';

/** Of all connections of this process. */
const models = new ModelCache();

export interface AskOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly isRepeatable?: boolean;
  readonly forRows?: CarriedRows;
}

/** One OData service: requests to it, and its metadata. */
export class OdataService {
  readonly config: BusinessAppConfig;
  readonly api: OpenApi;
  readonly #key: string;
  readonly #csrf: CsrfToken | null;

  constructor(config: BusinessAppConfig, api: OpenApi) {
    this.config = config;
    this.api = api;
    const { base_url, auth, token, api_key, password, client_secret, refresh_token, headers, query } = config;
    const whose = [base_url, auth, token, api_key, password, client_secret, refresh_token, headers, query];
    this.#key = sha256(canonicalJson(whose.map((value) => value ?? null)));
    const needsToken = config.csrf ?? config.application === 'sap';
    this.#csrf = needsToken
      ? new CsrfToken((asking, signal) => this.#send('', { headers: asking }, signal))
      : null;
  }

  /** Dataverse compares text without case, and knows no `tolower`. */
  get filterStyle(): FilterStyle {
    return { foldsCase: this.config.application !== 'dynamics_365' };
  }

  get pageWay(): PageWay {
    return this.config.application === 'dynamics_365' ? 'skiptoken' : 'skip';
  }

  get accept(): string {
    return `application/json;odata.metadata=minimal${this.config.exact_numbers ? ';IEEE754Compatible=true' : ''}`;
  }

  get contentType(): string {
    return `application/json${this.config.exact_numbers ? ';IEEE754Compatible=true' : ''}`;
  }

  /** How the service should answer; `pageSize` in records, null where it gives one alone. */
  readHeaders(pageSize: number | null, annotations: boolean): Record<string, string> {
    const wishes = [
      ...(pageSize === null ? [] : [`odata.maxpagesize=${pageSize}`]),
      ...(annotations ? ['odata.include-annotations="*"'] : []),
    ];
    return { accept: this.accept, ...(wishes.length > 0 && { prefer: wishes.join(',') }) };
  }

  async ask(path: string, options: AskOptions, signal: AbortSignal): Promise<HttpAnswer> {
    const { method = 'GET' } = options;
    if (this.#csrf === null || method === 'GET') return this.#send(path, options, signal);
    return this.#csrf.withToken(signal, (headers) =>
      this.#send(path, { ...options, headers: { ...options.headers, ...headers } }, signal),
    );
  }

  async #send(path: string, options: AskOptions, signal: AbortSignal): Promise<HttpAnswer> {
    const { method = 'GET', headers = {}, body, isRepeatable, forRows } = options;
    const json = body === undefined ? undefined : JSON.stringify(body);
    return this.api.exchange.ask(
      {
        method,
        url: urlOf(this.api.config, path, []),
        headers: {
          accept: this.accept,
          ...(json === undefined ? {} : { 'content-type': this.contentType }),
          ...headers,
        },
        body: json,
        isRepeatable,
        forRows: forRows ?? null,
      },
      signal,
    );
  }

  /** The JSON that a request is answered with; null for an answer without a body. */
  async askJson(path: string, options: AskOptions, signal: AbortSignal): Promise<unknown> {
    return documentOf(await this.ask(path, options, signal), 'json');
  }

  async model(signal: AbortSignal, refresh = false): Promise<KnownModel> {
    return models.get(this.#key, (etag, given) => this.#fetchModel(etag, given), signal, refresh);
  }

  /** The entity as the metadata declares it; null where there is none to be had. `CONFIG` for an entity that it does not name. */
  async subject(entity: string, signal: AbortSignal): Promise<Subject | null> {
    const known = await this.modelOrNull(signal);
    if (known === null) return null;
    const isNew = !known.model.sets.has(entity) && Date.now() - known.checkedAt > REFRESH_AFTER_MS;
    const { model } = isNew ? await this.model(signal, true) : known;
    return { model, type: entityType(model, entity) };
  }

  /** The model; null where there is none to be had: an application may keep its metadata to itself and yet be read. */
  async modelOrNull(signal: AbortSignal): Promise<KnownModel | null> {
    try {
      return await this.model(signal);
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault === 'UNAVAILABLE') throw error;
      return null;
    }
  }

  async #fetchModel(
    etag: string | null,
    signal: AbortSignal,
  ): Promise<{ readonly model: EntityModel | null; readonly etag: string | null }> {
    const headers = { accept: 'application/xml', ...(etag === null ? {} : { 'if-none-match': etag }) };
    const answer = await this.ask('$metadata', { headers }, signal);
    const model = answer.status === 304 ? null : await readModel(answer.body.toString('utf8'));
    return { model, etag: answer.headers['etag'] ?? null };
  }
}

export async function openService(config: BusinessAppConfig, context: ConnectContext): Promise<OdataService> {
  const { base_url, auth, token, api_key, password, client_secret, refresh_token } = config;
  const { timeout_ms, max_response_bytes, retry, rate_limit, allow_hosts, query } = config;
  const http = httpConfig.parse({
    base_url,
    auth,
    ...{ token, api_key, password, client_secret, refresh_token },
    ...{ timeout_ms, max_response_bytes, retry, rate_limit, allow_hosts },
    query,
    headers: { 'OData-MaxVersion': '4.0', 'OData-Version': '4.0', ...config.headers },
    errors: [
      { when: { status: [304] }, action: 'ignore' },
      { when: { status: [412] }, action: 'fail', message: CHANGED },
    ],
  });
  return new OdataService(config, await openApi(http, context));
}
