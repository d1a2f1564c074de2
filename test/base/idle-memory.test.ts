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

/** Has compiled 3,000 functions, and says how much its compiled code takes before and after an idle time, in kB. */
const WITH_CODE = `
import { setTimeout as wait } from 'node:timers/promises';
import { getHeapCodeStatistics } from 'node:v8';
import { giveBackMemoryWhenIdle } from ${JSON.stringify(source)};
giveBackMemoryWhenIdle({ forgetsStart: process.env.FORGETS === 'yes' });
const held = new Array(4_000_000).fill(0.5);
const made = Array.from({ length: 3_000 }, (_, n) => new Function('a', 'const b = a * 2; return [a + b, ' + n + ', b % 7]'));
const run = () => made.reduce((sum, one) => sum + one(1)[0], 0);
run();
const codeKb = () => getHeapCodeStatistics().bytecode_and_metadata_size / 1_024;
const before = codeKb();
await wait(3_500);
const after = codeKb();
console.log(JSON.stringify({ before, after, again: run(), held: held.length }));
`;

async function saidBy(program: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return code === 0 ? said : `ended with ${code}`;
}

t.test(
  'the code that a start ran is forgotten where that is asked for, and compiled again when it is called',
  async (t) => {
    const [forgotten, kept] = await Promise.all(
      ['yes', 'no'].map(async (FORGETS) => JSON.parse(await saidBy(WITH_CODE, { FORGETS }))),
    );
    t.comment(`${JSON.stringify(forgotten)}, without ${JSON.stringify(kept)}`);
    t.ok(forgotten.after < forgotten.before / 3);
    t.ok(kept.after > kept.before / 2);
    t.equal(forgotten.again, 9_000);
    t.equal(kept.again, 9_000);
  },
);

t.test('an idle process gives back what a burst needed, and ends when it has nothing to do', async (t) => {
  const { before, after, gc } = JSON.parse(await saidBy(PROGRAM, {})) as {
    before: number;
    after: number;
    gc: string;
  };
  t.comment(`${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`);
  t.ok(after <= before - 40);
  t.equal(gc, 'undefined', 'nothing else gets hold of the function');
});
