import { spawn } from 'node:child_process';
import { MAIN } from './program.ts';
import { programEnvironment } from './program-environment.ts';

const RUN_MS_MAX = 60_000;

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
}

/** Runs `headgate` to its end, in a process of its own without a terminal. */
export function runCli(
  args: readonly string[],
  { cwd, env = {}, input = '', main = MAIN }: CliOptions = {},
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
