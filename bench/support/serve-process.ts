import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const checkout = join(import.meta.dirname, '../../src/main.ts');
const readyMsMax = 40_000;
const stopMsMax = 10_000;
const pollMs = 5;

/** With which the image and the unit of `deploy/` start the published package. */
export const DEPLOYED = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=16' };

export interface ServeProcess {
  readonly pid: number;
  readonly url: string;
  /** Where executors connect. */
  readonly grpcAddress: string;
  /** Makes the first user of the new store. */
  readonly setupToken: string;
  /** From the start of the process to the first "ready" of all its parts. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/**
 * Starts `headgate serve` with all three processes and a new store in `folder`, and waits until it is ready. `main`: its entry, of the
 * checkout when left out.
 */
export async function startServe(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  main = checkout,
): Promise<ServeProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [main, 'serve'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], SVC_HTTP_PORT: '0', SVC_LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const said = await saidBy(child);
    await untilReady(said.url, startedAt + readyMsMax);
    const readyMs = performance.now() - startedAt;
    return { pid: child.pid ?? 0, ...said, readyMs, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

type Said = Pick<ServeProcess, 'url' | 'grpcAddress' | 'setupToken'>;

function saidBy(child: ChildProcess): Promise<Said> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /ready at (http\S+)/.exec(said)?.[1];
      const grpcAddress = /connect to (\S+) /.exec(said)?.[1];
      const setupToken = /Setup token: (\S+)\n/.exec(said)?.[1];
      if (url !== undefined && grpcAddress !== undefined && setupToken !== undefined)
        resolve({ url, grpcAddress, setupToken });
    });
    child.on('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
}

async function untilReady(url: string, deadline: number): Promise<void> {
  let said = '';
  while (performance.now() < deadline) {
    const answer = await fetch(`${url}/api/health/ready`);
    said = await answer.text();
    if (answer.status === 200) return;
    await sleep(pollMs);
  }
  throw new Error(`serve is not ready: ${said}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
  await ended;
  clearTimeout(timer);
}

export interface ProcessMemory {
  readonly pid: number;
  readonly executable: string;
  readonly command: string;
  readonly rssMb: number;
}

const parts: readonly [string, RegExp][] = [
  ['control-plane', /main\.[jt]s serve/],
  ['worker-host', /threads\/host/],
  ['runner', /runner-entry/],
  ['executor', /executor/],
];

/** Which part of `headgate serve` a process is. */
export function partOf({ command }: ProcessMemory): string {
  return parts.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other';
}

/**
 * Resident memory of a process and of all Node processes below it together, in MB. Databases that a benchmark starts are none of
 * the product, and each process of PostgreSQL counts the memory that they share once more.
 */
export function nodeMemoryBelow(pid: number): number {
  const ofNode = memoryBelow(pid).filter((found) => found.executable === process.execPath);
  return ofNode.reduce((sum, { rssMb }) => sum + rssMb, 0);
}

/** Resident memory of a process and all below it, from Linux' /proc; a child that ends meanwhile is left out. */
export function memoryBelow(pid: number): ProcessMemory[] {
  const rssKb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  const executable = readlinkSync(`/proc/${pid}/exe`);
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) => childrenOf(pid, thread));
  return [{ pid, executable, command, rssMb: Number(rssKb) / 1_024 }, ...children.flatMap(memoryOfChild)];
}

/** None of a thread that has ended meanwhile. */
function childrenOf(pid: number, thread: string): number[] {
  const file = `/proc/${pid}/task/${thread}/children`;
  try {
    return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch (error) {
    if (existsSync(file)) throw error;
    return [];
  }
}

function memoryOfChild(pid: number): ProcessMemory[] {
  try {
    return memoryBelow(pid);
  } catch (error) {
    // One that has ended has no executable until its parent has taken note of it.
    if (existsSync(`/proc/${pid}/exe`)) throw error;
    return [];
  }
}
