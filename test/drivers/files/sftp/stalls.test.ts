import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2 from 'ssh2';
import t, { type Test } from 'tap';
import { keyPair } from '../../../support/sftp-server.ts';
import { connectS3 as connect, rowsOf, signal } from '../s3/connect-s3.ts';

const host = keyPair();

/** A server that lets in who knows the password, and never answers a read. */
async function startStallingServer(t: Test, password: string): Promise<Record<string, unknown>> {
  const clients = new Set<{ end(): void }>();
  const server = new ssh2.Server({ hostKeys: [host.private] }, (client) => {
    clients.add(client);
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      if (context.method === 'password' && context.password === password) context.accept();
      else context.reject(['password']);
    });
    client.on('session', (accept) =>
      accept().on('sftp', (accept) => {
        const sftp = accept();
        const attrs = { mode: 0o100644, uid: 0, gid: 0, size: 1_000, atime: 0, mtime: 0 };
        sftp.on('STAT', (id) => sftp.attrs(id, attrs));
        sftp.on('OPEN', (id) => sftp.handle(id, Buffer.from('h')));
        sftp.on('FSTAT', (id) => sftp.attrs(id, attrs));
        sftp.on('CLOSE', (id) => sftp.status(id, 0));
        sftp.on('READ', () => undefined);
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const client of clients) client.end();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const sftp = { user: 'me', host_key: host.public, timeout_seconds: 1 };
  return { path: `sftp://127.0.0.1:${port}/a.csv`, sftp, password };
}

t.test(
  'a server that stalls ends the read within its timeout, and the connector is used again',
  async (t) => {
    const config = await startStallingServer(t, 'secret');
    const connection = await connect(t, config);
    for (const _ of [1, 2])
      await t.rejects(rowsOf(connection), {
        fault: 'UNAVAILABLE',
        message: 'The SFTP server did not respond within 1 seconds',
      });
    await t.rejects(connection.test(signal), { fault: 'UNAVAILABLE', message: /did not respond/ });
    await t.rejects((await connect(t, { ...config, password: 'wrong' })).test(signal), {
      fault: 'AUTH',
      message: /rejected the user/,
    });
  },
);
