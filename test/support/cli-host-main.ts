/**
 * Does `headgate` commands one after another: each as a process of its own would, by the program's entry, with its arguments, environment,
 * folder and input, but without the start of a process and without loading what the one before has loaded. `cli-host.ts` starts it.
 */
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { usedCpuMs } from '../runner/used-cpu.ts';
import type { CliDone, CliRequest } from './cli-host.ts';

let runs = 0;
let toldCpuMs = 0;
let input = Readable.from([]);
Object.defineProperty(process, 'stdin', { configurable: true, get: () => input });
// Each run listens anew.
process.stdout.setMaxListeners(0);
process.on('disconnect', () => process.exit());
process.on('message', (request: CliRequest) => void run(request));

async function run({ main, args, cwd, env, input: text }: CliRequest): Promise<void> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const done = rest.at(-1);
      if (typeof done === 'function') process.nextTick(done as () => void);
      return true;
    };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  input = Readable.from(text === '' ? [] : [Buffer.from(text)]);
  // The entry alone is loaded again: it does what the arguments say.
  await import(`${pathToFileURL(main).href}?run=${runs++}`);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  const cpuMs = usedCpuMs();
  process.send?.({ code: Number(code), ...written, cpuMs: cpuMs - toldCpuMs } satisfies CliDone);
  toldCpuMs = cpuMs;
}
