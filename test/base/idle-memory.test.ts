// Own process: measures the memory of its process.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const source = fileURLToPath(new URL('../../src/base/idle-memory.ts', import.meta.url));

/** Makes garbage that survives until it is old, then waits; says its resident memory before and after, in MB. */
const PROGRAM = `
import { setTimeout as wait } from 'node:timers/promises';
import { giveBackMemoryWhenIdle } from ${JSON.stringify(source)};
giveBackMemoryWhenIdle();
let held = [];
for (let n = 0; n < 1_500_000; n += 1) held.push({ n });
held = [];
const rssMb = () => process.memoryUsage.rss() / 1_048_576;
const before = rssMb();
let after = before;
for (let waited = 0; waited < 10_000 && after > before - 40; waited += 100) {
  await wait(100);
  after = rssMb();
}
console.log(JSON.stringify({ before, after, gc: typeof gc }));
`;

t.test('an idle process gives back what a burst needed, and ends when it has nothing to do', async (t) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  t.equal(code, 0);
  const { before, after, gc } = JSON.parse(said) as { before: number; after: number; gc: string };
  t.comment(`${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`);
  t.ok(after <= before - 40);
  t.equal(gc, 'undefined', 'nothing else gets hold of the function');
});
