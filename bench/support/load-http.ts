import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BareAnswer, BareRoute } from './bare-fastify.ts';
import type { HttpLoad, HttpLoadAnswer } from './http-load.ts';

/** Sends the load from a new process. */
export function loadHttp(load: HttpLoad): Promise<HttpLoadAnswer> {
  const child = fork(join(import.meta.dirname, 'http-load.ts'));
  return new Promise((resolve, reject) => {
    child.on('message', (message) => resolve(message as HttpLoadAnswer));
    child.on('exit', (code) => reject(new Error(`The client ended with ${code}`)));
    child.send(load);
  });
}

/** Starts a bare Fastify route in a new process. */
export async function startBareRoute(route: BareRoute): Promise<BareAnswer & { stop(): void }> {
  const child = fork(join(import.meta.dirname, 'bare-fastify.ts'));
  child.send(route);
  const [{ url }] = (await once(child, 'message')) as [BareAnswer];
  return { url, stop: () => void child.kill() };
}
