import type { ServerDuplexStream } from '@grpc/grpc-js';
import { drained, isOpen } from './stream-write.ts';

export interface OrderedAnswersOptions {
  readonly call: ServerDuplexStream<Buffer, object>;
  /** Requests being answered at once, and their bytes together; the stream is paused beyond either. */
  readonly inFlightMax: number;
  readonly inFlightBytesMax: number;
  readonly answer: (request: Buffer) => Promise<object>;
  /** Reads no more from then on; what was read is answered. */
  readonly stopping: AbortSignal;
}

/**
 * Answers every message of a stream by one, in order, while as many as the limits allow are being worked on. Resolves at the end of the
 * requests, at `stopping`, or when the peer has gone; rejects with the first answer that fails, after those before it were
 * written.
 */
export function answerInOrder(options: OrderedAnswersOptions): Promise<void> {
  const { call, inFlightMax, inFlightBytesMax, answer, stopping } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const answers: { readonly answer: Promise<object>; readonly bytes: number }[] = [];
  let bytesInFlight = 0;
  let writing = false;
  let ended = false;

  function isFull(): boolean {
    return answers.length >= inFlightMax || bytesInFlight >= inFlightBytesMax;
  }

  async function writeAnswers(): Promise<void> {
    for (let next = answers[0]; next !== undefined; next = answers[0]) {
      const message = await next.answer;
      if (!isOpen(call)) {
        resolve();
        return;
      }
      call.write(message);
      await drained(call);
      answers.shift();
      bytesInFlight -= next.bytes;
      if (!ended && !isFull()) call.resume();
    }
  }

  function settle(): void {
    if (writing) return;
    writing = true;
    writeAnswers().then(() => {
      writing = false;
      if (ended && answers.length === 0) resolve();
      // One more may have come in just after the last was written.
      else if (answers.length > 0 && isOpen(call)) settle();
    }, reject);
  }

  function end(): void {
    ended = true;
    call.pause();
    settle();
  }

  async function started(request: Buffer): Promise<object> {
    return answer(request);
  }

  call.on('data', (request: Buffer) => {
    const pending = started(request);
    // A later answer may fail while an earlier one is awaited; it is thrown when its turn comes.
    pending.catch(() => undefined);
    answers.push({ answer: pending, bytes: request.length });
    bytesInFlight += request.length;
    if (isFull()) call.pause();
    settle();
  });
  call.once('end', end);
  call.once('cancelled', () => resolve());
  stopping.addEventListener('abort', end, { once: true });
  if (stopping.aborted) end();
  if (!isOpen(call)) resolve();
  return promise.finally(() => stopping.removeEventListener('abort', end));
}
