import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { startReceiver } from '../../support/http-receiver.ts';

const SECRET = 'pl4nted-t0ken';
const ROWS = 'an-ordinary-row';

const TASK = `version: 1
name: read
connectors: { api: { type: http } }
steps: [{ id: read, kind: extract, connector: api, method: list, args: { resource: items } }]
`;

const config = (base_url: string, token: string) => ({
  base_url,
  auth: { type: 'bearer' },
  token,
  retry: { max_attempts: 1 },
  resources: { items: { path: '/items' } },
});

t.test('whatever the other side repeats of a secret, no answer shows it', async (t) => {
  const api = await startReceiver(t);
  const base = `http://127.0.0.1:${api.port}`;
  let status = 401;
  api.answer = (response, { headers }) => {
    const text = JSON.stringify([{ id: 1, said: ROWS, of: headers.authorization }]);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const app = await startFullApp(t, 'sqlite', { SVC_OUTBOUND_ALLOW: `127.0.0.1:${api.port}` });
  const { visitor } = await app.superadmin();
  const seen: string[] = [];
  const ask = async (method: 'get' | 'post', path: string, body?: object) => {
    const answer = await (method === 'get' ? visitor.get(path) : visitor.post(path, body));
    seen.push(answer.text);
    return answer;
  };
  const { body } = await visitor.post<{ id: number }>('/api/connectors', {
    name: 'api',
    type: 'http',
    config: config(base, SECRET),
  });
  const saved = `/api/connectors/${body.id}`;

  await ask('post', '/api/connectors/test', { type: 'http', config: config(base, SECRET) });
  await ask('post', `${saved}/test`);
  await ask('get', `${saved}/health`);
  status = 400;
  await ask('post', `${saved}/explore`, { resource: 'items' });
  await ask('post', `${saved}/introspect`, { resource: 'items' });
  await ask('post', '/api/tasks/preview', { yaml_content: TASK, connectors: { api: body.id } });
  status = 200;
  await ask('post', '/api/tasks/preview', { yaml_content: TASK, connectors: { api: body.id } });

  t.equal(api.received.filter(({ headers }) => headers.authorization === `Bearer ${SECRET}`).length, 6);
  const repeated = seen.filter((text) => text.includes(ROWS) && text.includes('********'));
  t.equal(repeated.length, seen.length, seen.join('\n'));
  t.notMatch(seen.join('\n'), SECRET);
});
