import t from 'tap';
import { ApiError } from '../../../src/ui/api/api-error.ts';
import { failureOf, outcomeOf, pressKey, secondsUntil } from '../../../src/ui/inputs/action/press.ts';
import { inputs } from '../../../src/ui/texts/en/widgets/inputs.ts';

t.test('a press has its own key, unless it repeats one whose fate is not known', async (t) => {
  const keys = ['one', 'two', 'three', 'four'];
  const random = () => keys.shift() ?? '';
  const first = pressKey(null, { a: 1 }, random);
  t.equal(pressKey(first, { a: 1 }, random).key, first.key);
  t.not(pressKey(first, { a: 2 }, random).key, first.key);
  t.not(pressKey(null, { a: 1 }, random).key, first.key);
});

t.test('an outcome says the server’s words, else the author’s, else ours', async (t) => {
  const answer = { outcome: 'done' as const, message: null, cooldown_until: null };
  t.match(outcomeOf(answer, null, inputs), { tone: 'success', message: 'Done', waitUntil: null });
  t.match(outcomeOf(answer, 'All good', inputs), { message: 'All good' });
  const cooldown_until = '2001-01-01T00:00:00Z';
  t.match(outcomeOf({ outcome: 'started', message: 'Run 7', cooldown_until }, 'x', inputs), {
    tone: 'info',
    message: 'Run 7',
    waitUntil: Date.parse(cooldown_until),
  });
});

t.test('a refusal that names a time holds the button until then', async (t) => {
  const refused = new ApiError(429, 'RATE_LIMITED', 'A moment ago', 30);
  t.match(failureOf(refused, 1000, inputs), { tone: 'danger', message: 'A moment ago', waitUntil: 31_000 });
  t.match(failureOf(new ApiError(0, 'NETWORK_ERROR', 'x'), 0, inputs), { waitUntil: null });
  t.equal(secondsUntil(31_000, 1000), 30);
  t.equal(secondsUntil(1001, 1000), 1);
  t.equal(secondsUntil(999, 1000), 0);
  t.equal(secondsUntil(null, 1000), 0);
});
