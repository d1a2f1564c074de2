import { ConnectorError, type RefusedRow, type Row, type WriteRequest } from '../../driver.ts';
import type { CarriedRows } from '../../http/verdict.ts';
import type { RowSender, Told } from '../../http/write/request-writer.ts';
import type { OdataService } from '../odata-service.ts';
import type { RequestOf } from './row-requests.ts';

/** One request a row. */
export class SingleSender implements RowSender {
  readonly batchSize = 1;
  readonly concurrency: number;
  readonly repeats: boolean;
  readonly repeatHint = 'the application would create them twice';
  readonly #service: OdataService;
  readonly #mode: CarriedRows;
  readonly #requestOf: RequestOf;
  readonly #signal: AbortSignal;

  constructor(service: OdataService, mode: CarriedRows, requestOf: RequestOf, { signal }: WriteRequest) {
    this.#service = service;
    this.#mode = mode;
    this.#requestOf = requestOf;
    this.#signal = signal;
    this.concurrency = service.config.write_concurrency;
    this.repeats = mode !== 'append';
  }

  async send(rows: readonly Row[], told: Told): Promise<readonly RefusedRow[]> {
    this.#signal.throwIfAborted();
    try {
      const { method, url, headers = {}, body } = this.#requestOf(rows[0] as Row);
      const options = { method, headers, body, isRepeatable: this.repeats, forRows: this.#mode };
      const { isEmpty } = await this.#service.ask(url, options, this.#signal);
      told(1, isEmpty ? 0 : 1);
      return [];
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault !== 'DATA') throw error;
      return [{ index: 0, error }];
    }
  }
}
