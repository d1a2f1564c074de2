import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { LeaseDeadline } from '../../src/executor/lease-deadline.ts';
import { monotonicMs } from '../../src/executor/runner/runner-messages.ts';

t.test('a lease ends once, at the latest of its ends, however late an older answer comes', async (t) => {
  const start = monotonicMs();
  const ends: number[] = [];
  const deadline = new LeaseDeadline(start + 20, () => ends.push(monotonicMs()));
  deadline.extend(start + 60);
  deadline.extend(start + 40);
  t.equal(deadline.untilMs, start + 60);
  t.notOk(deadline.isPast);
  while (ends.length === 0) await sleep(5);
  t.ok((ends[0] ?? 0) >= start + 60);
  t.ok(deadline.isPast);
  await sleep(10);
  t.equal(ends.length, 1);
});

t.test('the lease of a run that has ended does not lapse', async (t) => {
  let lapsed = false;
  const deadline = new LeaseDeadline(monotonicMs() + 5, () => {
    lapsed = true;
  });
  deadline.stop();
  await sleep(15);
  t.notOk(lapsed);
});
