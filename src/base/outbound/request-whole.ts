import type { Dispatcher } from 'undici';
import { ACCEPTED_ENCODINGS, decoded, type OutboundAnswer, type OutboundRequest } from './outbound-answer.ts';
import { tooLarge } from './outbound-error.ts';

/**
 * Sends a request and reads the answer whole, without the stream that undici's `request` makes for each one. Follows no redirect.
 * Rejects with `OUTBOUND_TOO_LARGE` past `bytesMax`, on the wire or decompressed, with undici's error, or with the reason of the signal.
 */
export function requestWhole(
  dispatcher: Dispatcher,
  url: URL,
  { method, headers, body, signal }: OutboundRequest,
  bytesMax: number,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const exchange = new WholeExchange(bytesMax, signal, { resolve, reject });
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...headers },
        body: body ?? null,
      },
      exchange,
    );
  });
}

interface Settle {
  readonly resolve: (answer: OutboundAnswer | Promise<OutboundAnswer>) => void;
  readonly reject: (error: unknown) => void;
}

/** One request on its way. */
class WholeExchange implements Dispatcher.DispatchHandler {
  readonly #bytesMax: number;
  readonly #signal: AbortSignal | undefined;
  readonly #settle: Settle;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: Record<string, string> = {};
  #bytes = 0;

  constructor(bytesMax: number, signal: AbortSignal | undefined, settle: Settle) {
    this.#bytesMax = bytesMax;
    this.#signal = signal;
    this.#settle = settle;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted === true) controller.abort(this.#signal.reason);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Dispatcher.ResponseData['headers'],
  ): void {
    // What comes before the answer, such as early hints.
    if (status < 200) return;
    this.#status = status;
    this.#headers = flatHeaders(headers);
    if (Number(this.#headers['content-length'] ?? 0) > this.#bytesMax)
      controller.abort(tooLarge(this.#bytesMax));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#bytesMax) controller.abort(tooLarge(this.#bytesMax));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#leave();
    const [only] = this.#chunks;
    const body =
      only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.#bytes);
    const answer = { status: this.#status, headers: this.#headers, body };
    const encodings = this.#headers['content-encoding'];
    if (encodings === undefined) this.#settle.resolve(answer);
    else
      this.#settle.resolve(
        decoded(body, encodings, this.#bytesMax).then((found) => ({ ...answer, body: found })),
      );
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#leave();
    this.#settle.reject(error);
  }

  /** The caller waits no longer, also for a connection that cannot be made. */
  readonly #onAbort = (): void => {
    this.#controller?.abort(this.#signal?.reason);
    this.#settle.reject(this.#signal?.reason);
  };

  #leave(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

function flatHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}
