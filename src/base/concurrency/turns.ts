import { AppError } from '../errors.ts';

/** Runs `work` alone among all work that shares one of its keys, in the order of arrival. */
export type TakeTurn = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>;

interface Line {
  tail: Promise<unknown>;
  length: number;
}

/**
 * Lets work that concerns the same thing (an account, an address) go one at a time, so that what one decides the next one sees.
 * At most `waitingMax` stand in one line; more are `RATE_LIMITED`. Within this process only.
 */
export function createTurns(waitingMax: number): TakeTurn {
  const lines = new Map<string, Line>();
  return async (keys, work) => {
    const own = keys.map((key) => [key, lines.get(key) ?? { tail: Promise.resolve(), length: 0 }] as const);
    if (own.some(([, line]) => line.length > waitingMax))
      throw new AppError('RATE_LIMITED', 'Too many attempts at once; try again', { retryAfterSeconds: 1 });
    const before = own.map(([, line]) => line.tail);
    const result = Promise.all(before).then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    for (const [key, line] of own) {
      line.tail = ended;
      line.length += 1;
      lines.set(key, line);
    }
    try {
      return await result;
    } finally {
      for (const [key, line] of own) {
        line.length -= 1;
        if (line.length === 0) lines.delete(key);
      }
    }
  };
}
