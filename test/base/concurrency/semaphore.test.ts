import t from 'tap';
import { Semaphore } from '../../../src/base/concurrency/semaphore.ts';

t.test('permits are bounded, and each is released once', async (t) => {
  const permits = new Semaphore(2, (taken) => new Error(`${taken} are taken`));
  const staying = new AbortController();
  const leaving = new AbortController();
  const first = permits.acquire(staying.signal);
  const second = permits.acquire(leaving.signal);
  t.throws(() => permits.acquire(staying.signal), { message: '2 are taken' });
  leaving.abort();
  second();
  const third = permits.acquire(staying.signal);
  t.throws(
    () => permits.acquire(staying.signal),
    { message: '2 are taken' },
    'an abort and a release count once',
  );
  first();
  first();
  permits.acquire(staying.signal);
  t.throws(() => permits.acquire(staying.signal), { message: '2 are taken' });
  third();
});
