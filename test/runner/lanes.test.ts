import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { runInLanes } from './lanes.ts';
import type { TestFile } from './test-files.ts';

/** Runs `count` files that each keep a processor busy for this part of their time; gives how many ran at once on two. */
async function atOnce(count: number, share: number): Promise<number> {
  const files = Array.from({ length: count }, (_, index): TestFile => {
    return { path: `${index}.test.ts`, needsOwnProcess: false, seconds: 10, cpuSeconds: 10 * share };
  });
  const running = new Set<TestFile>();
  const ended: TestFile[] = [];
  let most = 0;
  await runInLanes(files, {
    cores: 2,
    startWorker: () => ({
      isUsable: true,
      async run() {
        await delay(1);
        return { kind: 'done', wallMs: 1, cpuMs: 1 };
      },
      close: async () => undefined,
    }),
    onStart(file) {
      running.add(file);
      most = Math.max(most, running.size);
    },
    onEnd(file) {
      running.delete(file);
      ended.push(file);
    },
  });
  t.same(new Set(ended), new Set(files), 'each file ran');
  t.equal(ended.length, count, 'once');
  return most;
}

t.test('the more files wait, the more of them run at once, up to four on two processors', async (t) => {
  t.equal(await atOnce(20, 0.1), 4);
  t.equal(await atOnce(20, 0.6), 3);
  t.equal(await atOnce(20, 1), 2);
});

t.test('a file that keeps more processors busy than there are runs beside one other at most', async (t) => {
  t.equal(await atOnce(5, 4), 2);
  t.equal(await atOnce(1, 4), 1);
});
