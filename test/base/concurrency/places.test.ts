import t from 'tap';
import { Places } from '../../../src/base/concurrency/places.ts';

t.test('places are bounded, and each is given back once', async (t) => {
  const places = new Places(2, (taken) => new Error(`${taken} are taken`));
  const staying = new AbortController();
  const leaving = new AbortController();
  const first = places.take(staying.signal);
  const second = places.take(leaving.signal);
  t.throws(() => places.take(staying.signal), { message: '2 are taken' });
  leaving.abort();
  second();
  const third = places.take(staying.signal);
  t.throws(
    () => places.take(staying.signal),
    { message: '2 are taken' },
    'an abort and a release count once',
  );
  first();
  first();
  places.take(staying.signal);
  t.throws(() => places.take(staying.signal), { message: '2 are taken' });
  third();
});
