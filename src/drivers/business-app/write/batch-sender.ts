import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError, type RefusedRow, type Row, type WriteRequest } from '../../driver.ts';
import { askedWaitMs, backoffMs } from '../../http/retry-wait.ts';
import { type CarriedRows, judge, UndoneError, type Verdict } from '../../http/verdict.ts';
import type { RowSender, Told } from '../../http/write/request-writer.ts';
import { BATCH_REQUESTS_MAX } from '../config.ts';
import type { OdataService } from '../odata-service.ts';
import { type BatchAnswer, type BatchRequest, sendBatch } from './batch.ts';
import type { RequestOf } from './row-requests.ts';

const UNANSWERED: Verdict = {
  kind: 'fail',
  error: new ConnectorError('UNAVAILABLE', 'The service did not answer a request of a batch'),
};

interface Pending {
  readonly index: number;
  readonly request: BatchRequest;
}

/** Up to 100 rows a request, each of which the application takes or refuses by itself. */
export class BatchSender implements RowSender {
  readonly batchSize = BATCH_REQUESTS_MAX;
  readonly concurrency: number;
  readonly repeats: boolean;
  readonly repeatHint = 'the application would create them twice';
  readonly #service: OdataService;
  readonly #mode: CarriedRows;
  readonly #requestOf: RequestOf;
  readonly #signal: AbortSignal;
  readonly #goesOn: boolean;

  constructor(service: OdataService, mode: CarriedRows, requestOf: RequestOf, request: WriteRequest) {
    this.#service = service;
    this.#mode = mode;
    this.#requestOf = requestOf;
    this.#signal = request.signal;
    // What is gone already is no failure of a load that removes.
    this.#goesOn = request.rowsMayFail === true || mode === 'delete';
    this.concurrency = service.config.write_concurrency;
    this.repeats = mode !== 'append';
  }

  async send(rows: readonly Row[], told: Told): Promise<readonly RefusedRow[]> {
    const refused: RefusedRow[] = [];
    let pending: Pending[] = [];
    for (const [index, row] of rows.entries()) {
      try {
        pending.push({ index, request: this.#requestOf(row) });
      } catch (error) {
        if (!(error instanceof ConnectorError) || error.fault !== 'DATA') throw error;
        refused.push({ index, error });
        if (!this.#goesOn) break;
      }
    }
    for (let attempt = 1; pending.length > 0; attempt++)
      pending = await this.#round(pending, attempt, refused, told);
    return refused.toSorted((a, b) => a.index - b.index);
  }

  /** Sends what is left; returns what the application had no time for. */
  async #round(
    pending: readonly Pending[],
    attempt: number,
    refused: RefusedRow[],
    told: Told,
  ): Promise<Pending[]> {
    const options = { isAtomic: false, goesOn: this.#goesOn, isRepeatable: this.repeats };
    const requests = pending.map(({ request }) => request);
    const answers = await sendBatch(this.#service, requests, options, this.#signal);
    const later: Pending[] = [];
    let waitMs = 0;
    let failure: ConnectorError | null = null;
    for (const [place, one] of pending.entries()) {
      const answer = answers[place] ?? null;
      // It stopped before.
      if (answer === null && (refused.length > 0 || later.length > 0)) {
        if (later.length > 0) later.push(one);
        continue;
      }
      const verdict = answer === null ? UNANSWERED : await this.#verdictOf(answer);
      if (verdict.kind === 'answer') told(1, verdict.isEmpty ? 0 : 1);
      else if (verdict.error.fault === 'DATA') refused.push({ index: one.index, error: verdict.error });
      else if (this.#mayRepeat(verdict, attempt)) {
        later.push(one);
        waitMs = Math.max(waitMs, askedWaitMs(this.#retry, answer?.headers ?? {}, Date.now()) ?? 0);
      } else failure ??= verdict.error;
    }
    if (failure !== null) throw failure;
    if (later.length > 0)
      await sleep(Math.min(this.#retry.max_ms, waitMs || backoffMs(this.#retry, attempt)), undefined, {
        signal: this.#signal,
      });
    return later;
  }

  get #retry() {
    return this.#service.config.retry;
  }

  #verdictOf({ status, headers, body }: BatchAnswer): Promise<Verdict> {
    const bytes = Buffer.from(body === null ? '' : JSON.stringify(body));
    return judge(this.#service.api.config, [], { status, headers, body: bytes }, this.#mode);
  }

  #mayRepeat(verdict: Exclude<Verdict, { readonly kind: 'answer' }>, attempt: number): boolean {
    if (verdict.kind !== 'retry' || attempt >= this.#retry.max_attempts) return false;
    return this.repeats || verdict.error instanceof UndoneError;
  }
}
