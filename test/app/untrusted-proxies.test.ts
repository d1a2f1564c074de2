import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { warnOfUntrustedProxies } from '../../src/app/untrusted-proxies.ts';
import type { Logger } from '../../src/base/logger.ts';
import { loadConfig } from '../../src/config.ts';

/** Requests through a proxy, and what the server has logged of them. */
async function behindProxy(t: Test, trusted: string) {
  const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null', SVC_TRUST_PROXY: trusted });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const lines: unknown[] = [];
  const logger = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Logger;
  let now = 0;
  const http = Fastify();
  t.teardown(() => http.close());
  warnOfUntrustedProxies(http, { config: loaded.config, clock: { now: () => now }, logger });
  http.get('/', async () => 'ok');
  return {
    lines,
    after: (ms: number) => (now += ms),
    ask: (headers: Record<string, string>) => http.inject({ url: '/', headers }),
  };
}

t.test('requests through a proxy that is not trusted are one line a minute', async (t) => {
  const { ask, lines, after } = await behindProxy(t, '0');
  await ask({});
  t.same(lines, []);
  for (let n = 0; n < 3; n += 1) await ask({ 'x-forwarded-for': '203.0.113.7' });
  t.match(lines, [[{ count: 1, address: '127.0.0.1', reason: /SVC_TRUST_PROXY/ }, /X-Forwarded-For/]]);
  t.equal(lines.length, 1);
  after(60_000);
  await ask({ 'x-forwarded-for': '203.0.113.7' });
  t.match(lines[1], [{ count: 3 }]);
});

t.test('behind a proxy that is trusted there is nothing to say', async (t) => {
  const { ask, lines } = await behindProxy(t, '1');
  await ask({ 'x-forwarded-for': '203.0.113.7' });
  t.same(lines, []);
});
