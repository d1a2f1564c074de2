import t from 'tap';
import { AppError, type ErrorCode } from '../../../src/base/errors.ts';
import { Backoff } from '../../../src/executor/link/backoff.ts';
import { INTERNAL_ERROR_TRIES_MAX, retryCall } from '../../../src/executor/link/retry-call.ts';

const never = new AbortController().signal;
const CALLS_MAX = 50;

const newBackoff = (maxMs = 40) => new Backoff({ minMs: 1, maxMs, random: () => 0 });

/** A call that fails with these errors in turn; its first success gives the number of calls. */
function failing(errorOf: (call: number) => Error | null) {
  let calls = 0;
  return async () => {
    calls += 1;
    const error = calls > CALLS_MAX ? new Error('called for ever') : errorOf(calls);
    if (error !== null) throw error;
    return calls;
  };
}

t.test('what passes by itself is called again until it has passed', async (t) => {
  const codes: ErrorCode[] = ['NOT_READY', 'RATE_LIMITED', 'CONFLICT', 'AUTH_ERROR', 'PRECONDITION_FAILED'];
  const call = failing((n) => (n > 20 ? null : new AppError(codes[n % codes.length] ?? 'CONFLICT', 'no')));
  t.equal(await retryCall(call, newBackoff(), never), 21);
});

t.test('a fault of the server is called again a few times, a refusal not at all', async (t) => {
  const tries: number[] = [];
  const call = failing(() => new AppError('INTERNAL_ERROR', 'a fault'));
  const faulty = (before: number) => {
    tries.push(before);
    return call();
  };
  await t.rejects(retryCall(faulty, newBackoff(), never), { code: 'INTERNAL_ERROR' });
  t.same(
    tries,
    Array.from({ length: INTERNAL_ERROR_TRIES_MAX }, (_, n) => n),
  );
  const refused = failing((n) => (n === 1 ? new AppError('VALIDATION_ERROR', 'wrong') : null));
  await t.rejects(retryCall(refused, newBackoff(), never), { code: 'VALIDATION_ERROR' });
});

t.test('whoever is asked to wait does so, within bounds', async (t) => {
  const asking = (retryAfterSeconds: number) =>
    failing((n) => (n === 1 ? new AppError('RATE_LIMITED', 'later', { retryAfterSeconds }) : null));
  const waited = async (seconds: number, maxMs: number) => {
    const startedAt = performance.now();
    t.equal(await retryCall(asking(seconds), newBackoff(maxMs), never), 2);
    return performance.now() - startedAt;
  };
  t.ok((await waited(0.03, 1_000)) >= 29);
  t.ok((await waited(3_600, 30)) < 3_000);
});

t.test('an executor that stops calls nobody any more', async (t) => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  let calls = 0;
  const call = async () => {
    calls += 1;
    if (calls > CALLS_MAX) throw new Error('called for ever');
    stop.abort(reason);
    throw new AppError('NOT_READY', 'away');
  };
  await t.rejects(retryCall(call, newBackoff(), stop.signal), reason);
  t.equal(calls, 1);
});
