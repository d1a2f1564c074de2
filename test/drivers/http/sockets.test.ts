import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { httpDriver } from '../../../src/drivers/http/driver.ts';
import { rowsOf } from './http-api.ts';

const pem = (name: string) =>
  readFileSync(new URL(`../../protocol/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

async function connectTo(t: Test, server: Server, scheme = 'http') {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const outbound = { policy: 'allowlist' as const, allow: ['127.0.0.1'], ownPorts: [] };
  const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000, outbound };
  const config = {
    base_url: `${scheme}://127.0.0.1:${port}`,
    timeout_ms: 500,
    retry: { base_ms: 1, max_attempts: 2 },
  };
  const connection = await httpDriver.connect(config, context);
  t.teardown(() => connection.close());
  return connection;
}

t.test(
  'who ends the answer, or the whole connection, in the middle is tried again and then told',
  async (t) => {
    const ends: Record<string, (socket: Socket) => unknown> = {
      'before it begins': (socket) => socket.end(),
      'in its headers': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'),
      'in its body': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n[{"id":1}'),
      'in a chunk': (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n[{"i'),
      'with a reset': (socket) => socket.resetAndDestroy(),
      'and says nothing more': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n['),
    };
    for (const [name, end] of Object.entries(ends)) {
      let asked = 0;
      const sockets = new Set<Socket>();
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('data', () => {
          asked++;
          end(socket);
        });
      });
      const connection = await connectTo(t, server);
      await t.rejects(
        rowsOf(connection, { path: '/list' }),
        { name: 'ConnectorError', fault: 'UNAVAILABLE' },
        name,
      );
      t.equal(asked, 2, name);
      for (const socket of sockets) socket.destroy();
    }
  },
);

t.test(
  'a certificate that nobody vouches for, and a server without TLS, are told and not tried again',
  async (t) => {
    let connections = 0;
    const strange = createTlsServer({ cert: pem('server'), key: pem('server-key') });
    strange.on('connection', () => connections++);
    const untrusted = await connectTo(t, strange, 'https');
    await t.rejects(rowsOf(untrusted, { path: '/list' }), {
      fault: 'CONFIG',
      message: /does not trust the TLS certificate of the API \(.*NODE_EXTRA_CA_CERTS/,
    });
    t.equal(connections, 1);
    const plain = createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad\r\n\r\n'),
    );
    await t.rejects(rowsOf(await connectTo(t, plain, 'https'), { path: '/list' }), {
      name: 'ConnectorError',
      fault: 'CONFIG',
      message: 'The API does not speak TLS at this port: correct "base_url", or begin it with "http://"',
    });
  },
);
