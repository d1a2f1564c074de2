import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { createPublicApi } from '../../../src/ui/share/public-api.ts';

/** A share page's calls to a server that answers all of them with `status`; null: not at all. */
async function openApi(t: Test, status: number | null) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    if (status !== null) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A browser takes relative addresses.
  const { fetch } = globalThis;
  globalThis.fetch = (url, init) => fetch(new URL(String(url), base), init);
  t.teardown(() => {
    globalThis.fetch = fetch;
    server.closeAllConnections();
    server.close();
  });
  let refusals = 0;
  const api = createPublicApi('token', () => {
    refusals += 1;
  });
  return { api, asked, refusals: () => refusals };
}

const refusal = (status: number) => ({ name: 'ApiError', status });

t.test('a page is asked for anew when the link or the dashboard has changed', async (t) => {
  for (const status of [401, 404]) {
    const { api, refusals } = await openApi(t, status);
    await t.rejects(api.widgets(['a'], 500), refusal(status));
    await t.rejects(api.submit('a', { value: {} }), refusal(status));
    await t.rejects(api.options('a', { side: 'b' }), refusal(status));
    t.equal(refusals(), 3, String(status));
  }
  const { api, refusals } = await openApi(t, 400);
  await t.rejects(api.widgets(['gone'], 500), refusal(400));
  t.equal(refusals(), 1, 'a widget that is no more');
});

t.test('a form stays where its values are refused, and while they are only checked', async (t) => {
  const refused = await openApi(t, 400);
  await t.rejects(refused.api.submit('a', { value: {} }), refusal(400));
  await t.rejects(refused.api.act('a', {}, 'key'), refusal(400));
  t.equal(refused.refusals(), 0);
  const gone = await openApi(t, 404);
  await t.rejects(gone.api.submit('a', { value: {}, dry_run: true }), refusal(404));
  t.equal(gone.refusals(), 0);
});

t.test('an action is sent as JSON, with the key of its press', async (t) => {
  const { api, asked } = await openApi(t, 200);
  await api.act('w 1', { a: 1 }, 'key-of-the-press');
  t.match(asked[0], {
    method: 'POST',
    url: '/api/public/dashboards/token/widgets/w%201/action',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'key-of-the-press' },
  });
});

t.test('a search that is typed on is given up at once', { timeout: 5_000 }, async (t) => {
  const { api, refusals } = await openApi(t, null);
  const typing = new AbortController();
  const page = api.options('a', { side: 'b', q: 'x' }, typing.signal);
  typing.abort();
  await t.rejects(page, refusal(0));
  t.equal(refusals(), 0);
});
