import { AppError } from '../../../base/errors.ts';
import type { ExecutorIdentity } from '../../control-plane.ts';
import { revokedKeyError } from '../../executor-key.ts';
import type { ExecutorSession } from '../executor-session.ts';

interface OpenStream {
  /** Fingerprint of the key that it was opened with. */
  readonly key: string;
  readonly end: (error: AppError) => void;
}

/**
 * What is open on this server: streams are counted per executor, and an executor has one session, its newest. A connection that
 * broke unseen would otherwise keep the old one alive beside it.
 */
export class OpenStreams {
  readonly #executorStreamsMax: number;
  readonly #counts = new Map<number, number>();
  readonly #streams = new Set<OpenStream>();
  readonly #sessions = new Map<number, ExecutorSession>();

  constructor(executorStreamsMax: number) {
    this.#executorStreamsMax = executorStreamsMax;
  }

  get streams(): number {
    return this.#streams.size;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /**
   * Runs `serve` as one stream of the executor, or until the key with which it was opened is revoked (`AUTH_ERROR`).
   * `RATE_LIMITED` where the executor has too many open.
   */
  async during<T>({ executor_id }: ExecutorIdentity, key: string, serve: () => Promise<T>): Promise<T> {
    const open = this.#counts.get(executor_id) ?? 0;
    if (open >= this.#executorStreamsMax) {
      const message = `Executor "${executor_id}" has ${open} open streams; close one first`;
      throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    this.#counts.set(executor_id, open + 1);
    const revoked = Promise.withResolvers<never>();
    const stream: OpenStream = { key, end: revoked.reject };
    this.#streams.add(stream);
    try {
      return await Promise.race([serve(), revoked.promise]);
    } finally {
      this.#streams.delete(stream);
      const left = (this.#counts.get(executor_id) ?? 1) - 1;
      if (left === 0) this.#counts.delete(executor_id);
      else this.#counts.set(executor_id, left);
    }
  }

  async serveSession({ executor_id }: ExecutorIdentity, session: ExecutorSession): Promise<void> {
    this.#sessions
      .get(executor_id)
      ?.end(new AppError('CONFLICT', `A newer session of executor "${executor_id}" has taken over`));
    this.#sessions.set(executor_id, session);
    try {
      await session.run();
    } finally {
      if (this.#sessions.get(executor_id) === session) this.#sessions.delete(executor_id);
    }
  }

  /** Ends every stream, sessions included, that was opened with a key that `isValid` does not know any more. */
  endRevoked(isValid: (fingerprint: string) => boolean): void {
    for (const { key, end } of this.#streams) if (!isValid(key)) end(revokedKeyError(key));
  }

  endSessions(error: AppError): void {
    for (const session of this.#sessions.values()) session.end(error);
  }
}
