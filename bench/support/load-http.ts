import { fork } from 'node:child_process';
import { join } from 'node:path';
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
