import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { atEndOfTurn } from '../../../src/http/request/end-of-turn.ts';

t.test('everyone who asks in a turn is called after it, in order, and once', async (t) => {
  const called: string[] = [];
  atEndOfTurn(() => called.push('first'));
  await Promise.resolve();
  atEndOfTurn(() => {
    called.push('second');
    atEndOfTurn(() => called.push('asked meanwhile'));
  });
  t.same(called, [], 'not within the turn');
  await nextTurn();
  t.same(called, ['first', 'second']);
  await nextTurn();
  t.same(called, ['first', 'second', 'asked meanwhile']);
});
