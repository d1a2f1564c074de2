import { spawn } from 'node:child_process';
import { hostIsFree, runInHost } from './cli-host.ts';
import { isFullList } from './fault-list.ts';
import { MAIN } from './program.ts';
import { programEnvironment } from './program-environment.ts';

const RUN_MS_MAX = 60_000;
/** Commands that go on until they are ended, or that load code which the next one may find changed. */
const OF_OWN_PROCESS: readonly string[] = ['serve', 'executor', 'demo', 'driver'];

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  /** All that it has besides what programs of tests inherit. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its whole standard input. */
  readonly input?: string;
  /** The program's file; by default that of the checkout. */
  readonly main?: string;
  /**
   * Whether it needs a process of its own outside the long list too, as where the end of the process is what is tested; false for one that
   * usually needs it, and here ends by itself.
   */
  readonly ownProcess?: boolean;
}

/**
 * Runs `headgate` to its end, without a terminal: in a process of its own in the long list of faults, otherwise in one that has run other
 * commands, where that makes no difference.
 */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const { cwd = process.cwd(), env = {}, input = '', main } = options;
  const isOwn =
    options.ownProcess ??
    (OF_OWN_PROCESS.includes(args[0] ?? '') || args.includes('--driver') || 'SVC_DRIVERS' in env);
  if (isFullList || main !== undefined || isOwn || !hostIsFree()) return runProcess(args, options);
  return runInHost({ main: MAIN, args, cwd, env: { ...programEnvironment(), ...env }, input }, RUN_MS_MAX);
}

function runProcess(
  args: readonly string[],
  { cwd, env = {}, input = '', main = MAIN }: CliOptions,
): Promise<CliRun> {
  const child = spawn(process.execPath, [main, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...programEnvironment(), ...env },
    stdio: 'pipe',
    timeout: RUN_MS_MAX,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
