import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { answerNames } from '../../support/dns-server.ts';
import { fault, never } from '../sql/engines.ts';
import { connectTo, rowsOf } from './mongo-database.ts';
import { startWireServer, type WireOptions } from './wire-server.ts';

const pem = (name: string) =>
  readFileSync(new URL(`../../protocol/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
const certificate = (name: string) => ({ cert: pem(name), key: pem(`${name}-key`) });
const replicaSet = { name: 'rs0', hosts: (port: number) => [`127.0.0.1:${port}`] };

async function startServer(t: Test, options: WireOptions) {
  const server = await startWireServer(options);
  t.teardown(() => server.close());
  return server;
}

async function readsAndWrites(t: Test, config: Readonly<Record<string, unknown>>): Promise<void> {
  const connection = await connectTo(t, config);
  await connection.call('insert_many', { collection: 'people', documents: [{ id: 1 }, { id: 2 }] }, never);
  t.match(await rowsOf(connection, 'find', { collection: 'people' }), [{ id: 1 }, { id: 2 }]);
}

/** The test is refused in words that tell, and at once rather than after `connect_timeout_ms`. */
async function isRefused(t: Test, config: Readonly<Record<string, unknown>>, words: RegExp): Promise<void> {
  const connection = await connectTo(t, { ...config, connect_timeout_ms: 60_000 });
  const startedAt = performance.now();
  await t.rejects(connection.test(never), fault('CONFIG', words));
  t.ok(performance.now() - startedAt < 20_000, 'it did not wait for its minute');
}

t.test('a URL finds its replica set by any of its hosts, under its own name only', async (t) => {
  const server = await startServer(t, { replicaSet });
  const both = `mongodb://127.0.0.1:1,127.0.0.1:${server.port}/d`;
  t.match(await (await connectTo(t, { url: `${both}?replicaSet=rs0` })).test(never), /, with transactions/);
  await readsAndWrites(t, { url: `${both}?replicaSet=rs0` });
  const words = /^The server is not a member of the replica set "rs1"; check "replica_set", or "replicaSet"/;
  await isRefused(t, { url: `${both}?replicaSet=rs1` }, words);
  await isRefused(t, { url: `mongodb://127.0.0.1:${server.port}/d?replicaSet=rs1` }, words);
  const single = await startServer(t, {});
  const host = { host: '127.0.0.1', port: single.port, database: 'd' };
  await isRefused(t, { ...host, replica_set: 'rs1' }, words);
});

t.test(
  'tls=true in a URL takes a certificate of the given authority and of the host name only',
  async (t) => {
    const server = await startServer(t, { tls: certificate('server'), replicaSet });
    await answerNames(t, { 'A elsewhere.test': ['127.0.0.1'] });
    const url = `mongodb://127.0.0.1:${server.port}/d?tls=true&replicaSet=rs0`;
    await readsAndWrites(t, { url, ca: pem('ca') });
    await isRefused(
      t,
      { url, ca: pem('stranger') },
      /certificate of MongoDB is not trusted; see "ssl" and "ca"/,
    );
    await isRefused(t, { url }, /certificate of MongoDB is not trusted/);
    const elsewhere = `mongodb://elsewhere.test:${server.port}/d?tls=true`;
    const words = /certificate of MongoDB is not for this host name; check "host" or "url", and see "ssl"/;
    await isRefused(t, { url: elsewhere, ca: pem('ca') }, words);
    t.match(await (await connectTo(t, { url: elsewhere, ssl: 'require' })).test(never), /MongoDB/);
  },
);

t.test('the servers of SRV records must have a certificate of their names', async (t) => {
  const server = await startServer(t, { tls: certificate('cluster') });
  await answerNames(t, {
    'A member.headgate.test': ['127.0.0.1'],
    'A other.headgate.test': ['127.0.0.1'],
    'SRV _mongodb._tcp.cluster.headgate.test': [`${server.port} member.headgate.test`],
    'SRV _mongodb._tcp.second.headgate.test': [`${server.port} other.headgate.test`],
  });
  const [cluster, second] = ['cluster', 'second'].map((name) => `mongodb+srv://${name}.headgate.test/d`);
  await readsAndWrites(t, { url: cluster, ca: pem('cluster') });
  await isRefused(t, { url: cluster }, /certificate of MongoDB is not trusted/);
  await isRefused(t, { url: second, ca: pem('cluster') }, /certificate of MongoDB is not for this host name/);
  t.match(await (await connectTo(t, { url: second, ssl: 'require' })).test(never), /MongoDB/);
});
