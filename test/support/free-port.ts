import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below it are ports that servers of this machine may have; from the other on the system gives them to outgoing connections. */
const [FROM, TO] = [10_000, 32_000];
const TRIES_MAX = 100;

/** A port of 127.0.0.1 that nobody has, and that no connection is given either, so that a server finds it free after a restart. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(FROM, TO);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('There is no free port');
}
