import { AppError } from '../errors.ts';

/** Runs `work` alone among all work that shares one of its keys, in the order of arrival. */
type RunExclusive = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>;

interface Queue {
  tail: Promise<unknown>;
  length: number;
}

/**
 * A mutex per key (an account, an address): what one piece of work decides, the next one sees. At most `waitingMax` wait for one
 * key; more are `RATE_LIMITED`. Within this process only.
 */
export function createKeyedMutex(waitingMax: number): RunExclusive {
  const queues = new Map<string, Queue>();
  return async (keys, work) => {
    const own = keys.map((key) => [key, queues.get(key) ?? { tail: Promise.resolve(), length: 0 }] as const);
    if (own.some(([, queue]) => queue.length > waitingMax))
      throw new AppError('RATE_LIMITED', 'Too many attempts at once; try again', { retryAfterSeconds: 1 });
    const before = own.map(([, queue]) => queue.tail);
    const result = Promise.all(before).then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    for (const [key, queue] of own) {
      queue.tail = ended;
      queue.length += 1;
      queues.set(key, queue);
    }
    try {
      return await result;
    } finally {
      for (const [key, queue] of own) {
        queue.length -= 1;
        if (queue.length === 0) queues.delete(key);
      }
    }
  };
}
