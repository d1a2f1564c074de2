import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import type { PlanBody } from './bundles-app.ts';
import { CHECK, COPY, NIGHTLY } from './bundles-app.ts';

t.test('definitions go from one server to another over HTTP, with API keys', async (t) => {
  const [source, target] = [await startFullApp(t), await startFullApp(t)];
  const keyOf = async (app: typeof source, scopes: string[]) => {
    const { visitor } = await app.superadmin();
    const made = await visitor.post<{ token: string }>('/api/api-keys', { name: 'git', scopes });
    return { owner: visitor, token: made.body.token };
  };
  const from = await keyOf(source, [
    'export:read',
    'tasks:read',
    'job-templates:read',
    'dashboard-templates:read',
  ]);
  for (const yaml_content of [COPY, CHECK])
    t.equal((await from.owner.post('/api/tasks', { yaml_content })).status, 201);
  t.equal((await from.owner.post('/api/job-templates', { name: 'n', yaml_content: NIGHTLY })).status, 201);
  const send = (app: typeof source, token: string, path: string, type: string, body: string | Buffer) =>
    fetch(`${app.plane.httpAddress}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: body as string,
    });
  const json = 'application/json';
  const everything = JSON.stringify({ tasks: '*', job_templates: '*' });
  const exported = await send(source, from.token, '/api/export', json, everything);
  t.equal(exported.status, 200);
  const bundle = await exported.text();

  const into = await keyOf(target, ['import:write', 'tasks:write', 'job-templates:write', 'export:read']);
  const yaml = 'application/yaml';
  const dry = await send(target, into.token, '/api/import?dry_run=true', yaml, bundle);
  t.equal(dry.status, 200);
  const { plan_hash, summary } = (await dry.json()) as PlanBody;
  t.match(summary, { create: 3 });
  const done = await send(target, into.token, `/api/import?plan_hash=${plan_hash}`, yaml, bundle);
  t.equal(done.status, 200, await done.text());
  const again = await send(
    target,
    into.token,
    '/api/export',
    json,
    everything.replace('}', ',"include_dashboard_templates":false}'),
  );
  t.equal(await again.text(), bundle, 'byte for byte');
  t.same([...source.openapi.breaches, ...target.openapi.breaches], []);
});
