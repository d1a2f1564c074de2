import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { TcpProxy } from './tcp-proxy.ts';

/** A server that echoes, a proxy before it, and a client through the proxy. */
async function link(t: Test) {
  const seen: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      seen.push(String(bytes));
      socket.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const proxy = await TcpProxy.start(t, `127.0.0.1:${port}`);
  const client = connect(Number(proxy.address.split(':')[1]), '127.0.0.1');
  client.on('error', () => undefined);
  t.teardown(() => client.destroy());
  const heard: string[] = [];
  client.on('data', (bytes) => heard.push(String(bytes)));
  await once(client, 'connect');
  return { proxy, client, seen, heard };
}

t.test('bytes pass in order, also late', async (t) => {
  const { proxy, client, heard } = await link(t);
  proxy.delayMs = 30;
  for (const word of ['a', 'b', 'c']) {
    client.write(word);
    await sleep(2);
  }
  await sleep(20);
  t.same(heard, [], 'not yet');
  await sleep(150);
  t.equal(heard.join(''), 'abc');
});

t.test('a half-open link hears one direction alone', async (t) => {
  const { proxy, client, seen, heard } = await link(t);
  proxy.set('swallow_down');
  client.write('one');
  await sleep(60);
  t.same([seen.join(''), heard.join('')], ['one', '']);
  proxy.set('swallow_up');
  client.write('two');
  await sleep(60);
  t.same([seen.join(''), heard.join('')], ['one', '']);
  t.notOk(client.destroyed, 'nobody is told');
});

t.test('a link that is refused is reset, and works again', async (t) => {
  const { proxy, client } = await link(t);
  const ended = new Promise((resolve) => client.once('close', resolve));
  proxy.set('refuse');
  await ended;
  const refused = connect(Number(proxy.address.split(':')[1]), '127.0.0.1');
  refused.on('error', () => undefined);
  await new Promise((resolve) => refused.once('close', resolve));
  proxy.set('pass');
  const again = connect(Number(proxy.address.split(':')[1]), '127.0.0.1');
  await once(again, 'connect');
  again.write('hello');
  const [bytes] = (await once(again, 'data')) as [Buffer];
  t.equal(String(bytes), 'hello');
  again.destroy();
});
