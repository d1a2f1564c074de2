import {
  type Batch,
  ConnectorError,
  type RefusedRow,
  type Row,
  type WriteRequest,
  type Writer,
} from '../../driver.ts';
import type { HttpConfig } from '../config.ts';
import { type HttpAsk, type HttpExchange, lowerCased } from '../exchange.ts';
import type { HttpResource } from '../resource-config.ts';
import { urlOf } from '../urls.ts';
import { UndoneError } from '../verdict.ts';
import { bodyOf, hasFields, pathOf, RequestKeys } from './row-requests.ts';
import type { WriteConfig, WriteWay } from './write-config.ts';

const WAYS: Readonly<Partial<Record<WriteRequest['mode'], keyof WriteConfig>>> = {
  append: 'append',
  upsert: 'upsert',
  merge: 'upsert',
  delete: 'delete',
};

interface Part {
  /** Of its first row in the batch. */
  readonly from: number;
  readonly rows: readonly Row[];
}

/** A load whose rows are requests. An API has no transaction: what was sent stays, whatever becomes of the load. */
class HttpWriter implements Writer {
  readonly alreadyDone = null;
  readonly #config: HttpConfig;
  readonly #exchange: HttpExchange;
  readonly #resource: HttpResource;
  readonly #way: WriteWay;
  readonly #request: WriteRequest;
  readonly #keys: RequestKeys | null;
  readonly #path: string;
  #refused: readonly RefusedRow[] = [];
  #sent = 0;
  #changed = 0;

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
    const { loadId, mode, object } = request;
    this.#keys = mode === 'append' ? new RequestKeys(loadId, mode, object) : null;
  }

  /** Every row by itself: those that the API refuses are told, and the others are in. */
  async write({ rows }: Batch): Promise<void> {
    const { batch_size, concurrency } = this.#way;
    const parts: Part[] = [];
    for (let from = 0; from < rows.length; from += batch_size)
      parts.push({ from, rows: rows.slice(from, from + batch_size) });
    this.#refused = [];
    const refused: RefusedRow[] = [];
    const stops = this.#request.rowsMayFail !== true;
    let next = 0;
    let failed = false;
    const send = async () => {
      while (!failed && next < parts.length) {
        try {
          refused.push(...(await this.#send(parts[next++] as Part)));
        } catch (error) {
          failed = true;
          throw error;
        }
        failed ||= stops && refused.length > 0;
      }
    };
    const senders = Array.from({ length: Math.min(concurrency, parts.length) }, send);
    const [failure] = (await Promise.allSettled(senders)).filter(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw this.#final(failure.reason);
    this.#refused = refused.toSorted((a, b) => a.index - b.index);
  }

  refused(): readonly RefusedRow[] {
    return this.#refused;
  }

  /** A part that the API refuses as a whole is halved, until the rows at fault are alone. */
  async #send({ from, rows }: Part): Promise<readonly RefusedRow[]> {
    try {
      const { isEmpty } = await this.#exchange.ask(this.#askOf(rows), this.#request.signal);
      this.#sent += rows.length;
      if (!isEmpty) this.#changed += rows.length;
      return [];
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault !== 'DATA') throw error;
      if (rows.length === 1 || this.#request.rowsMayFail !== true) return [{ index: from, error }];
      const half = rows.length >> 1;
      const left = await this.#send({ from, rows: rows.slice(0, half) });
      return [...left, ...(await this.#send({ from: from + half, rows: rows.slice(half) }))];
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
      isRepeatable: this.#way.idempotent ?? true,
      forRows: mode === 'delete' ? 'delete' : mode === 'append' ? 'append' : 'upsert',
    };
  }

  /** What would be sent twice by another attempt must not have one. */
  #final(error: unknown): unknown {
    const repeats = this.#way.idempotent ?? true;
    if (repeats || !(error instanceof ConnectorError) || error.fault !== 'UNAVAILABLE') return error;
    // Nothing has been done yet.
    if (this.#sent === 0 && error instanceof UndoneError) return error;
    const message = `${error.message}. ${this.#sent} rows were sent before and stay; the load is not tried again, because "idempotent" is false: the API would take them twice`;
    return new ConnectorError('CONFIG', message, { cause: error });
  }

  async commit(): Promise<{ readonly rows: number }> {
    return { rows: this.#changed };
  }

  async abort(): Promise<void> {
    return;
  }
}

/** Throws `CONFIG` where the resource does not say how rows are sent in this mode. */
export function openHttpWriter(config: HttpConfig, exchange: HttpExchange, request: WriteRequest): Writer {
  const { object, mode, auditColumns = [] } = request;
  const resource = Object.hasOwn(config.resources, object) ? config.resources[object] : undefined;
  const name = WAYS[mode];
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
      'An http connector appends no audit columns: another attempt would send other rows, and the API could not tell them as the same',
    );
  return new HttpWriter(config, exchange, resource, way, request);
}
