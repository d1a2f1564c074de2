import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { memoryBelow, nodeMemoryBelow } from '../../bench/support/serve-process.ts';

t.test('what a benchmark starts beside the product is not counted as its memory', async (t) => {
  const waits = spawn('sleep', ['60'], { stdio: 'ignore' });
  const node = spawn(process.execPath, ['-e', 'console.log("up"); process.stdin.resume()'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  t.teardown(() => [waits, node].map((child) => child.kill()));
  await Promise.all([once(waits, 'spawn'), once(node.stdout, 'data')]);
  const mbOf = (pid: number | undefined) => memoryBelow(pid ?? 0)[0]?.rssMb ?? 0;
  t.ok(mbOf(waits.pid) > 0);
  t.equal(nodeMemoryBelow(waits.pid ?? 0), 0);
  t.ok(nodeMemoryBelow(node.pid ?? 0) > 10);
  t.ok(memoryBelow(process.pid).some(({ command }) => command.startsWith('sleep')));
  t.ok(nodeMemoryBelow(process.pid) > nodeMemoryBelow(node.pid ?? 0), 'its own children are, and itself');
});

t.test('a child that has ended, and whose parent has not taken note, is left out', async (t) => {
  // The shell runs `sleep` in its own place, which asks after no child.
  const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.teardown(() => parent.kill());
  const [said] = await once(parent.stdout, 'data');
  const ended = Number(String(said));
  while (!/^State:\s+Z/m.test(readFileSync(`/proc/${ended}/status`, 'utf8'))) await delay(10);
  t.equal(memoryBelow(parent.pid ?? 0).length, 1);
});
