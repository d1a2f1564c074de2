import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { sleep } from '../../../base/clock.ts';
import { endWithin, lastWords } from '../../../base/process/child-process.ts';
import { DemoError } from '../demo-error.ts';

const START_MS_MAX = 30_000;
const STOP_MS_MAX = 5_000;
const POLL_MS = 50;

/** A server that the demo has started. */
export interface Peer {
  stop(): Promise<void>;
}

export interface PeerProgram {
  /** As people know it. */
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Whether it answers by now. */
  readonly answers: () => Promise<boolean>;
}

/** Starts a program and waits until it answers. Throws `DemoError`. */
export async function startPeer({ name, path, args, answers }: PeerProgram): Promise<Peer> {
  // A group of its own: Ctrl-C in the terminal reaches the demo alone, which then stops it.
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const said = lastWords(child);
  let end: string | null = null;
  const gone = new Promise<void>((done) => {
    child.once('error', (error) => {
      end = error.message;
      done();
    });
    child.once('exit', (code) => {
      end ??= `it ended with ${code ?? 'a signal'}`;
      done();
    });
  });
  const stopAtExit = () => child.kill('SIGKILL');
  process.once('exit', stopAtExit);
  void gone.then(() => process.off('exit', stopAtExit));
  const stop = () =>
    endWithin(STOP_MS_MAX, { gone, ask: () => child.kill('SIGTERM'), kill: () => child.kill('SIGKILL') });
  for (const until = Date.now() + START_MS_MAX; !(await answers()); await sleep(POLL_MS)) {
    if (end === null && Date.now() < until) continue;
    await stop();
    throw new DemoError(`${name} (${path}) does not answer: ${end ?? 'it was not ready in time'}\n${said()}`);
  }
  return { stop };
}

/** A port that nobody listens on now. */
export function freePeerPort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
