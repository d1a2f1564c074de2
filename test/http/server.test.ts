import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { silentLogger } from '../../src/base/logger.ts';
import { loadConfig } from '../../src/config.ts';
import { anybody } from '../../src/http/access.ts';
import { operation } from '../../src/http/operation.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { registerStaticPages } from '../../src/http/static-pages.ts';

import { until } from '../support/served.ts';

async function serverWith(t: Test, settings: Record<string, string>) {
  const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null', ...settings });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
  const nobody = async () => null;
  const app = await createHttpServer(loaded.config, silentLogger, { member: nobody, executor: nobody });
  t.teardown(() => app.close());
  return app;
}

const who = operation({
  id: 'who',
  tag: 'T',
  summary: 's',
  access: anybody,
  answers: { 200: z.object({ ip: z.string() }) },
});

t.test(
  'the client’s address is what the trusted proxies say, and nothing that a client can write',
  async (t) => {
    const ipOf = async (trusted: string) => {
      const app = await serverWith(t, { SVC_TRUST_PROXY: trusted });
      app.get('/who', who, async (request) => ({ ip: request.ip }));
      const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.0.0.2' };
      return (await app.inject({ url: '/who', headers, remoteAddress: '10.0.0.1' })).json<{ ip: string }>()
        .ip;
    };
    t.equal(await ipOf('false'), '10.0.0.1');
    t.equal(await ipOf('true'), '10.0.0.2', 'one proxy wrote the last address');
    t.equal(await ipOf('2'), '203.0.113.9');
    t.equal(await ipOf('10.0.0.0/8'), '203.0.113.9');
    t.equal(await ipOf('192.168.0.0/16'), '10.0.0.1', 'a stranger’s header is not believed');
  },
);

t.test('a route that declares no access fails the start', async (t) => {
  const app = await serverWith(t, {});
  t.throws(() => app.get('/forgotten', async () => 'x'), /GET \/forgotten declares no access/);
});

t.test('requests beyond the rate are refused, with the time to wait, per address', async (t) => {
  const app = await serverWith(t, { SVC_RATE_LIMIT_PER_MINUTE: '10' });
  app.get('/who', who, async (request) => ({ ip: request.ip }));
  const ask = (remoteAddress: string) => app.inject({ url: '/who', remoteAddress });
  for (let n = 0; n < 10; n += 1) t.equal((await ask('192.0.2.1')).statusCode, 200);
  const refused = await ask('192.0.2.1');
  t.match(refused.json(), { error: 'RATE_LIMITED', request_id: String });
  t.same([refused.statusCode, refused.headers['retry-after']], [429, '60']);
  t.equal((await ask('192.0.2.2')).statusCode, 200);
});

t.test('a server that closes waits for the answers in flight, and not for their connections', async (t) => {
  const app = await serverWith(t, {});
  const ask = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`${address}${path}`, { agent }, resolve).on('error', reject);
    });
  const bodyOf = async (answer: IncomingMessage) => (await answer.toArray()).join('');
  const polled = Promise.withResolvers<{ ip: string }>();
  const streamed = new PassThrough();
  const isPolled = new Promise<void>((resolve) => {
    app.get('/poll', who, () => {
      resolve();
      return polled.promise;
    });
  });
  app.get('/stream', { config: who.config }, () => streamed);
  app.addHook('preClose', async () => {
    polled.resolve({ ip: 'polled' });
    streamed.end('streamed');
  });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });

  const poll = ask('/poll');
  await isPolled;
  streamed.write('begun, ');
  const stream = await ask('/stream');
  t.equal(stream.headers.connection, 'keep-alive');
  const began = performance.now();
  const closed = app.close();
  const answer = await poll;
  t.equal(answer.headers.connection, 'close');
  t.match(await bodyOf(answer), 'polled');
  t.equal(await bodyOf(stream), 'begun, streamed');
  await closed;
  t.ok(performance.now() - began < 5_000, 'long before the end of their keep-alive');
});

t.test('the web page’s files are served, and no other file', async (t) => {
  const folder = t.testdir({
    'secret.txt': 'hush',
    ui: { 'share.html': '<html></html>', 'theme.js': '1', 'icon.svg': '<svg/>' },
  });
  mkdirSync(join(folder, 'ui/assets'));
  writeFileSync(join(folder, 'ui/assets/app-1a2b.js'), 'let a;');
  const app = await serverWith(t, {});
  registerStaticPages(app, { folder: join(folder, 'ui') });
  const asset = await app.inject('/assets/app-1a2b.js');
  t.match(
    [asset.statusCode, asset.body, asset.headers['cache-control']],
    [200, 'let a;', 'public, max-age=31536000, immutable'],
  );
  const page = await app.inject('/share/some-token');
  t.match(
    [
      page.statusCode,
      page.headers['referrer-policy'],
      page.headers['x-robots-tag'],
      page.headers['cache-control'],
    ],
    [200, 'no-referrer', 'noindex', 'no-cache'],
  );
  for (const path of [
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets//etc/passwd',
    '/assets/%2fetc%2fpasswd',
    '/assets/%00',
    '/assets/.',
    '/assets/',
    '/assets/nothing.js',
    '/secret.txt',
  ]) {
    const { statusCode, body } = await app.inject(path);
    t.ok(statusCode >= 400 && statusCode < 500, `${path}: ${statusCode}`);
    t.notMatch(body, /hush|root:/);
    t.match(JSON.parse(body), { error: String, request_id: String }, path);
  }
});

t.test(
  'pages that are built anew under a running server are served, and those before are gone',
  async (t) => {
    const folder = t.testdir({ 'app.html': 'old-1.js', assets: { 'old-1.js': 'old' } });
    const app = await serverWith(t, {});
    registerStaticPages(app, { folder });
    const ask = (url: string) => app.inject({ url, headers: { accept: 'text/html' } });
    t.equal((await ask('/')).body, 'old-1.js');
    rmSync(join(folder, 'assets/old-1.js'));
    writeFileSync(join(folder, 'assets/new-2.js'), 'new');
    writeFileSync(join(folder, 'app.html'), 'new-2.js');
    t.equal((await ask('/')).body, 'new-2.js');
    await until('the new file is served', 5_000, async () => (await ask('/assets/new-2.js')).body === 'new');
    const gone = await ask('/assets/old-1.js');
    t.match([gone.statusCode, gone.json()], [404, { error: 'NOT_FOUND' }]);
  },
);

t.test(
  'a browser gets the page at each address that has no route, and a program what it got without a page',
  async (t) => {
    const folder = t.testdir({
      ui: {
        'app.html': '<html>app</html>',
        assets: { 'app-1a2b.js': 'let a;', 'app-1a2b.js.br': 'brotli', 'odd.bin': '0', 'odd.bin.br': '1' },
      },
    });
    const app = await serverWith(t, {});
    app.post('/api/acts/:id', who, () => ({ ip: 'posted' }));
    const built = Promise.withResolvers<void>();
    registerStaticPages(app, { folder: join(folder, 'ui'), built: built.promise });
    const ask = (url: string, accept: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
      app.inject({ url, method, headers: { accept } });
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const first = ask('/', browser);
    built.resolve();
    t.match(await first, { statusCode: 200, body: '<html>app</html>' }, 'waits until the pages are built');
    for (const path of ['/runs', '/runs/12?tab=log', '/a/b/c', '/%2e%2e'])
      t.match(
        await ask(path, browser),
        {
          statusCode: 200,
          body: '<html>app</html>',
          headers: { 'cache-control': 'no-cache', vary: /accept/ },
        },
        path,
      );
    for (const [path, accept] of [
      ['/', '*/*'],
      ['/', 'application/json'],
      ['/runs', '*/*'],
      ['/api/nothing', browser],
      ['/assets/nothing.js', browser],
    ] as const) {
      const answer = await ask(path, accept);
      t.match([answer.statusCode, answer.json()], [404, { error: 'NOT_FOUND' }], `${path} for ${accept}`);
    }
    const refused = await ask('/api/acts/3', browser);
    t.match(
      [refused.statusCode, refused.headers['allow']],
      [405, 'POST'],
      'the methods of a path are those of before',
    );
    t.equal((await ask('/runs', browser, 'POST')).statusCode, 404);
    t.equal((await ask('/runs', browser, 'HEAD')).statusCode, 200);

    const asset = (encoding: string, name = 'app-1a2b.js') =>
      app.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': encoding } });
    const small = await asset('gzip, deflate, br');
    t.match(
      [small.body, small.headers['content-encoding'], small.headers['content-type']],
      ['brotli', 'br', /javascript/],
    );
    const plain = await asset('gzip;q=0, brotli');
    t.match([plain.body, plain.headers['content-encoding']], ['let a;', undefined]);
  },
);
