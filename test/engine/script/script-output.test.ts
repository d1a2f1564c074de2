import { PassThrough } from 'node:stream';
import t from 'tap';
import { ScriptOutput } from '../../../src/engine/script/script-output.ts';

const DEATH = `a warning

<--- Last few GCs --->

[10188:0x3b80f000]     2228 ms: Mark-Compact (reduce) 769.0 (775.6) -> 768.9 (771.1) MB

FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----

 1: 0x931db0  [/srv/node]
 2: 0x75968e node::OOMErrorHandler(char const*, v8::OOMDetails const&) [/srv/node]
`;

t.test('of a process that ran out of memory the log has the reason, without stack and paths', async (t) => {
  const printed: string[] = [];
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new ScriptOutput([stdout, stderr], (level, line) => printed.push(`${level} ${line}`));
  stdout.end('FATAL ERROR: of the script\nits next line\n');
  for (const part of DEATH.match(/[\s\S]{1,40}/g) ?? []) stderr.write(part);
  stderr.end();
  await output.isTold;
  t.strictSame(
    printed.filter((line) => line.startsWith('warn')),
    [
      'warn a warning',
      'warn ',
      'warn FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    ],
  );
  t.strictSame(
    printed.filter((line) => line.startsWith('info')),
    ['info FATAL ERROR: of the script', 'info its next line'],
  );
  t.ok(output.ranOutOfMemory);
});
