import t from 'tap';
import { z } from 'zod';
import { caller } from '../../src/base/concurrency/caller.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { loadConfig } from '../../src/config.ts';
import { anybody, member, shareToken } from '../../src/http/access.ts';
import { operation } from '../../src/http/operation.ts';
import { createHttpServer } from '../../src/http/server.ts';

t.test('all that a request causes is its caller’s, after its body was read as well', async (t) => {
  const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null' });
  if (!loaded.ok) throw new Error('no configuration');
  const key = { type: 'api_key', userId: 7, name: 'ci', role: 'editor', scopes: ['*'] } as const;
  const app = await createHttpServer(loaded.config, silentLogger, {
    member: async ({ headers }) => ({ ...key, id: Number(headers['x-key']) }),
    executor: async () => ({ type: 'executor', name: 'e1', key: 'k' }),
  });
  t.teardown(() => app.close());
  const body = z.strictObject({ text: z.string() });
  const params = z.strictObject({ token: z.string().optional() });
  const answers = { 200: z.object({ caller: z.string().nullable() }) };
  const accesses = {
    member: member('viewer', 'tasks:read'),
    executor: { kind: 'executor' } as const,
    'share/:token': shareToken,
    anybody,
  };
  for (const [path, access] of Object.entries(accesses)) {
    const about = operation({ id: path, tag: 'T', summary: 's', access, body, params, answers });
    app.post(`/${path}`, about, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { caller: caller.getStore() ?? null };
    });
  }
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const sent = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers };
    const text = JSON.stringify({ text: 'x'.repeat(10_000) });
    const answer = await fetch(`${address}/${path}`, { method: 'POST', headers: sent, body: text });
    return (await answer.json()) as { caller: string | null };
  };
  const answered = await Promise.all([
    ask('member', { 'x-key': '1' }),
    ask('member', { 'x-key': '2' }),
    ask('share/abc'),
    ask('executor'),
    ask('anybody'),
  ]);
  t.same(
    answered.map((each) => each.caller),
    ['user:7', 'user:7', 'share:abc', null, 'ip:127.0.0.1'],
  );
});
