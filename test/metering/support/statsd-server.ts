import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';

const WAIT_MS = 15_000;
/** The server calls `util.log`, which Node has no more. */
const OLD_LOG = 'data:text/javascript,import util from "node:util"; util.log = () => undefined;';

export interface StatsdServer {
  readonly port: number;
  /** What it has of one kind, by name: a number, or the list of a timer's. */
  ask(kind: 'counters' | 'gauges' | 'timers'): Promise<Record<string, unknown>>;
}

/** The npm package `statsd` as a process of its own, asked over its admin interface; ended with the test. */
export async function startStatsd(t: Test): Promise<StatsdServer> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-test-statsd-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const [port, adminPort] = [await freeUdpPort(), await freeTcpPort()];
  const config = { port, address: '127.0.0.1', mgmt_port: adminPort, mgmt_address: '127.0.0.1' };
  const quiet = { backends: ['./backends/console'], flushInterval: 600_000, title: false };
  writeFileSync(join(folder, 'config.js'), JSON.stringify({ ...config, ...quiet }));
  const entry = createRequire(import.meta.url).resolve('statsd/stats.js');
  const args = ['--import', OLD_LOG, entry, join(folder, 'config.js')];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  t.teardown(() => ended(child));
  await until('the statsd server answers', () => askAdmin(adminPort, 'health').then(() => true));
  return {
    port,
    ask: async (kind) => {
      // Its answer is an object as Node prints it: names in quotes, values as JSON.
      const text = (await askAdmin(adminPort, kind)).replace(/\s*END\s*$/, '');
      return parsePrinted(text);
    },
  };
}

export async function until<T>(what: string, look: () => Promise<T | false | null>): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const found = await look().catch(() => null);
    if (found !== null && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await wait(50);
  }
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

function askAdmin(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\n`));
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
      if (command === 'health' || /END\s*$/.test(text)) socket.end();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

function parsePrinted(text: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [, quoted, bare, value] of text.matchAll(/(?:'([^']+)'|(\w+)):\s*(\[[^\]]*\]|-?[\d.e+-]+)/g))
    found[quoted ?? bare ?? ''] = JSON.parse(value ?? 'null');
  return found;
}

export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

export async function freeTcpPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
