import { AppError } from '../../base/errors.ts';
import type { ExecutorIdentity } from '../control-plane.ts';
import type { ExecutorSession } from './executor-session.ts';

/**
 * What is open on this server: streams are counted per executor, and an executor has one session, its newest. A connection that
 * broke unseen would otherwise keep the old one alive beside it.
 */
export class OpenStreams {
  readonly #executorStreamsMax: number;
  readonly #counts = new Map<number, number>();
  readonly #sessions = new Map<number, ExecutorSession>();

  constructor(executorStreamsMax: number) {
    this.#executorStreamsMax = executorStreamsMax;
  }

  /** Runs `serve` as one stream of the executor. `RATE_LIMITED` where it has too many open. */
  async during<T>({ executor_id }: ExecutorIdentity, serve: () => Promise<T>): Promise<T> {
    const open = this.#counts.get(executor_id) ?? 0;
    if (open >= this.#executorStreamsMax) {
      const message = `Executor "${executor_id}" has ${open} open streams; close one first`;
      throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    this.#counts.set(executor_id, open + 1);
    try {
      return await serve();
    } finally {
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

  endSessions(error: AppError): void {
    for (const session of this.#sessions.values()) session.end(error);
  }
}
