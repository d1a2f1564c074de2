import { sleep } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ControlPlaneClient, ExecutorLimits, Lease, LogAck } from '../../protocol/control-plane.ts';
import type { Backoff } from '../link/backoff.ts';
import type { LogSpool } from './log-spool.ts';

export interface LogSenderOptions {
  readonly client: Pick<ControlPlaneClient, 'appendLogs'>;
  readonly lease: Lease;
  readonly spool: LogSpool;
  readonly limits: Pick<ExecutorLimits, 'log_batch_lines_max' | 'log_batch_bytes_max'>;
  readonly lingerMs: number;
  readonly backoff: Backoff;
  readonly logger: Logger;
  /** The control plane takes no more of this log. */
  readonly onStale: () => void;
}

/** Pause where the control plane's window is shut. */
const WINDOW_SHUT_MS = 250;
const REFUSED: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE']);

/**
 * Sends a spool's lines, one batch at a time, and again until each is acknowledged. Idle: nothing is unacknowledged; `wake`
 * leaves it. Sending: batches go out one after another; a small one waits a moment for more, but not once `flush` was
 * called. Stopped: for good.
 */
export class LogSender {
  readonly #options: LogSenderOptions;
  readonly #stopped = new AbortController();
  #linger = new AbortController();
  #sending: Promise<void> | null = null;
  /** Less than the limit while the control plane refuses what is sent, to find the line that it is about. */
  #batchLinesMax: number;

  constructor(options: LogSenderOptions) {
    this.#options = options;
    this.#batchLinesMax = options.limits.log_batch_lines_max;
  }

  /** There are new lines. */
  wake(): void {
    if (this.#stopped.signal.aborted) return;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
  }

  /** Sends without waiting for more lines from now on; resolves when everything is acknowledged, or it was stopped. */
  async flush(): Promise<void> {
    this.#linger.abort();
    this.wake();
    await this.#sending;
  }

  stop(): void {
    this.#stopped.abort();
    this.#linger.abort();
  }

  async #send(): Promise<void> {
    const { spool, limits, lingerMs } = this.#options;
    const stopped = this.#stopped.signal;
    let bytesMax = limits.log_batch_bytes_max;
    while (!stopped.aborted) {
      let batch = spool.peek(this.#batchLinesMax, bytesMax);
      if (batch === null) return;
      if (batch.lines.length < this.#batchLinesMax && !this.#linger.signal.aborted) {
        await sleep(lingerMs, this.#linger.signal);
        batch = spool.peek(this.#batchLinesMax, bytesMax) ?? batch;
      }
      const ack = await this.#append(batch.firstSeq, batch.lines);
      if (ack === null || stopped.aborted) continue;
      if (!this.#take(ack)) return;
      if (ack.window_bytes <= 0) await sleep(WINDOW_SHUT_MS, stopped);
      bytesMax = Math.min(limits.log_batch_bytes_max, Math.max(ack.window_bytes, 1));
    }
  }

  async #append(firstSeq: number, lines: Parameters<LogSpool['append']>[0]): Promise<LogAck | null> {
    const { client, lease, backoff } = this.#options;
    try {
      const ack = await client.appendLogs({ lease, first_seq: firstSeq, lines });
      backoff.reset();
      this.#batchLinesMax = this.#options.limits.log_batch_lines_max;
      return ack;
    } catch (error) {
      if (error instanceof AppError && REFUSED.has(error.code)) this.#narrow(lines.length, error);
      else await backoff.wait(this.#stopped.signal, error);
      return null;
    }
  }

  /** A refused batch is halved until the line at fault is alone, which then gives its place to a note. */
  #narrow(count: number, error: AppError): void {
    const { spool, logger, lease } = this.#options;
    if (count > 1) {
      this.#batchLinesMax = Math.ceil(count / 2);
      return;
    }
    logger.warn({ run_id: lease.run_id, err: messageOf(error) }, 'the control plane rejected a log line');
    spool.replaceOldest('The control plane rejected this line');
  }

  /** Whether it keeps sending. */
  #take(ack: LogAck): boolean {
    const { spool, lease, logger, onStale } = this.#options;
    if (ack.outcome !== 'ACCEPTED' && ack.outcome !== 'ALREADY_DONE') {
      this.stop();
      onStale();
      return false;
    }
    if (ack.resend_from > 0 && ack.resend_from <= spool.ackedSeq) {
      // What was acknowledged was durable, and is no longer here: this store has lost it, and nothing can fill the gap.
      logger.error({ run_id: lease.run_id }, 'the control plane lost acknowledged log lines');
      this.stop();
      return false;
    }
    spool.acknowledge(ack.acked_seq);
    return true;
  }
}
