import fc from 'fast-check';
import t from 'tap';
import { createKeyedMutex } from '../../../src/base/concurrency/keyed-mutex.ts';

t.test('work that shares a key never overlaps, and goes in the order of arrival', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }), { maxLength: 20 }),
      fc.scheduler(),
      async (jobs, scheduler) => {
        const runExclusive = createKeyedMutex(100);
        const running = new Map<string, number>();
        const order = new Map<string, number[]>();
        const all = jobs.map((keys, n) =>
          runExclusive(keys, async () => {
            for (const key of keys) {
              if (running.has(key)) throw new Error(`"${key}" is taken by ${running.get(key)}`);
              running.set(key, n);
              order.set(key, [...(order.get(key) ?? []), n]);
            }
            await scheduler.schedule(Promise.resolve());
            for (const key of keys) running.delete(key);
            if (n % 3 === 0) throw new Error('a failure lets the next one in');
            return n;
          }).catch((error: Error) => error.message),
        );
        await scheduler.waitFor(Promise.all(all));
        const results = await Promise.all(all);
        for (const [n, result] of results.entries())
          if (result !== (n % 3 === 0 ? 'a failure lets the next one in' : n))
            throw new Error(String(result));
        for (const ns of order.values())
          if (ns.some((n, index) => index > 0 && n < (ns[index - 1] ?? 0))) throw new Error(`order ${ns}`);
      },
    ),
    { numRuns: 100 },
  );
  t.pass();
});

t.test('a key that too many wait for is refused at once, and is free again afterwards', async (t) => {
  const runExclusive = createKeyedMutex(2);
  const gate = Promise.withResolvers<void>();
  const held = runExclusive(['a'], () => gate.promise);
  const waiting = [runExclusive(['a'], async () => 1), runExclusive(['a'], async () => 2)];
  await t.rejects(
    runExclusive(['b', 'a'], async () => 3),
    { code: 'RATE_LIMITED', retryAfterSeconds: 1 },
  );
  t.equal(await runExclusive(['b'], async () => 4), 4, 'the refused one holds no other key');
  await Promise.resolve();
  gate.resolve();
  await held;
  t.same(await Promise.all(waiting), [1, 2]);
  t.equal(await runExclusive(['a'], async () => 5), 5);
});
