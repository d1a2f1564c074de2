import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { countCpuElsewhere } from '../runner/used-cpu.ts';
import { programEnvironment } from './program-environment.ts';
import type { CliRun } from './run-cli.ts';

const HOST_MAIN = join(import.meta.dirname, 'cli-host-main.ts');

export interface CliRequest {
  readonly main: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
}

export interface CliDone extends CliRun {
  /** Processor time of the process and its children since the last command, in milliseconds. */
  readonly cpuMs: number;
}

interface Host {
  readonly child: ChildProcess;
  /** What it wrote past the command: the processes that a command starts share its standard error. */
  stderr: string;
  isBusy: boolean;
}

/** One for all files of the test process, which it ends with. */
let host: Host | null = null;

/** Whether a command can be run at once: one at a time can. */
export function hostIsFree(): boolean {
  return host === null || !host.isBusy;
}

/**
 * Runs a command in a process that has run others and stays, which takes 0.02 s of the processor where a process of its own takes 0.25 s. A
 * command that ends the process gives its exit code as usual, and the next one gets another process.
 */
export async function runInHost(request: CliRequest, msMax: number): Promise<CliRun> {
  host ??= startHost();
  const { child } = host;
  const own = host;
  own.isBusy = true;
  own.stderr = '';
  child.ref();
  child.channel?.ref();
  const timer = setTimeout(() => child.kill('SIGKILL'), msMax);
  try {
    return await new Promise<CliRun>((resolve) => {
      child.once('message', ({ code, stdout, stderr, cpuMs }: CliDone) => {
        countCpuElsewhere(cpuMs);
        resolve({ code, stdout, stderr: stderr + own.stderr });
      });
      child.once('close', (code) => resolve({ code, stdout: '', stderr: own.stderr }));
      child.send(request);
    });
  } finally {
    clearTimeout(timer);
    child.removeAllListeners('message').removeAllListeners('close');
    child.unref();
    child.channel?.unref();
    own.isBusy = false;
    if (!child.connected && host === own) host = null;
  }
}

function startHost(): Host {
  const child = fork(HOST_MAIN, [], {
    env: programEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const started: Host = { child, stderr: '', isBusy: false };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (started.stderr += text));
  (child.stderr as unknown as { unref(): void }).unref();
  child.once('exit', () => {
    if (host === started) host = null;
  });
  return started;
}
