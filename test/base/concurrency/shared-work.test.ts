import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { SharedWork } from '../../../src/base/concurrency/shared-work.ts';

const never = new AbortController().signal;

t.test('everyone who asks meanwhile is given the one result, and the next begins anew', async (t) => {
  const work = new SharedWork<number>();
  let begun = 0;
  const begin = async () => {
    begun += 1;
    await sleep(5);
    return begun;
  };
  t.same(await Promise.all([1, 2, 3].map(() => work.join('a', never, begin))), [1, 1, 1]);
  t.same(await Promise.all([work.join('a', never, begin), work.join('b', never, begin)]), [3, 3]);
  t.equal(begun, 3, 'two keys are two works');
  t.equal(work.size, 0);
});

t.test('a failure is that of all who wait, and is not kept', async (t) => {
  const work = new SharedWork<string>();
  const fail = async () => {
    await sleep(2);
    throw new Error('no');
  };
  const asked = [1, 2].map(() => work.join('a', never, fail));
  for (const one of asked) await t.rejects(one, { message: 'no' });
  t.equal(await work.join('a', never, async () => 'yes'), 'yes');
  await t.rejects(
    work.join('b', never, () => {
      throw new Error('at once');
    }),
    { message: 'at once' },
  );
  t.equal(work.size, 0);
});

t.test('who leaves is let go at once; the work goes on until the last has left', async (t) => {
  const work = new SharedWork<string>();
  const signals: AbortSignal[] = [];
  const hang = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const a = work.join('a', first.signal, hang);
  const b = work.join('a', second.signal, hang);
  first.abort(new Error('first left'));
  await t.rejects(a, { message: 'first left' });
  t.equal(signals[0]?.aborted, false);
  t.equal(work.size, 1);
  second.abort(new Error('second left'));
  await t.rejects(b, { message: 'second left' });
  t.equal(signals[0]?.aborted, true);
  t.equal(work.size, 0);
  t.equal(await work.join('a', never, async () => 'anew'), 'anew', 'nobody joins what was given up');
  await t.rejects(work.join('a', first.signal, hang), { message: 'first left' });
  t.equal(signals.length, 1, 'for one who has left already nothing is begun');
});
