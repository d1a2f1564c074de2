import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { REGISTER_REQUEST } from '../../protocol/support/samples.ts';
import { EXECUTOR_KEY, type FullApp, startFullApp } from '../../support/full-app.ts';
import { type HttpReceiver, startReceiver } from '../../support/http-receiver.ts';
import { drawnKinds } from '../../support/stores.ts';
import type { Visitor } from '../../support/visitor.ts';
import { completionOf } from '../executor-callbacks/http-executor.ts';

const WAIT_MS_MAX = 20_000;

/** What arrived, each proven by the webhook's secret, once there is as much of it. */
async function arrived({ received }: HttpReceiver, secret: string, count: number): Promise<unknown[]> {
  for (let waited = 0; received.length < count && waited < WAIT_MS_MAX; waited += 20) await wait(20);
  return received.map(({ body, headers }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>),
  );
}

async function newJob(visitor: Visitor): Promise<number> {
  const task = 'version: 1\nname: say\nsteps:\n  - { id: say, kind: log, message: done }\n';
  await visitor.post('/api/tasks', { yaml_content: task });
  const yaml_content = 'version: 1\nname: only\ntasks:\n  say: { task: say }\n';
  const template = await visitor.post<{ id: number }>('/api/job-templates', { name: 'only', yaml_content });
  const input = { name: 'orders of Acme', connector_mapping: {} };
  const path = `/api/job-templates/${template.body.id}/jobs`;
  return (await visitor.post<{ id: number }>(path, input)).body.id;
}

/** An executor over HTTP that takes one run and ends it so. */
async function runOne({ http }: FullApp, status: 'success' | 'error'): Promise<void> {
  const authorization = `Bearer ${EXECUTOR_KEY}`;
  const post = async <T>(url: string, payload: object, own: Record<string, string> = {}): Promise<T> => {
    const answer = await http.inject({ method: 'POST', url, headers: { authorization, ...own }, payload });
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.body}`);
    return JSON.parse(answer.body === '' ? 'null' : answer.body) as T;
  };
  const registered = await post<{ executor_id: number; session_token: string }>('/api/executors/register', {
    ...REGISTER_REQUEST,
    instance_id: `one-${Math.random()}`,
  });
  const { executor_id, session_token } = registered;
  const own = { 'x-executor-id': String(executor_id), 'x-session-token': session_token };
  const next = `/api/executors/${executor_id}/next?wait=10`;
  const { assignments } = await post<{ assignments: { lease: Lease }[] }>(next, { credits: 1 }, own);
  const lease = assignments[0]?.lease;
  if (lease === undefined) throw new Error('nothing was assigned');
  const run = `/api/executor-callbacks/runs/${lease.run_id}`;
  await post(`${run}/start`, { lease }, own);
  const failure = status === 'error' ? { code: 'X', message: 'it broke', step_id: 'say' } : null;
  const reason = status === 'error' ? 'task_error' : '';
  await post(`${run}/complete`, { ...completionOf(lease), status, reason, failure }, own);
}

for (const kind of drawnKinds(t)) {
  t.test(`the whole server tells of what job runs come to (${kind})`, async (t) => {
    const receiver = await startReceiver(t);
    const app = await startFullApp(t, kind, { SVC_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` });
    const { visitor } = await app.superadmin();
    const input = { name: 'hook', events: '*', url: receiver.url };
    const { body } = await visitor.post<{ id: number; secret: string }>('/api/webhooks', input);
    t.equal((await visitor.post(`/api/webhooks/${body.id}/test`)).status, 201);
    t.match(await arrived(receiver, body.secret, 1), [{ type: 'webhook.test' }]);
    const jobId = await newJob(visitor);
    for (const status of ['error', 'success'] as const) {
      t.equal((await visitor.post(`/api/jobs/${jobId}/runs`)).status, 201);
      await runOne(app, status);
    }
    const events = (await arrived(receiver, body.secret, 5)) as { type: string; data: object }[];
    const types = events.map((event) => event.type).sort();
    const ends = ['job_run.failed', 'job_run.succeeded'];
    t.same(types, [...ends, 'run.failing', 'run.recovered', 'webhook.test']);
    t.match(
      events.find((event) => event.type === 'run.recovered'),
      { data: { job_id: jobId, job_name: 'orders of Acme', failed_job_runs: 1 } },
    );
  });

  t.test(`neither the server nor this machine is a receiver unless it is listed (${kind})`, async (t) => {
    const app = await startFullApp(t, kind);
    const { visitor } = await app.superadmin();
    for (const url of [
      app.plane.httpAddress,
      'http://127.0.0.1:1/',
      'http://[::1]/',
      'http://169.254.169.254/',
    ]) {
      const refused = await visitor.post('/api/webhooks', { name: 'hook', events: '*', url });
      t.match(refused, { status: 400, body: { message: /SVC_OUTBOUND_ALLOW/ } }, url);
    }
  });
}
