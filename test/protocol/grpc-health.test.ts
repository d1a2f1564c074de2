import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import t, { type Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { createGrpcServer } from '../../src/protocol/grpc-server.ts';
import { GRPC_SERVER_LIMITS, type GrpcServerLimits } from '../../src/protocol/grpc-server-limits.ts';
import { fromServiceError } from '../../src/protocol/grpc-status.ts';
import { HEALTH_PROTO_PATH } from '../../src/protocol/wire/definition/proto-path.ts';
import { KEY } from './support/grpc-binding.ts';
import { MemoryControlPlane } from './support/memory-control-plane.ts';
import { eventually } from './support/recorded-session.ts';

const EXECUTOR_SERVICE = 'headgate.executor.v1.ExecutorService';

interface Health {
  check(request: object, done: (error: ServiceError | null, reply?: { status: string }) => void): void;
  list(request: object, done: (error: ServiceError | null, reply?: object) => void): void;
  watch(request: object): ClientReadableStream<{ status: string }>;
  close(): void;
}

function loaded(path: string, ...names: string[]): new (...args: unknown[]) => unknown {
  let at: unknown = loadPackageDefinition(loadSync(path, { enums: String, defaults: true, keepCase: true }));
  for (const name of names) at = (at as GrpcObject)[name];
  return at as new (
    ...args: unknown[]
  ) => unknown;
}

async function start(t: Test, limits: Partial<GrpcServerLimits> = {}, reflection = false) {
  const server = createGrpcServer({
    controlPlane: new MemoryControlPlane(),
    keys: () => [KEY],
    limits: { ...GRPC_SERVER_LIMITS, ...limits },
    logger: silentLogger,
    reflection,
  });
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  t.teardown(() => server.stop(100));
  const HealthClient = loaded(HEALTH_PROTO_PATH, 'grpc', 'health', 'v1', 'Health');
  const probe = () => {
    const options = { 'grpc.use_local_subchannel_pool': 1 };
    const client = new HealthClient(address, credentials.createInsecure(), options) as Health;
    t.teardown(() => client.close());
    return client;
  };
  return { server, address, probe };
}

function check(client: Health, service: string): Promise<string> {
  return new Promise((resolve, reject) => {
    client.check({ service }, (error, reply) => {
      if (error === null) resolve(reply?.status ?? '');
      else reject(error);
    });
  });
}

function record(watch: ClientReadableStream<{ status: string }>) {
  const told: string[] = [];
  const over = Promise.withResolvers<ServiceError | null>();
  watch.on('data', (reply: { status: string }) => told.push(reply.status));
  watch.on('error', (error: ServiceError) => over.resolve(error));
  watch.on('end', () => over.resolve(null));
  return { told, over: over.promise };
}

t.test('anybody may ask for the health of the server and of its service', async (t) => {
  const { probe } = await start(t);
  const client = probe();
  t.equal(await check(client, ''), 'SERVING');
  t.equal(await check(client, EXECUTOR_SERVICE), 'SERVING');
  await t.rejects(check(client, 'no.such.Service'), { code: status.NOT_FOUND });
  const listed = await new Promise((resolve) => client.list({}, (_error, reply) => resolve(reply)));
  t.match(listed, { statuses: { '': { status: 'SERVING' }, [EXECUTOR_SERVICE]: { status: 'SERVING' } } });
});

t.test('a prober that comes again and again is never refused, and does not pile up', async (t) => {
  const { probe, server } = await start(t, { authenticateMs: 100, unprovedCallsMax: 1_000 });
  const client = probe();
  for (let n = 0; n < 30; n += 1) {
    t.equal(await check(client, ''), 'SERVING');
    await delay(20);
  }
  await eventually('its connections leave when their time is up', () => server.counts().connections <= 2);
  await eventually('no connection', () => server.counts().connections === 0);
});

t.test('those who watch are told when the server stops, and do not hold it up', async (t) => {
  const { probe, server } = await start(t, { authenticateMs: 1_000 });
  const service = record(probe().watch({ service: EXECUTOR_SERVICE }));
  const unknown = record(probe().watch({ service: 'no.such.Service' }));
  await eventually('both', () => service.told.length === 1 && unknown.told.length === 1);
  await delay(1_500);
  t.equal(server.counts().healthWatchers, 2, 'a watch outlasts the time to authenticate');
  const began = performance.now();
  await server.stop(60_000);
  t.ok(performance.now() - began < 30_000);
  t.same(service.told, ['SERVING', 'NOT_SERVING']);
  t.equal(await service.over, null);
  t.same(unknown.told, ['SERVICE_UNKNOWN', 'SERVICE_UNKNOWN']);
  await eventually('nothing', () => Object.values(server.counts()).every((count) => count === 0));
});

t.test('watches are bounded, and a connection without its watch has to go', async (t) => {
  const { probe, server } = await start(t, { authenticateMs: 1_000, healthWatchersMax: 3 });
  const client = probe();
  const calls = Array.from({ length: 3 }, () => client.watch({ service: '' }));
  const watches = calls.map(record);
  await eventually('three', () => watches.every(({ told }) => told.length === 1));
  const refused = await record(probe().watch({ service: '' })).over;
  t.equal(refused?.code, status.RESOURCE_EXHAUSTED);
  t.equal(refused === null ? 0 : fromServiceError(refused).retryAfterSeconds, 10);
  for (const call of calls) call.cancel();
  await eventually('no watch', () => server.counts().healthWatchers === 0);
  await eventually('no connection', () => server.counts().connections === 0);
});

t.test('health opens no other door', async (t) => {
  const { address } = await start(t);
  const bare = new Client(address, credentials.createInsecure());
  t.teardown(() => bare.close());
  const asBytes = (bytes: Buffer) => bytes;
  const call = (path: string) =>
    new Promise<ServiceError | null>((resolve) => {
      bare.makeUnaryRequest(path, asBytes, asBytes, Buffer.alloc(0), (error) => resolve(error));
    });
  t.equal((await call(`/${EXECUTOR_SERVICE}/Register`))?.code, status.UNAUTHENTICATED);
  t.equal((await call('/grpc.health.v1.Health/Check'))?.code, undefined);
  for (const path of [
    '/grpc.health.v1.Health/check',
    '/grpc.health.v1.Health/../x',
    '/grpc.health.v1.Health',
  ]) {
    t.equal((await call(path))?.code, status.UNIMPLEMENTED, path);
  }
});

const BEARER = `Bearer ${KEY}`;

interface Listed {
  readonly message_response: string;
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] };
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Buffer[] };
}

t.test('reflection tells holders of a key what there is, where it is switched on', async (t) => {
  const proto = (version: string) =>
    import.meta
      .resolve('@grpc/reflection')
      .replace(/build\/.*$/, `build/proto/grpc/reflection/${version}/reflection.proto`)
      .replace('file://', '');
  const ask = async (address: string, version: string, authorization: string, request: object) => {
    const Reflection = loaded(proto(version), 'grpc', 'reflection', version, 'ServerReflection');
    const client = new Reflection(address, credentials.createInsecure()) as {
      ServerReflectionInfo(metadata: Metadata): ClientDuplexStream<object, Listed>;
      close(): void;
    };
    const metadata = new Metadata();
    if (authorization !== '') metadata.set('authorization', authorization);
    const stream = client.ServerReflectionInfo(metadata);
    const answer = once(stream, 'data') as Promise<[Listed]>;
    // The server may stop before the stream has ended.
    stream.on('error', () => undefined);
    stream.write(request);
    try {
      return (await answer)[0];
    } finally {
      stream.end();
      client.close();
    }
  };
  const off = await start(t);
  await t.rejects(ask(off.address, 'v1', BEARER, { list_services: '*' }), { code: status.UNIMPLEMENTED });
  const { address } = await start(t, {}, true);
  for (const authorization of ['', 'Bearer', `Bearer ${KEY}x`, `Basic ${KEY}`, KEY]) {
    for (const version of ['v1', 'v1alpha']) {
      const asked = ask(address, version, authorization, { list_services: '*' });
      await t.rejects(asked, { code: status.UNAUTHENTICATED }, `${version} with "${authorization}"`);
    }
  }
  for (const version of ['v1', 'v1alpha']) {
    const listed = await ask(address, version, BEARER, { list_services: '*' });
    const names = listed.list_services_response?.service.map(({ name }) => name) ?? [];
    t.same(names.sort(), ['grpc.health.v1.Health', EXECUTOR_SERVICE]);
    const described = await ask(address, version, BEARER, { file_containing_symbol: EXECUTOR_SERVICE });
    const [file] = described.file_descriptor_response?.file_descriptor_proto ?? [];
    t.match(file?.toString('latin1'), /AppendLogs/);
  }
});
