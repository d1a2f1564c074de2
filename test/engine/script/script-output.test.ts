import { PassThrough } from 'node:stream';
import t from 'tap';
import { ScriptOutput } from '../../../src/engine/script/script-output.ts';

const STACK = Array.from({ length: 20 }, (_, at) => `${at}: 0x1add9b6  [/usr/local/lib/programs/node]`);

/** What a process says at its end, in pieces as they come. */
async function outputOf(...pieces: readonly string[]): Promise<ScriptOutput> {
  const stderr = new PassThrough();
  const output = new ScriptOutput([new PassThrough(), stderr], () => undefined);
  for (const piece of pieces) stderr.write(piece);
  stderr.end();
  await output.isTold;
  return output;
}

t.test('a fatal error of memory is found before the native stack that follows it', async (t) => {
  const fatal = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
  const node = await outputOf(
    '<--- Last few GCs --->\n',
    `${fatal}\n----- Native stack `,
    `trace -----\n${STACK.join('\n')}\n`,
  );
  t.ok(node.ranOutOfMemory);
  const python = await outputOf('Traceback (most recent call last):\n  File "code", line 1\nMemoryError\n');
  t.ok(python.ranOutOfMemory);
});

t.test('words of the script about memory are not its end', async (t) => {
  const output = await outputOf('the heap out of memory is not mine\n', 'Error: no MemoryError here\n');
  t.notOk(output.ranOutOfMemory);
  t.equal(output.lastWords(), 'Error: no MemoryError here');
});

t.test('an error is shown however much was printed before it', async (t) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const output = new ScriptOutput([stdout, stderr], (level, line) => lines.push(`${level} ${line}`));
  stdout.end('again\n'.repeat(5_000));
  await new Promise((resolve) => stdout.once('close', resolve));
  stderr.end('oops\n');
  await output.isTold;
  t.equal(lines.filter((line) => line === 'info again').length, 1_000);
  t.ok(lines.includes('warn oops'));
  t.equal(lines.filter((line) => /printed 1000 lines/.test(line)).length, 1);
});
