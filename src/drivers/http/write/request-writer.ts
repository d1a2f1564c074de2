import {
  type Batch,
  ConnectorError,
  type RefusedRow,
  type Row,
  type WriteRequest,
  type Writer,
} from '../../driver.ts';
import { type CarriedRows, UndoneError } from '../verdict.ts';

/** What a load asks for of each of its rows, by its mode; no other mode can be done by requests. */
export const CARRIED_ROWS: Readonly<Partial<Record<WriteRequest['mode'], CarriedRows>>> = {
  append: 'append',
  upsert: 'upsert',
  merge: 'upsert',
  delete: 'delete',
};

/** Tells of rows that the other side has taken, and of how many of them changed something there. */
export type Told = (sent: number, changed: number) => void;

/** How rows are sent as requests. */
export interface RowSender {
  /** Rows of one `send`. */
  readonly batchSize: number;
  /** How many of them run at the same time. */
  readonly concurrency: number;
  /** The same rows twice are as good as once. */
  readonly repeats: boolean;
  /** Why a load is not tried again where they are not; the end of a message. */
  readonly repeatHint: string;
  /** Resolves with the rows that the other side refused, by their place in `rows`. Rejects where nothing can be sent any more. */
  send(rows: readonly Row[], told: Told): Promise<readonly RefusedRow[]>;
}

interface Part {
  /** Of its first row in the batch. */
  readonly from: number;
  readonly rows: readonly Row[];
}

/** A load whose rows are requests. Such a target has no transaction: what was sent stays, whatever becomes of the load. */
export class RequestWriter implements Writer {
  readonly alreadyDone = null;
  readonly #request: WriteRequest;
  readonly #sender: RowSender;
  #refused: readonly RefusedRow[] = [];
  #sent = 0;
  #changed = 0;

  constructor(request: WriteRequest, sender: RowSender) {
    this.#request = request;
    this.#sender = sender;
  }

  /** Every row by itself: those that are refused are told, and the others are in. */
  async write({ rows }: Batch): Promise<void> {
    const { batchSize, concurrency } = this.#sender;
    const parts: Part[] = [];
    for (let from = 0; from < rows.length; from += batchSize)
      parts.push({ from, rows: rows.slice(from, from + batchSize) });
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

  async #send({ from, rows }: Part): Promise<readonly RefusedRow[]> {
    const refused = await this.#sender.send(rows, (sent, changed) => {
      this.#sent += sent;
      this.#changed += changed;
    });
    return refused.map(({ index, error }) => ({ index: from + index, error }));
  }

  /** What would be sent twice by another attempt must not have one. */
  #final(error: unknown): unknown {
    const { repeats, repeatHint } = this.#sender;
    if (repeats || !(error instanceof ConnectorError) || error.fault !== 'UNAVAILABLE') return error;
    // Nothing has been done yet.
    if (this.#sent === 0 && error instanceof UndoneError) return error;
    const message = `${error.message}. ${this.#sent} rows were sent before and stay; the load is not tried again, because ${repeatHint}`;
    return new ConnectorError('CONFIG', message, { cause: error });
  }

  async commit(): Promise<{ readonly rows: number }> {
    return { rows: this.#changed };
  }

  async abort(): Promise<void> {
    return;
  }
}
