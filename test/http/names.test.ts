import t from 'tap';
import { startFullApp } from '../support/full-app.ts';

t.test('a name is one line, whatever bears it', async (t) => {
  const full = await startFullApp(t);
  const { visitor } = await full.superadmin();
  const refused = { status: 400, body: { details: [{ path: 'name', message: /line breaks/ }] } };
  for (const name of ['a\nb', 'a\rb', 'a\u0085b', 'a\u001bb']) {
    for (const [path, body] of [
      ['/api/connectors', { type: 'dummy', config: {} }],
      ['/api/api-keys', {}],
      ['/api/users', { email: 'a@example.com', role: 'viewer', password: 'correct horse battery' }],
      ['/api/webhooks', { url: 'https://example.com/hook', events: ['job_run.failed'] }],
      ['/api/metrics/config', { backend: 'noop', config: {} }],
      ['/api/tasks', { yaml_content: 'version: 1\nname: a\nsteps: [{ id: s, kind: log, message: m }]\n' }],
      ['/api/ai/references', { content: 'text' }],
    ] as const)
      t.match(await visitor.post(path, { ...body, name }), refused, path);
    t.match(await visitor.put('/api/users/me', { name }), refused);
    t.match(await visitor.put('/api/branding', { product_name: name }), { status: 400 });
  }
  t.same(full.openapi.breaches, []);
});
