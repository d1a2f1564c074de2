/** The process that owns the tests' S3 server: `node versitygw-server.ts FOLDER`, started by `object-storage.ts`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answersAt, findVersitygw, S3_KEY } from './object-storage.ts';
import { keepServer } from './shared-server.ts';

const STARTS_WITHIN = 600;

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node versitygw-server.ts FOLDER');
await keepServer(folder, async (dataFolder, port) => {
  const program = findVersitygw();
  if (program === null) throw new Error('There is no versitygw on this machine');
  const [data, sidecar] = [join(dataFolder, 'data'), join(dataFolder, 'sidecar')];
  mkdirSync(data, { recursive: true });
  mkdirSync(sidecar, { recursive: true });
  const args = ['--port', `127.0.0.1:${port}`, '--access', S3_KEY.id, '--secret', S3_KEY.secret, '--quiet'];
  // Metadata goes into files: not every file system has attributes for it.
  const server = spawn(program, [...args, 'posix', '--sidecar', sidecar, data], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(join(dataFolder, 'server.pid'), String(server.pid));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await answersAt(url)); tries++) {
    if (tries === STARTS_WITHIN) throw new Error('versitygw does not answer');
    await sleep(50);
  }
  return {
    url,
    stop: async () => {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
});
process.exit(0);
