import { readFileSync } from 'node:fs';

/** Called where a process may die; does nothing unless a test asked for it. `name` is the place, such as `completion.committed`. */
export type CrashPoint = (name: string) => void;

export const noCrashPoint: CrashPoint = () => undefined;

/**
 * Ends the process at once and unannounced, as a power cut would, when it passes a place for the n-th time. `at` is `PLACE:N`, from the
 * testing setting `SVC_CRASH_AT`, or `@FILE`, a file that holds it and may change while the process runs; null costs nothing and does
 * nothing. Each thread counts for itself.
 */
export function createCrashPoint(at: string | null): CrashPoint {
  if (at === null) return noCrashPoint;
  const current = at.startsWith('@') ? () => readFileSync(at.slice(1), 'utf8') : () => at;
  let [text, place, left] = ['', '', 0];
  return (name) => {
    const now = current();
    if (now !== text) {
      text = now;
      place = now.split(':')[0] ?? '';
      left = Number(now.split(':')[1]);
    }
    if (name !== place) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}

/**
 * `work` with its four places: `NAME.waiting` before the transaction, `NAME.begun` inside it, `NAME.uncommitted` when all is
 * written, `NAME.committed` before the caller hears of it.
 */
export async function crashable<Tx, T>(
  crashPoint: CrashPoint,
  name: string | undefined,
  work: (tx: Tx) => Promise<T>,
  transact: (work: (tx: Tx) => Promise<T>) => Promise<T>,
): Promise<T> {
  if (name === undefined || crashPoint === noCrashPoint) return transact(work);
  crashPoint(`${name}.waiting`);
  const result = await transact(async (tx) => {
    crashPoint(`${name}.begun`);
    const written = await work(tx);
    crashPoint(`${name}.uncommitted`);
    return written;
  });
  crashPoint(`${name}.committed`);
  return result;
}
