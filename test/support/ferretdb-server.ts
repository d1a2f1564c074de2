/** The process that owns the tests' FerretDB: `node ferretdb-server.ts FOLDER`, started by `ferretdb.ts`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { findFerretdb } from './ferretdb.ts';
import { keepServer } from './shared-server.ts';

const startWaitMs = 30_000;

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node ferretdb-server.ts FOLDER');
await keepServer(folder, async (dataFolder, port) => {
  const program = findFerretdb();
  if (program === null) throw new Error('There is no FerretDB on this machine');
  const address = `127.0.0.1:${port}`;
  const server = spawn(program, [address, dataFolder], { stdio: ['ignore', 'inherit', 'inherit'] });
  // Without it there is nothing to own.
  server.once('exit', () => process.exit(1));
  writeFileSync(join(dataFolder, 'server.pid'), String(server.pid));
  const url = `mongodb://${address}/`;
  await untilAnswering(url);
  return {
    url,
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
});
process.exit(0);

async function untilAnswering(url: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: startWaitMs });
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
}
