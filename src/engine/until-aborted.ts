/**
 * Waits for `promise`, but no longer than `graceMs` (default 0) after `signal` has aborted; then rejects with the signal's
 * reason and leaves the promise to itself, whose late failure is ignored. This is what keeps a connector that hangs from
 * holding a run.
 */
export function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal, graceMs = 0): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      if (graceMs === 0) return end(() => reject(signal.reason));
      timer = setTimeout(() => end(() => reject(signal.reason)), graceMs);
    };
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    promise.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits at most `graceMs` for something that tidies up; tells whether it ended well in that time, and never rejects. */
export function withinGrace(work: () => PromiseLike<unknown>, graceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), graceMs);
    const end = (ok: boolean) => {
      clearTimeout(timer);
      resolve(ok);
    };
    try {
      work().then(
        () => end(true),
        () => end(false),
      );
    } catch {
      end(false);
    }
  });
}
