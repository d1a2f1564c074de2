import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import t, { type Test } from 'tap';
import { type Logger, silentLogger } from '../../src/base/logger.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { createGrpcServer, type GrpcServerTls } from '../../src/protocol/grpc-server.ts';
import { GRPC_SERVER_LIMITS } from '../../src/protocol/grpc-server-limits.ts';
import { KEY } from './support/grpc-binding.ts';
import { MemoryControlPlane } from './support/memory-control-plane.ts';
import { eventually, recordSession } from './support/recorded-session.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { REGISTER_REQUEST } from './support/samples.ts';

const pem = (name: string) => readFileSync(new URL(`fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
const ca = pem('ca');
const serverTls = { cert: pem('server'), key: pem('server-key') };
const clientTls = { ca, cert: pem('client'), key: pem('client-key') };

async function start(t: Test, tls: GrpcServerTls) {
  const plane = new MemoryControlPlane();
  const limits = { ...GRPC_SERVER_LIMITS, authenticateMs: 300 };
  const server = createGrpcServer({
    controlPlane: plane,
    keys: () => [KEY],
    limits,
    tls,
    logger: silentLogger,
  });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.stop(100));
  return { plane, address: `localhost:${port}` };
}

t.test('a session over TLS outlives the time to authenticate', async (t) => {
  const { address } = await start(t, serverTls);
  const client = createGrpcClient({ address, key: KEY, tls: { ca } });
  await client.register(REGISTER_REQUEST);
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  await new Promise((resolve) => setTimeout(resolve, 500));
  recorded.session.heartbeat([]);
  await recorded.nth('onHeartbeat');
  recorded.session.close();
  t.equal(await recorded.nth('onClosed'), null);
  await client.close();
});

t.test('a server that no known authority has signed is refused', async (t) => {
  const { address, plane } = await start(t, serverTls);
  for (const tls of [{}, { ca: pem('stranger') }, { ca, serverName: 'elsewhere.test' }]) {
    const client = createGrpcClient({ address, key: KEY, tls });
    await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY', /TLS verification failed/);
    await client.close();
  }
  t.same(plane.calls, []);
});

t.test('the name in the certificate may differ from the address', async (t) => {
  const { address } = await start(t, serverTls);
  const client = createGrpcClient({ address, key: KEY, tls: { ca, serverName: 'headgate.test' } });
  t.ok(await client.register(REGISTER_REQUEST));
  await client.close();
});

t.test('mTLS lets in a certificate of its authority, and no other', async (t) => {
  const { address, plane } = await start(t, { ...serverTls, clientCa: ca });
  const refused = [{ ca }, { ca, cert: pem('stranger'), key: pem('stranger-key') }];
  for (const tls of refused) {
    const client = createGrpcClient({ address, key: KEY, tls });
    await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY');
    await client.close();
  }
  t.same(plane.calls, []);
  const client = createGrpcClient({ address, key: KEY, tls: clientTls });
  t.ok(await client.register(REGISTER_REQUEST));
  await client.close();
  const wrongKey = createGrpcClient({ address, key: 'wrong', tls: clientTls });
  await rejectsWith(t, wrongKey.register(REGISTER_REQUEST), 'AUTH_ERROR');
  await wrongKey.close();
});

t.test('plain text does not pass for TLS', async (t) => {
  const { address, plane } = await start(t, serverTls);
  const client = createGrpcClient({ address, key: KEY, limits: { callMs: 2_000 } });
  await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY');
  await client.close();
  t.same(plane.calls, []);
});

/** What a server logs, so that an operator is told what the other end did wrong. */
function recordingLogger() {
  const lines: string[] = [];
  const keep = (_fields: object, message: string) => lines.push(message);
  const logger: Logger = { debug: () => undefined, info: keep, warn: keep, error: keep, child: () => logger };
  return { lines, logger };
}

async function listen(t: Test, logger: Logger, tls?: GrpcServerTls) {
  const server = createGrpcServer({
    controlPlane: new MemoryControlPlane(),
    keys: () => [KEY],
    limits: GRPC_SERVER_LIMITS,
    logger,
    ...(tls === undefined ? {} : { tls }),
  });
  t.teardown(() => server.stop(100));
  return `localhost:${await server.listen('127.0.0.1', 0)}`;
}

t.test('who comes without TLS to a port with it is told, at both ends', async (t) => {
  const { lines, logger } = recordingLogger();
  const address = await listen(t, logger, serverTls);
  const client = createGrpcClient({ address, key: KEY, limits: { callMs: 2_000 } });
  await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY', /if it uses TLS, pass "--ca"/);
  await client.close();
  await eventually('the line', () => lines.length > 0);
  t.match(lines, [/without TLS.*--ca/]);
});

t.test('who comes with TLS to a port without it is told, at both ends', async (t) => {
  const { lines, logger } = recordingLogger();
  const address = await listen(t, logger);
  const client = createGrpcClient({ address, key: KEY, tls: { ca }, limits: { callMs: 2_000 } });
  await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY', /answers without TLS/);
  await client.close();
  await eventually('the line', () => lines.length > 0);
  t.match(lines, [/does not speak gRPC: TLS to a port without/]);
});

t.test('TLS before 1.2 is refused', async (t) => {
  const { lines, logger } = recordingLogger();
  const address = await listen(t, logger, serverTls);
  const port = Number(address.split(':')[1]);
  const handshake = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<string>((resolve) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        ca,
        servername: 'localhost',
        minVersion: version,
        maxVersion: version,
        // Else this end would refuse by itself.
        ciphers: 'DEFAULT@SECLEVEL=0',
        ALPNProtocols: ['h2'],
      });
      socket.once('secureConnect', () => {
        resolve(socket.getProtocol() ?? '');
        socket.destroy();
      });
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    });
  t.equal(await handshake('TLSv1.2'), 'TLSv1.2');
  t.equal(await handshake('TLSv1.3'), 'TLSv1.3');
  for (const old of ['TLSv1', 'TLSv1.1'] as const) {
    t.equal(await handshake(old), 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', old);
  }
  await eventually('the line', () => lines.length > 0);
  t.match(lines, [/before 1.2/]);
});
