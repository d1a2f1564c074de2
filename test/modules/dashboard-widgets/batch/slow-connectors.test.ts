import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { SlowConnectors } from '../../../../src/modules/dashboard-widgets/batch/slow-connectors.ts';

const SLOW_MS = 5_000;
const DEAD = 1;
const FINE = 2;

/** Calls that end when they are told to, and a clock. */
function scene() {
  let now = 0;
  const connectors = new SlowConnectors({ now: () => now });
  const open: { readonly connector: number; readonly end: () => void }[] = [];
  return {
    advance: (ms: number) => {
      now += ms;
    },
    atWork: (connector: number) => open.filter((call) => call.connector === connector).length,
    call: (connector: number, signal = new AbortController().signal) =>
      connectors.run(connector, signal, () => {
        const { promise, resolve } = Promise.withResolvers<string>();
        open.push({ connector, end: () => resolve('answer') });
        return promise;
      }),
    async endAll(connector: number) {
      for (const call of open.filter((one) => one.connector === connector)) {
        open.splice(open.indexOf(call), 1);
        call.end();
      }
      await nextTurn();
    },
  };
}

t.test('a connector that does not answer has few places until it does', async (t) => {
  const { call, advance, atWork, endAll } = scene();
  const first = Array.from({ length: 20 }, () => call(DEAD));
  t.equal(atWork(DEAD), 20, 'nothing is known of it yet');
  advance(SLOW_MS);
  await endAll(DEAD);
  t.same(new Set(await Promise.all(first)), new Set(['answer']));

  const more = Array.from({ length: 10 }, () => call(DEAD));
  await nextTurn();
  t.equal(atWork(DEAD), 4);
  const others = Array.from({ length: 10 }, () => call(FINE));
  t.equal(atWork(FINE), 10, 'others have all of theirs');
  advance(SLOW_MS);
  await endAll(DEAD);
  t.equal(atWork(DEAD), 4, 'still slow: the next four');
  advance(1);
  await endAll(DEAD);
  t.equal(atWork(DEAD), 2, 'quick again: all that wait');
  await endAll(DEAD);
  await endAll(FINE);
  t.same(new Set(await Promise.all([...more, ...others])), new Set(['answer']));
  for (let n = 0; n < 10; n += 1) void call(DEAD);
  t.equal(atWork(DEAD), 10);
});

t.test('who waits for a place may leave, and who leaves early says nothing of the connector', async (t) => {
  const { call, advance, atWork, endAll } = scene();
  const slow = call(DEAD);
  advance(SLOW_MS);
  await endAll(DEAD);
  await slow;
  const held = Array.from({ length: 4 }, () => call(DEAD));
  const leaving = new AbortController();
  const left = call(DEAD, leaving.signal);
  const stays = call(DEAD);
  leaving.abort(new Error('left'));
  await t.rejects(left, { message: 'left' });
  const gone = new AbortController();
  gone.abort(new Error('gone'));
  await t.rejects(call(DEAD, gone.signal), { message: 'gone' });
  t.equal(atWork(DEAD), 4);
  advance(SLOW_MS);
  await endAll(DEAD);
  t.equal(atWork(DEAD), 1, 'the one that stayed');

  const early = new AbortController();
  const given = call(DEAD, early.signal);
  early.abort();
  await endAll(DEAD);
  await Promise.all([...held, stays, given]);
  const next = Array.from({ length: 6 }, () => call(DEAD));
  await nextTurn();
  t.equal(atWork(DEAD), 6, 'the one that stayed was quick');
  await endAll(DEAD);
  await Promise.all(next);
});
