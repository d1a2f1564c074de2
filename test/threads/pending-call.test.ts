import t from 'tap';
import { PendingCall } from '../../src/threads/pending-call.ts';

t.test('a call that was given up is told nothing more', async (t) => {
  const parts: string[] = [];
  const call = new PendingCall(
    1,
    { kind: 'parse_task', input: { yaml: '' } },
    { timeoutMs: 1_000, onPart: (_, text) => parts.push(text) },
  );
  const leaving = new AbortController();
  let aborts = 0;
  call.follow(leaving.signal, () => {
    aborts += 1;
  });
  call.part({ type: 'part', index: 0, text: 'first' });
  const reason = new Error('the client went away');
  leaving.abort(reason);
  call.part({ type: 'part', index: 1, text: 'second' });
  call.done('late');
  await t.rejects(call.text, reason);
  t.same(parts, ['first']);
  t.equal(aborts, 1);
});
