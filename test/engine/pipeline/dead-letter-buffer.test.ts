import t from 'tap';
import type { DeadLetter } from '../../../src/base/run-report.ts';
import { DeadLetterBuffer } from '../../../src/engine/pipeline/dead-letter-buffer.ts';

const letter = (id: number): DeadLetter => ({ step_id: 's', item: { id }, code: 'X', message: 'x' });

t.test('every letter is sent once, in its order, in calls that the control plane takes', async (t) => {
  const calls: DeadLetter[][] = [];
  const buffer = new DeadLetterBuffer(async (items) => void calls.push([...items]));
  const letters = Array.from({ length: 1_203 }, (_, id) => letter(id));
  for (const each of letters) buffer.add(each);
  await buffer.flush();
  await buffer.flush();
  t.strictSame(calls.flat(), letters);
  t.strictSame(
    calls.map(({ length }) => length),
    [500, 500, 203],
  );
});

t.test('a thousand letters are enough to hold', async (t) => {
  const buffer = new DeadLetterBuffer(async () => undefined);
  for (let id = 0; id < 999; id += 1) buffer.add(letter(id));
  t.equal(buffer.overfull, false);
  buffer.add(letter(999));
  t.equal(buffer.overfull, true);
  await buffer.flush();
  t.equal(buffer.overfull, false);
});
