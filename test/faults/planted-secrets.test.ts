import t from 'tap';
import { BareExecutor } from '../support/bare-executor.ts';
import { startWorld } from '../support/fault-world.ts';
import { checkAudit } from '../support/history-audit.ts';
import { checkSecret } from '../support/history-secrets.ts';
import { startReceiver } from '../support/http-receiver.ts';
import { makeLoadJob } from '../support/load-jobs.ts';
import { until } from '../support/served.ts';

/*
 * I7 over a whole server: what was given as a secret is in no table, no file and no answer, and in nothing that is sent; what the
 * server makes as one is in the answer that issued it alone.
 */

const PASSWORD = 'pl@nted p4ssword/of "many" f0rms';
const AI_KEY = 'sk-planted-0a91"77/c2+d4&e5';

t.setTimeout(180_000);

t.test('secrets of connectors, webhooks and the model provider are nowhere', async (t) => {
  const receiver = await startReceiver(t);
  const settings = { SVC_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` };
  const world = await startWorld(t, { settings });
  const { api } = world;
  const [server] = world.servers;
  if (server === undefined) throw new Error('no server');
  const hook = await api.post<{ id: number; secret: string }>('/api/webhooks', {
    name: 'hook',
    events: '*',
    url: receiver.url,
  });
  const rotated = await api.post<{ secret: string }>(`/api/webhooks/${hook.id}/rotate-secret`, {});
  await api.put('/api/server/config', {
    settings: {
      'ai.provider': 'openai',
      'ai.base_url': receiver.url,
      'ai.model': 'm',
      'ai.api_key': AI_KEY,
    },
  });
  const { jobId, taskId, connectors } = await makeLoadJob(api, 'load', PASSWORD);
  await api.post(`/api/webhooks/${hook.id}/test`);
  await api.post(`/api/jobs/${jobId}/runs`);
  const executor = await BareExecutor.register(server.url, ['postgres']);
  const lease = await executor.take();
  await executor.leave(lease, 2, { url: `postgres://app:${encodeURIComponent(PASSWORD)}@db`, is: PASSWORD });
  const failure = { code: 'X', message: `cannot sign in with ${PASSWORD}`, step_id: 'say' };
  await executor.complete(lease, { status: 'error', reason: 'task_error', failure });
  // An answer of the provider that repeats the key, as some do.
  receiver.answer = (response, { headers }) =>
    void response.writeHead(401).end(JSON.stringify({ error: { message: headers.authorization } }));
  const refusal = await api.post('/api/ai/generate-task', { prompt: 'copy orders' }).catch(String);
  await until('the webhook was sent to', 20_000, async () => receiver.received.length >= 3);

  const gets = [
    ...['runs', 'job-runs', 'jobs', 'tasks', 'connectors', 'audit-logs', 'webhooks', 'ai/references'],
    ...['ai/status', 'server/config', 'server/info', `runs/${lease.run_id}`, `webhooks/${hook.id}`],
    ...[`webhooks/${hook.id}/deliveries`, `runs/${lease.run_id}/dead-letters`, `jobs/${jobId}`],
    ...[
      `jobs/${jobId}/dead-letters`,
      `jobs/${jobId}/drift`,
      `tasks/${taskId}`,
      `connectors/${connectors['db']}`,
    ],
  ];
  const answers = new Map<string, string>([['generate-task', JSON.stringify(refusal)]]);
  for (const path of gets) answers.set(path, JSON.stringify(await api.get(`/api/${path}`)));
  const { result } = await api.get<{ result: { id: number }[] }>(`/api/webhooks/${hook.id}/deliveries`);
  for (const { id } of result) {
    const path = `/api/webhooks/${hook.id}/deliveries/${id}`;
    answers.set(path, JSON.stringify(await api.get(path)));
  }
  answers.set(
    'replay',
    String(await api.post(`/api/runs/${lease.run_id}/dead-letters/replay`, {}).catch(String)),
  );
  for (const format of ['yaml', 'zip']) {
    const exported = await fetch(new URL('/api/export', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tasks: '*', job_templates: '*', include_connectors: '*', format }),
    });
    t.equal(exported.status, 200);
    answers.set(`export ${format}`, Buffer.from(await exported.arrayBuffer()).toString('latin1'));
  }
  receiver.received.forEach(({ path, body }, index) => {
    answers.set(`sent ${index} to ${path}`, body);
  });
  const store = await world.openStore();
  const files = [world.metricsPath, `${world.metricsPath}-wal`];
  const raw = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64').toString('latin1');
  for (const [name, secret] of [
    ['the password', PASSWORD],
    ['the model key', AI_KEY],
    ['the webhook secret', hook.secret],
    ['its rotated secret', rotated.secret],
    ['the bytes of the webhook secret', raw(hook.secret)],
  ] as const)
    await t.resolves(checkSecret(secret, { store, files, answers }), name);
  const audited = await store.read.selectFrom('audit_logs').select('action').execute();
  const actions = new Set(audited.map(({ action }) => action));
  for (const action of ['webhook.create', 'webhook.rotate', 'server_config.update', 'bundle.export'])
    t.ok(actions.has(action), `${action}: ${[...actions].join(', ')}`);
  await t.resolves(checkAudit(store.read));
});
