import { createServer } from 'node:net';
import { DemoError } from './demo-error.ts';

const PORT_DEFAULT = 8080;
const PORTS_TRIED = 100;

/** `wanted`, or the first free port from 8080 on where nothing is wanted. Throws `DemoError` where there is none. */
export async function freePort(wanted: number | null): Promise<number> {
  if (wanted !== null) {
    if (wanted > 0 && wanted <= 65_535 && (await isFree(wanted))) return wanted;
    throw new DemoError(`The port ${wanted} cannot be used; name another with --port, or leave it out`);
  }
  for (let port = PORT_DEFAULT; port < PORT_DEFAULT + PORTS_TRIED; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new DemoError(`No port from ${PORT_DEFAULT} on is free; name one with --port`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
