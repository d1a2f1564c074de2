import type { ClientDuplexStream } from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import { onStreamEnd } from './stream-end.ts';

interface Pending<Answer> {
  readonly bytes: Buffer;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: AppError) => void;
}

export interface AnsweredStreamOptions<Wire, Answer> {
  readonly open: () => ClientDuplexStream<Buffer, Wire>;
  readonly decode: (wire: Wire) => Answer;
  readonly inFlightMax: number;
  readonly inFlightBytesMax: number;
  readonly messageBytesMax: number;
}

/** These say something of the caller, not of one message. */
const OF_THE_CALLER: ReadonlySet<string> = new Set(['AUTH_ERROR', 'FORBIDDEN', 'PRECONDITION_FAILED']);
/** These pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(['NOT_READY', 'RATE_LIMITED', 'INTERNAL_ERROR', 'CONFLICT']);

function broken(cause: AppError | null): AppError {
  return new AppError('NOT_READY', 'The stream broke before the response arrived; send the batch again', {
    cause,
    ...(cause?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds }),
  });
}

/** The message that an error is about: answers come in order, so it is the first; too large can only be the largest. */
function culprit<Answer>(error: AppError, sent: readonly Pending<Answer>[]): Pending<Answer> | undefined {
  if (PASSING.has(error.code)) return undefined;
  if (error.code !== 'PAYLOAD_TOO_LARGE') return sent[0];
  return sent.reduce<Pending<Answer> | undefined>(
    (largest, entry) => (largest && largest.bytes.length >= entry.bytes.length ? largest : entry),
    undefined,
  );
}

/**
 * Messages with one answer each, in order, over one long-lived stream. Closed: no stream; the next message opens one. Open: at
 * most `inFlightMax` messages of together `inFlightBytesMax` (one at least) are on the wire, the others wait. Closing: what was
 * taken is answered, no more is. When the stream breaks everything unanswered rejects as `NOT_READY`, except the one message that was refused for its own sake, which rejects with that error.
 */
export class AnsweredStream<Wire, Answer> {
  readonly #options: AnsweredStreamOptions<Wire, Answer>;
  #pending: Pending<Answer>[] = [];
  #sent = 0;
  #sentBytes = 0;
  #closing = false;
  #stream: ClientDuplexStream<Buffer, Wire> | null = null;

  constructor(options: AnsweredStreamOptions<Wire, Answer>) {
    this.#options = options;
  }

  /** Resolves with the message's answer. `PAYLOAD_TOO_LARGE` at once beyond the limit, without a word to the server. */
  send(bytes: Uint8Array): Promise<Answer> {
    const { messageBytesMax } = this.#options;
    if (bytes.byteLength > messageBytesMax) {
      const message = `The batch has "${bytes.byteLength}" bytes; send at most ${messageBytesMax}`;
      return Promise.reject(new AppError('PAYLOAD_TOO_LARGE', message));
    }
    if (this.#closing) return Promise.reject(new AppError('NOT_READY', 'The client is closed'));
    return new Promise((resolve, reject) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.#pending.push({ bytes: buffer, resolve, reject });
      this.#pump();
    });
  }

  /** Takes no more; resolves when everything taken is answered, or after `closeMs`. */
  async close(closeMs: number): Promise<void> {
    this.#closing = true;
    const stream = this.#stream;
    if (stream === null) return;
    const over = new Promise<void>((resolve) => onStreamEnd(stream, () => resolve()));
    const timer = setTimeout(() => stream.cancel(), closeMs);
    if (this.#pending.length === 0) stream.end();
    await over;
    clearTimeout(timer);
  }

  #pump(): void {
    try {
      this.#stream ??= this.#open();
    } catch (error) {
      this.#fail(error instanceof AppError ? error : broken(null));
      return;
    }
    const { inFlightMax, inFlightBytesMax } = this.#options;
    while (this.#sent < inFlightMax) {
      const next = this.#pending[this.#sent];
      if (next === undefined) return;
      if (this.#sent > 0 && this.#sentBytes + next.bytes.length > inFlightBytesMax) return;
      this.#stream.write(next.bytes);
      this.#sent += 1;
      this.#sentBytes += next.bytes.length;
    }
  }

  #open(): ClientDuplexStream<Buffer, Wire> {
    const stream = this.#options.open();
    stream.on('data', (wire: Wire) => this.#answered(stream, wire));
    onStreamEnd(stream, (error) => {
      if (this.#stream !== stream) return;
      this.#stream = null;
      this.#fail(error);
    });
    return stream;
  }

  #answered(stream: ClientDuplexStream<Buffer, Wire>, wire: Wire): void {
    const entry = this.#stream === stream ? this.#pending.shift() : undefined;
    if (entry === undefined) return;
    this.#sent -= 1;
    this.#sentBytes -= entry.bytes.length;
    try {
      entry.resolve(this.#options.decode(wire));
    } catch (cause) {
      entry.reject(
        new AppError('INTERNAL_ERROR', 'The control plane sent an unexpected response', { cause }),
      );
    }
    if (this.#pending.length > 0) this.#pump();
    else if (this.#closing) stream.end();
  }

  #fail(error: AppError | null): void {
    const entries = this.#pending;
    const guilty = error === null ? undefined : culprit(error, entries.slice(0, this.#sent));
    this.#pending = [];
    this.#sent = 0;
    this.#sentBytes = 0;
    for (const entry of entries) {
      const own = error !== null && (entry === guilty || OF_THE_CALLER.has(error.code));
      entry.reject(own ? error : broken(error));
    }
  }
}
