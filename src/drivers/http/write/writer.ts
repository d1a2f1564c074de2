import { ConnectorError, type RefusedRow, type Row, type WriteRequest, type Writer } from '../../driver.ts';
import type { HttpConfig } from '../config.ts';
import { type HttpAsk, type HttpExchange, lowerCased } from '../exchange.ts';
import type { HttpResource } from '../resource-config.ts';
import { urlOf } from '../urls.ts';
import { CARRIED_ROWS, RequestWriter, type RowSender, type Told } from './request-writer.ts';
import { bodyOf, hasFields, pathOf, RequestKeys } from './row-requests.ts';
import type { WriteWay } from './write-config.ts';

/** The rows of a load as the requests that a resource says. */
class ResourceSender implements RowSender {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly repeats: boolean;
  readonly repeatHint = '"idempotent" is false: the API would take them twice';
  readonly #config: HttpConfig;
  readonly #exchange: HttpExchange;
  readonly #resource: HttpResource;
  readonly #way: WriteWay;
  readonly #request: WriteRequest;
  readonly #keys: RequestKeys | null;
  readonly #path: string;

  constructor(
    config: HttpConfig,
    exchange: HttpExchange,
    resource: HttpResource,
    way: WriteWay,
    request: WriteRequest,
  ) {
    this.#config = config;
    this.#exchange = exchange;
    this.#resource = resource;
    this.#way = way;
    this.#request = request;
    this.#path = way.path ?? resource.path;
    this.batchSize = way.batch_size;
    this.concurrency = way.concurrency;
    this.repeats = way.idempotent ?? true;
    const { loadId, mode, object } = request;
    this.#keys = mode === 'append' ? new RequestKeys(loadId, mode, object) : null;
  }

  /** Rows that the API refuses as a whole are halved, until those at fault are alone. */
  async send(rows: readonly Row[], told: Told): Promise<readonly RefusedRow[]> {
    try {
      const { isEmpty } = await this.#exchange.ask(this.#askOf(rows), this.#request.signal);
      told(rows.length, isEmpty ? 0 : rows.length);
      return [];
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault !== 'DATA') throw error;
      if (rows.length === 1 || this.#request.rowsMayFail !== true) return [{ index: 0, error }];
      const half = rows.length >> 1;
      const left = await this.send(rows.slice(0, half), told);
      const right = await this.send(rows.slice(half), told);
      return [...left, ...right.map((one) => ({ ...one, index: half + one.index }))];
    }
  }

  #askOf(rows: readonly Row[]): HttpAsk {
    const { method, batch_size } = this.#way;
    const { mode, signal } = this.#request;
    signal.throwIfAborted();
    const path = pathOf(this.#path, rows[0] as Row);
    const hasBody = method !== 'DELETE' || batch_size > 1;
    const body = hasBody ? bodyOf(this.#way, rows) : undefined;
    const key = this.#keys?.next(path, body ?? '');
    return {
      method,
      url: urlOf(this.#config, path, [this.#resource.query]),
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...lowerCased(this.#resource.headers),
        ...(key === undefined ? {} : { [this.#config.idempotency_header.toLowerCase()]: key }),
      },
      body,
      isRepeatable: this.repeats,
      forRows: CARRIED_ROWS[mode] ?? null,
    };
  }
}

/** Throws `CONFIG` where the resource does not say how rows are sent in this mode. */
export function openHttpWriter(config: HttpConfig, exchange: HttpExchange, request: WriteRequest): Writer {
  const { object, mode, auditColumns = [] } = request;
  const resource = Object.hasOwn(config.resources, object) ? config.resources[object] : undefined;
  const name = CARRIED_ROWS[mode];
  if (resource === undefined) {
    const names = Object.keys(config.resources).slice(0, 20).join(', ') || 'none';
    throw new ConnectorError(
      'CONFIG',
      `The connector has no resource "${object}" to load into; it has ${names}`,
    );
  }
  const way: WriteWay | undefined = name === undefined ? undefined : resource.write?.[name];
  if (name === undefined || way === undefined)
    throw new ConnectorError(
      'CONFIG',
      `The resource "${object}" does not say how rows are sent with the mode ${mode}: set its "write.${name ?? mode}"`,
    );
  if (way.batch_size > 1 && hasFields(way.path ?? resource.path))
    throw new ConnectorError(
      'CONFIG',
      `The path of "write.${name}" of "${object}" is of one row: leave "batch_size" out`,
    );
  if (mode === 'append' && auditColumns.length > 0)
    throw new ConnectorError(
      'CONFIG',
      'An http connector does not support audit columns with append: a retry would send different rows, and the API could not recognize the repeats',
    );
  return new RequestWriter(request, new ResourceSender(config, exchange, resource, way, request));
}
