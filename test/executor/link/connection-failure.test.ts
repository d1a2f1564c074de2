import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { connectionFailureText } from '../../../src/executor/link/connection-failure.ts';
import { createGrpcClient } from '../../../src/protocol/grpc-client.ts';
import { createGrpcServer, type GrpcServerTls } from '../../../src/protocol/grpc-server.ts';
import { GRPC_SERVER_LIMITS } from '../../../src/protocol/grpc-server-limits.ts';
import { createHttpClient } from '../../../src/protocol/http-client.ts';
import { httpApp, KEY, listenWithTls, pem } from '../../protocol/support/http-binding.ts';
import { MemoryControlPlane } from '../../protocol/support/memory-control-plane.ts';
import { REGISTER_REQUEST } from '../../protocol/support/samples.ts';

const ca = pem('ca');
const UNKNOWN = 'from an untrusted authority: pass the file of that authority with --ca';
const NAME = 'for another name: use the name in the certificate with --server';
const CERT = 'the server requires a client certificate: pass --cert and --cert-key';
const PLAIN = 'the server does not use TLS: remove --ca';

/** What the log of an executor would say. */
async function whyNot(server: string, tls?: Parameters<typeof createGrpcClient>[0]['tls'], callMs = 10_000) {
  const common = { key: KEY, ...(tls && { tls }) };
  const client = server.startsWith('http')
    ? createHttpClient({ ...common, baseUrl: server, limits: { callMs } })
    : createGrpcClient({ ...common, address: server, limits: { callMs } });
  const error = await client.register(REGISTER_REQUEST).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  await client.close();
  return connectionFailureText(server, error);
}

async function grpc(t: Test, tls?: GrpcServerTls): Promise<number> {
  const controlPlane = new MemoryControlPlane();
  const server = createGrpcServer({
    controlPlane,
    keys: () => [KEY],
    limits: GRPC_SERVER_LIMITS,
    logger: silentLogger,
    ...(tls && { tls }),
  });
  t.teardown(() => server.stop(100));
  return server.listen('127.0.0.1', 0);
}

t.test('why a gRPC service cannot be reached is said with its address and what to do', async (t) => {
  const pair = { cert: pem('server'), key: pem('server-key') };
  const [secured, asking, plain] = [
    await grpc(t, pair),
    await grpc(t, { ...pair, clientCa: ca }),
    await grpc(t),
  ];
  t.match(await whyNot('localhost:1'), '"localhost:1": the connection was refused: nothing listens there');
  t.match(await whyNot('nowhere.invalid:9090'), '"nowhere.invalid:9090": the name cannot be resolved (DNS)');
  t.match(await whyNot(`localhost:${secured}`, { ca: pem('stranger') }), UNKNOWN);
  t.match(await whyNot(`localhost:${secured}`, { ca, serverName: 'elsewhere.test' }), NAME);
  t.match(await whyNot(`localhost:${secured}`), 'closed immediately: if the server uses TLS, pass --ca');
  t.match(await whyNot(`localhost:${asking}`, { ca }), CERT);
  t.match(await whyNot(`localhost:${plain}`, { ca }), PLAIN);
  t.match(
    await whyNot(`https://localhost:${secured}`, { ca }),
    'this is a gRPC port: write --server as host:port',
  );
});

t.test('a port that speaks something else is told from one that is closed', async (t) => {
  const web = createHttpServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(web, 'listening');
  t.teardown(() => web.close());
  const { port } = web.address() as { port: number };
  t.match(await whyNot(`127.0.0.1:${port}`), `"127.0.0.1:${port}": the response is not gRPC`);
});

t.test('why the API cannot be reached is said in the same words', async (t) => {
  const server = await listenWithTls(await httpApp(new MemoryControlPlane()), pem('ca'));
  t.teardown(() => server.close());
  const url = `https://localhost:${server.port}`;
  t.match(await whyNot('http://localhost:1'), '"http://localhost:1": the connection was refused');
  t.match(await whyNot('http://nowhere.invalid'), 'the name cannot be resolved (DNS)');
  t.match(await whyNot(url), UNKNOWN);
  t.match(await whyNot(url, { ca, serverName: 'elsewhere.test' }), NAME);
});

t.test('a server that does not answer is told from one that refuses', async (t) => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as { port: number };
  for (const server of [`127.0.0.1:${port}`, `http://127.0.0.1:${port}`])
    t.match(await whyNot(server, undefined, 300), `"${server}": the connection timed out: check the port`);
});
