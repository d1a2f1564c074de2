import { errorOf, type Failure } from './failure.ts';
import type { AnswerPart, RunRequest } from './host-messages.ts';
import type { Call, CallKind } from './messages/calls.ts';
import { withoutText } from './messages/document-text.ts';

export interface PendingCallOptions {
  readonly timeoutMs: number;
  readonly once?: boolean;
  /** Whose call it is; null, the default, for the server's own. */
  readonly caller?: string | null;
  readonly onPart?: (index: number, text: string) => void;
}

const ignore = () => undefined;

/** One call of the pool, from the moment it is asked until it is answered. */
export class PendingCall {
  readonly id: number;
  readonly kind: CallKind;
  readonly input: object;
  readonly timeoutMs: number;
  /** It has effects, so it may not run again. */
  readonly once: boolean;
  readonly caller: string | null;
  /** When it began to wait, in `performance.now()` milliseconds. */
  waitingSince = performance.now();
  #settled = false;
  #textNeeded = false;
  readonly #resolve: (text: string) => void;
  readonly #reject: (error: unknown) => void;
  readonly #onPart: (index: number, text: string) => void;
  #release: () => void = () => undefined;
  readonly text: Promise<string>;

  constructor(id: number, call: Call, options: PendingCallOptions) {
    const { timeoutMs, once = false, caller = null, onPart = ignore } = options;
    this.id = id;
    this.kind = call.kind;
    this.input = call.input;
    this.timeoutMs = timeoutMs;
    this.once = once;
    this.caller = caller;
    this.#onPart = onPart;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.text = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  get settled(): boolean {
    return this.#settled;
  }

  get request(): RunRequest {
    const { id, kind, input, timeoutMs, caller } = this;
    return { type: 'run', id, kind, input, timeoutMs, caller };
  }

  /** Without its document's text until the host has asked for that. */
  get shortRequest(): RunRequest {
    return this.#textNeeded ? this.request : { ...this.request, input: withoutText(this.input) };
  }

  withText(): this {
    this.#textNeeded = true;
    return this;
  }

  /** Rejects with the signal's reason when it aborts before the answer. */
  follow(signal: AbortSignal, onAbort: () => void): void {
    const abort = () => {
      this.#settle(() => this.#reject(signal.reason));
      onAbort();
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#release = () => signal.removeEventListener('abort', abort);
  }

  part({ index, text }: AnswerPart): void {
    if (!this.#settled) this.#onPart(index, text);
  }

  done(text: string): void {
    this.#settle(() => this.#resolve(text));
  }

  fail(failure: Failure): void {
    this.#settle(() => this.#reject(errorOf(failure)));
  }

  #settle(answer: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#release();
    answer();
  }
}
