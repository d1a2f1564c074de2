import t from 'tap';
import { createHttpClient } from '../../src/protocol/http-client.ts';
import { httpApp, KEY, listenWithTls, pem } from './support/http-binding.ts';
import { MemoryControlPlane } from './support/memory-control-plane.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { REGISTER_REQUEST } from './support/samples.ts';

const plane = new MemoryControlPlane();
const server = await listenWithTls(await httpApp(plane), pem('ca'));
t.teardown(() => server.close());
const ca = pem('ca');
const own = { ca, cert: pem('client'), key: pem('client-key') };
const baseUrl = `https://localhost:${server.port}`;

t.test('a server that no known authority has signed is refused', async (t) => {
  for (const tls of [undefined, { ...own, ca: pem('stranger') }, { ...own, serverName: 'elsewhere.test' }]) {
    const client = createHttpClient({ baseUrl, key: KEY, ...(tls === undefined ? {} : { tls }) });
    await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY');
    await client.close();
  }
  t.same(plane.calls, []);
});

t.test('a certificate is shown to who asks for one', async (t) => {
  const stranger = { ca, cert: pem('stranger'), key: pem('stranger-key') };
  for (const tls of [{ ca }, stranger]) {
    const client = createHttpClient({ baseUrl, key: KEY, tls });
    await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY');
    await client.close();
  }
  t.same(plane.calls, []);
  const client = createHttpClient({ baseUrl, key: KEY, tls: { ...own, serverName: 'headgate.test' } });
  t.ok(await client.register(REGISTER_REQUEST));
  await client.close();
});

t.test('plain text does not pass for TLS', async (t) => {
  const client = createHttpClient({ baseUrl: baseUrl.replace('https', 'http'), key: KEY });
  await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY');
  await client.close();
});
