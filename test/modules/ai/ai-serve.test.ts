import { Writable } from 'node:stream';
import { pino } from 'pino';
import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { drawnKinds } from '../../support/stores.ts';
import { eventsOf, fenced, type GeneratedBody, GOOD, KEY, type Refused } from './ai-app.ts';
import { startModelServer } from './model-server.ts';

const PATH = '/api/ai/generate-task';
const MASK = '********';

t.test('an address that is given over the API is judged by the policy of the server', async (t) => {
  const model = await startModelServer(t);
  const full = await startFullApp(t);
  const { visitor } = await full.superadmin();
  const settings = { 'ai.api_key': KEY, 'ai.model': 'm-1', 'ai.base_url': `${model.origin}/v1` };
  t.equal((await visitor.put('/api/server/config', { settings })).status, 200);
  t.match(await visitor.post(PATH, { prompt: 'Say hello' }), {
    status: 502,
    body: { error: 'CONNECTOR_ERROR', message: /ai\.base_url.*"127\.0\.0\.1".*SVC_OUTBOUND_ALLOW/ },
  });
  t.same(model.requests(), []);
});

for (const kind of drawnKinds(t)) {
  t.test(`a server as it is served generates a task, and tells its key to nobody (${kind})`, async (t) => {
    const model = await startModelServer(t);
    const told: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        told.push(chunk.toString());
        done();
      },
    });
    const env = { SVC_AI_PROVIDER: 'anthropic', SVC_AI_BASE_URL: model.origin };
    const full = await startFullApp(t, kind, env, pino({ level: 'trace' }, sink));
    const { visitor } = await full.superadmin();
    const keep = async <T>(answer: Promise<{ status: number; text: string; body: T }>) => {
      const got = await answer;
      told.push(got.text);
      return got;
    };
    const config = '/api/server/config';
    const saved = await keep(visitor.put(config, { settings: { 'ai.api_key': KEY, 'ai.model': 'm-1' } }));
    t.match(saved, {
      status: 200,
      body: {
        settings: { 'ai.api_key': { value: MASK }, 'ai.provider': { locked: true, value: 'anthropic' } },
      },
    });
    await keep(visitor.get(config));
    t.match(await keep(visitor.get('/api/ai/status')), {
      body: {
        configured: true,
        provider: 'anthropic',
        model: 'm-1',
        base_url_host: new URL(model.origin).host,
      },
    });
    const note = { name: 'Style', content: 'Say it in one step.' };
    t.equal((await keep(visitor.post('/api/ai/references', note))).status, 201);

    model.reply({ kind: 'text', text: fenced(GOOD) });
    const made = await keep(visitor.post<GeneratedBody>(PATH, { prompt: 'Say hello' }));
    t.match(made, { status: 200, body: { yaml_content: GOOD, references_used: [{ name: 'Style' }] } });
    t.match(model.requests(), [{ headers: { 'x-api-key': KEY }, text: /Say it in one step/ }]);
    const created = await keep(visitor.post('/api/tasks', { yaml_content: made.body.yaml_content }));
    t.equal(created.status, 201, 'what it gives is a task');

    model.reply({ kind: 'status', status: 401, message: `invalid x-api-key: ${KEY}` });
    t.match(await keep(visitor.post<Refused>(PATH, { prompt: 'x' })), {
      status: 502,
      body: { message: /refuses the key/ },
    });
    const key = await visitor.post<{ token: string }>('/api/api-keys', { name: 'k', scopes: ['ai:run'] });
    const streamed = await fetch(`${full.plane.httpAddress}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key.body.token}` },
      body: JSON.stringify({ prompt: 'Say hello', stream: true }),
    });
    t.match(streamed.headers.get('content-type'), /^text\/event-stream/);
    const text = await streamed.text();
    told.push(text);
    t.match(eventsOf(text).at(-1), { event: 'error', data: { error: 'CONNECTOR_ERROR' } });
    model.reply({ kind: 'garbage', body: `{"oops": "${KEY}` });
    t.equal((await keep(visitor.post(PATH, { prompt: 'x' }))).status, 502);
    model.reply({ kind: 'text', text: GOOD });
    for (const asked of [1, 2]) t.equal((await keep(visitor.post(PATH, { prompt: `${asked}` }))).status, 200);

    const audit = await keep(visitor.get<{ result: object[] }>('/api/audit-logs?action=ai.generate_task'));
    t.equal(audit.body.result.length, 6, 'each time that something was sent');
    await keep(visitor.get('/api/audit-logs?limit=200'));
    await keep(visitor.get('/api/openapi.json'));
    t.ok(told.length > 10);
    t.same(
      told.filter((line) => line.includes(KEY)),
      [],
      'neither answers, nor the audit log, nor the log hold it',
    );
    t.same([...new Set(full.openapi.breaches)], [], 'every answer is what the OpenAPI document says');
  });
}
