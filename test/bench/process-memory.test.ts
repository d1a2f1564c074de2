import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
