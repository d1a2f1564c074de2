import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { userOf } from '../../support/app.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { openTestStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { aiApp, GOOD, KEY, type Refused } from './ai-app.ts';
import { type Reply, startModelServer } from './model-server.ts';

const PATH = '/api/ai/generate-task';
const pool = await sharedWorkerPool();
const model = await startModelServer(t);
const status = (code: number, message: string, headers: object = {}): Reply => ({
  kind: 'status',
  status: code,
  message,
  headers,
});

/** What a provider does, and what the caller is told of it; how often it is asked, where that is not once. */
const FAILURES: Readonly<
  Record<string, { reply: Reply; message: RegExp; asked?: number; retryAfter?: string; wholeOnly?: boolean }>
> = {
  'a refusal': { reply: { kind: 'refusal', text: 'I will not do that.' }, message: /refuses to answer/ },
  'a limit of tokens': {
    reply: { kind: 'text', text: GOOD, cutAtLimit: true },
    message: /cut at its limit \(ai\.max_tokens\)/,
  },
  'a wrong key': {
    reply: status(401, `Incorrect API key provided: ${KEY}`),
    message: /refuses the key \(ai\.api_key\).*provided: \*{8}/,
  },
  'no right': { reply: status(403, 'Not for you'), message: /refuses the key .*Not for you/ },
  'an unknown model': {
    reply: status(404, 'model "x" not found'),
    message: /address or the model.*not found/,
  },
  'too often': {
    reply: status(429, 'Slow down', { 'retry-after': '17' }),
    message: /limits requests: try again in 17 s: ".*Slow down/,
    retryAfter: '17',
  },
  'too often, until a date': {
    reply: status(429, 'Slow down', { 'retry-after': new Date(Date.now() + 86_400_000).toUTCString() }),
    message: /try again in 3600 s/,
    retryAfter: '3600',
  },
  'too often, without a time': { reply: status(429, 'Slow down'), message: /try again later/ },
  'a bad request': { reply: status(400, 'context too long'), message: /status 400.*context too long/ },
  'a fault': { reply: status(500, 'Oops'), message: /failed with status 500.*Oops/, asked: 2 },
  'an overload': { reply: status(529, 'Overloaded'), message: /failed with status 529/, asked: 2 },
  'an endless error': { reply: status(400, 'e'.repeat(100_000)), message: /^.{300,500}$/ },
  'a redirect': {
    reply: status(302, 'Moved', { location: 'http://127.0.0.1:1/v1' }),
    message: /redirects elsewhere/,
  },
  'an empty answer': { reply: { kind: 'text', text: ' \n' }, message: /empty answer/ },
  'no JSON': {
    reply: { kind: 'garbage', body: '<html>Welcome</html>' },
    message: /not that of a model/,
    wholeOnly: true,
  },
  'another JSON': {
    reply: { kind: 'garbage', body: '{"choices": [{}], "content": 7}' },
    message: /not that of a model/,
    wholeOnly: true,
  },
  'a page': {
    reply: { kind: 'garbage', body: '<html>Welcome</html>', type: 'text/html' },
    message: /not that of a model/,
    wholeOnly: true,
  },
  null: { reply: { kind: 'garbage', body: 'null' }, message: /not that of a model/, wholeOnly: true },
};
/** The same of streams alone. */
const STREAM_FAILURES: typeof FAILURES = {
  'a stream that is cut': { reply: { kind: 'cut' }, message: /ended before the answer|failed|reached/ },
  'a stream without an end': { reply: { kind: 'unfinished' }, message: /ended before the answer/ },
  'a stream of no events': {
    reply: { kind: 'garbage', body: '<html>Welcome</html>', type: 'text/html' },
    message: /ended before the answer/,
  },
  'events of no JSON': {
    reply: { kind: 'garbage', body: 'event: message_start\ndata: {oops\n\n', type: 'text/event-stream' },
    message: /not that of a model/,
  },
  'an error among the events': {
    reply: {
      kind: 'garbage',
      body: `event: error\ndata: {"type": "error", "error": {"type": "overloaded", "message": "Overloaded, ${KEY}"}}\n\n`,
      type: 'text/event-stream',
    },
    message: /failed: ".*Overloaded, \*{8}/,
  },
  'an endless stream': { reply: { kind: 'flood' }, message: /longer than|larger than/ },
};

for (const provider of ['openai', 'anthropic'] as const) {
  const appOf = async (test: Test) => {
    const app = await aiApp(test, await openTestStore(test, 'sqlite'), pool);
    const base = model.baseUrl(provider);
    await app.configure({ 'ai.api_key': KEY, 'ai.base_url': base, 'ai.provider': provider });
    return app;
  };

  t.test(`a caller is told what is wrong with the provider (${provider})`, ofFullList, async (t) => {
    const app = await appOf(t);
    for (const [name, { reply, message, asked = 1, retryAfter, wholeOnly }] of Object.entries(FAILURES)) {
      model.reply(reply);
      const whole = await app.editor().post<Refused>(PATH, { prompt: 'x' });
      t.match(whole, { status: 502, body: { error: 'CONNECTOR_ERROR', message } }, `${name}: ${whole.text}`);
      t.equal(whole.headers['retry-after'], retryAfter, name);
      t.notOk(whole.text.includes(KEY), `${name}: no key`);
      t.equal(model.requests().length, asked, `${name}: asked ${asked} times`);
      if (wholeOnly) continue;
      const last = (await app.stream({ prompt: 'x' })).at(-1);
      t.match(last, { event: 'error', data: { error: 'CONNECTOR_ERROR', message } }, `${name}, streamed`);
      if (retryAfter !== undefined) t.equal(last?.data['retry_after_seconds'], Number(retryAfter));
      t.notOk(JSON.stringify(last).includes(KEY));
      model.requests();
    }
  });

  t.test(
    `a stream that breaks is no answer (${provider})`,
    provider === 'openai' ? {} : ofFullList,
    async (t) => {
      const app = await appOf(t);
      for (const [name, { reply, message }] of Object.entries(STREAM_FAILURES)) {
        model.reply(reply);
        const events = await app.stream({ prompt: 'x' });
        const last = events.at(-1);
        t.match(last, { event: 'error', data: { error: 'CONNECTOR_ERROR', message } }, JSON.stringify(last));
        t.notOk(JSON.stringify(events).includes(KEY), `${name}: no key`);
        t.notOk(events.some(({ event }) => event === 'result'));
        model.requests();
      }
      model.reply({ kind: 'cut' });
      t.match(
        await app.editor().post<Refused>(PATH, { prompt: 'x' }),
        { status: 502 },
        'a whole answer that is cut',
      );
      model.reply({ kind: 'flood' });
      const flood = await app.editor().post<Refused>(PATH, { prompt: 'x' });
      t.match(
        flood,
        { status: 502, body: { message: /sends too much: The answer is larger than 33554432 bytes/ } },
        flood.text,
      );
      model.requests();
    },
  );

  t.test(`a provider that does not answer is left after its time (${provider})`, ofFullList, async (t) => {
    const app = await appOf(t);
    await app.configure({ 'ai.timeout_seconds': 5 });
    const late = {
      status: 502,
      body: { error: 'CONNECTOR_ERROR', message: /within 5 s \(ai\.timeout_seconds\)/ },
    };
    model.reply({ kind: 'hang', after: 'nothing' });
    const first = app.editor().post<Refused>(PATH, { prompt: 'x' });
    const second = app.stream({ prompt: 'x' });
    t.match(await first, late);
    t.match((await second).at(-1), { event: 'error', data: { message: late.body.message } });
    model.reply({ kind: 'hang', after: 'head' });
    const third = app.editor().post<Refused>(PATH, { prompt: 'x' });
    const fourth = app.stream({ prompt: 'x' });
    t.match(await third, late);
    t.match((await fourth).at(-1), { event: 'error', data: { message: late.body.message } });
    for (const { leftEarly } of model.requests()) t.equal(await leftEarly, true, 'and its request is ended');
  });

  t.test(`a client that leaves ends the question (${provider})`, ofFullList, async (t) => {
    const app = await appOf(t);
    await app.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.app.server.address() as AddressInfo;
    for (const [after, stream] of [
      ['nothing', false],
      ['head', false],
      ['nothing', true],
      ['head', true],
    ] as const) {
      model.reply({ kind: 'hang', after });
      const left = new AbortController();
      const asked = fetch(`http://127.0.0.1:${port}${PATH}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-test-principal': JSON.stringify(userOf('editor', 9)),
        },
        body: JSON.stringify({ prompt: 'x', stream }),
        signal: left.signal,
      }).then((answer) => answer.text());
      asked.catch(() => undefined);
      let [request] = model.requests();
      while (request === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        [request] = model.requests();
      }
      left.abort();
      await t.rejects(asked);
      t.equal(await request.leftEarly, true, `${after}, ${stream ? 'streamed' : 'whole'}`);
    }
    model.reply({ kind: 'text', text: GOOD });
    const answers = Array.from({ length: 4 }, () => app.editor().post(PATH, { prompt: 'x' }));
    for (const { status: code } of await Promise.all(answers)) t.equal(code, 200, 'their places are free');
    model.requests();
  });
}

t.test('an address where nobody listens is told as such', async (t) => {
  const app = await aiApp(t, await openTestStore(t, 'sqlite'), pool);
  const gone = (await import('node:net')).createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  for (const provider of ['openai', 'anthropic']) {
    await app.configure({
      'ai.api_key': KEY,
      'ai.base_url': `http://127.0.0.1:${port}/v1`,
      'ai.provider': provider,
    });
    const answer = await app.editor().post<Refused>(PATH, { prompt: 'x' });
    t.match(
      answer,
      { status: 502, body: { message: /\(ai\.base_url\): "127\.0\.0\.1" cannot be reached/ } },
      answer.text,
    );
    t.notOk(answer.text.includes(String(port)), 'without its address');
  }
});
