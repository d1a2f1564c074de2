import type { Lease } from '../../src/protocol/control-plane.ts';
import { REGISTER_REQUEST } from '../protocol/support/samples.ts';
import { EXECUTOR_KEY, type FullApp } from './full-app.ts';
import { PASSWORD, Visitor } from './visitor.ts';

/** A record of every kind, made over the API, and the requests that made or may change them. */
export interface OneOfEach {
  /** What stands for a parameter of a path: by the segment before it, as `jobs` in `/api/jobs/{id}`. */
  readonly values: ReadonlyMap<string, string>;
  /** Bodies that are taken, by operation, as in `POST /api/tasks`. */
  readonly bodies: ReadonlyMap<string, object>;
  /** An executor that was given the run of `bodies`. */
  readonly executor: Visitor;
}

const SLOTS = 1_000;
const CREDITS = 50;
const CLAIMS_MAX = 40;

const TASK = `connectors: { shop: { type: dummy } }
steps:
  - { id: read, kind: extract, connector: shop, method: list }
  - { id: say, kind: transform, input: read, ops: [{ set: { b: item.a } }], on_error: { action: dead_letter } }
`;
const TEMPLATE = `connectors: { shop: { type: dummy } }
job_config:
  where: { type: form, fields: [{ key: note, type: text, default: hello }] }
  map: { type: field_mapping, default: [{ source_field: a, target_field: b }] }
`;
const BOARD = `widgets:
  - { id: title, type: heading, text: Sales }
  - { id: where, type: form }
  - { id: go, type: action, run: { job: true } }
  - { id: list, type: table, connector: shop, method: list, export: true, columns: [{ key: id }] }
`;
const SHOP = { type: 'dummy', config: { rows: [{ id: 1, name: 'a' }] } };

type Made = { id: number; [key: string]: unknown };

/** Makes them as `who`, a superadmin; `n` tells them from those made before. */
export async function makeOneOfEach(full: FullApp, who: Visitor, n = 1): Promise<OneOfEach> {
  const values = new Map<string, string>([
    ['state', 'say'],
    ['versions', '1'],
    ['schemas', 'task'],
    ['of a job: tasks', 'say'],
    ['of a job: config', 'where'],
  ]);
  const bodies = new Map<string, object>();
  const send = async (path: string, body: object, kept?: string): Promise<Made> => {
    const { status, body: made, text } = await who.post<Made>(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    if (kept !== undefined) values.set(kept, String(made.id));
    return made;
  };
  const keep = (operation: string, body: object) => bodies.set(operation, body);
  const name = `one ${n}`;

  const connector = { name: `shop ${n}`, ...SHOP };
  const { id: shop } = await send('/api/connectors', connector, 'connectors');
  keep('POST /api/connectors', { ...connector, name: `another ${n}` }).set(
    'PUT /api/connectors/{id}',
    connector,
  );
  keep('POST /api/connectors/test', SHOP);
  const task = { yaml_content: `version: 1\nname: hello_${n}\n${TASK}` };
  const { id: taskId } = await send('/api/tasks', task, 'tasks');
  for (const segment of ['timeseries', 'summary']) values.set(segment, String(taskId));
  keep('PUT /api/tasks/{id}', task).set('PUT /api/jobs/{id}/tasks/{key}/override', task);
  keep('POST /api/tasks/preview', { ...task, connectors: { shop } });
  keep('POST /api/tasks/lock', task);
  keep('POST /api/tasks/evaluate', { ...task, step: 'read', expression: '1 + 1', row: {} });
  const template = {
    name,
    yaml_content: `version: 1\nname: t_${n}\n${TEMPLATE}tasks: { say: { task: hello_${n} } }\n`,
  };
  const { id: templateId } = await send('/api/job-templates', template, 'job-templates');
  keep('PUT /api/job-templates/{id}', template);
  const board = { name, yaml_content: BOARD };
  await send(`/api/job-templates/${templateId}/dashboard-templates`, board, 'dashboard-templates');
  keep('PUT /api/dashboard-templates/{id}', board).set('PUT /api/dashboards/{id}', board);
  keep('POST /api/jobs/{id}/dashboard-draft', { yaml_content: BOARD });
  const job = { name, connector_mapping: { shop } };
  const { id: jobId } = await send(`/api/job-templates/${templateId}/jobs`, job, 'jobs');
  keep('POST /api/job-templates/{id}/jobs', { ...job, name: `another ${n}` }).set('PUT /api/jobs/{id}', job);
  keep('PUT /api/jobs/{id}/config', { where: { note: 'x' } });
  keep('PUT /api/jobs/{id}/config/{key}', { value: { note: 'x' } });
  keep('PUT /api/jobs/{id}/state/{task_key}', { step_id: 'say', value: String(n) });
  keep('POST /api/connectors/{id}/explore', { resource: 'rows' });
  await spares(send, { n, templateId, shop });

  await aroundJob(send, keep, { who, jobId, shop, name, values });
  await ofPeople(full, send, keep, { name, n });
  const executor = await ofRuns(full, send, keep, { who, taskId, n, values, shop });
  return { values, bodies, executor };
}

type Send = (path: string, body: object, kept?: string) => Promise<Made>;
type Keep = (operation: string, body: object) => unknown;

/** Records that nothing uses: they may be deleted, and the job's cursor be set. */
async function spares(
  send: Send,
  { n, templateId, shop }: { n: number; templateId: number; shop: number },
): Promise<void> {
  const name = `spare ${n}`;
  const yaml = `version: 1\nname: spare_${n}\n`;
  await send('/api/connectors', { name, ...SHOP }, 'spare: connectors');
  await send('/api/tasks', { yaml_content: `${yaml}${TASK}` }, 'spare: tasks');
  await send(
    '/api/job-templates',
    { name, yaml_content: `${yaml}${TEMPLATE}tasks: { say: { task: spare_${n} } }\n` },
    'spare: job-templates',
  );
  const job = { name, connector_mapping: { shop } };
  await send(`/api/job-templates/${templateId}/jobs`, job, 'spare: jobs');
}

async function aroundJob(
  send: Send,
  keep: Keep,
  of: { who: Visitor; jobId: number; shop: number; name: string; values: Map<string, string> },
): Promise<void> {
  const { who, jobId, shop, name, values } = of;
  const dashboards = await who.get<{ result: Made[] }>(`/api/jobs/${jobId}/dashboards`);
  const dashboard = dashboards.body.result[0]?.id ?? 0;
  values.set('dashboards', String(dashboard));
  const { share_token } = await send(`/api/dashboards/${dashboard}/share`, {});
  values.set('of the public: dashboards', String(share_token));
  keep('POST /api/dashboards/{id}/share', {});
  for (const path of ['/api/dashboards/{id}', '/api/public/dashboards/{token}']) {
    keep(`POST ${path}/widgets/data`, {});
    keep(`POST ${path}/widgets/{widget_id}/rows`, { page: { limit: 10 } });
    keep(`POST ${path}/widgets/{widget_id}/submit`, { value: { note: 'y' } });
    keep(`POST ${path}/widgets/{widget_id}/action`, {});
  }
  const trigger = { cron: '0 6 * * *', name, timezone: 'Europe/Berlin' };
  const { id: triggerId } = await send(`/api/jobs/${jobId}/triggers`, trigger, 'triggers');
  keep('POST /api/jobs/{id}/triggers', trigger);
  keep('PUT /api/triggers/{id}', trigger);
  const past = { from: '2026-01-10T00:00:00Z', to: '2026-01-12T00:00:00Z' };
  await send(`/api/triggers/${triggerId}/backfills`, past, 'backfills');
  keep('POST /api/triggers/{id}/backfills', { ...past, dry_run: true });
  const { id: jobRun } = await send(`/api/jobs/${jobId}/runs`, {}, 'job-runs');
  const events = ['run.failing'];
  const webhook = { name, url: 'http://192.0.2.1:9/hook', events, job_ids: [jobId], enabled: true };
  const { id: webhookId } = await send('/api/webhooks', webhook, 'webhooks');
  keep('POST /api/webhooks', webhook);
  keep('PUT /api/webhooks/{id}', webhook);
  await send(`/api/webhooks/${webhookId}/test`, {}, 'deliveries');
  keep('POST /api/webhooks/{id}/redeliver', { since: '2026-01-10T00:00:00Z' });
  const channel = { kind: 'slack', name, events, url: 'https://hooks.example.com/services/T0/B0/x' };
  const { id: channelId } = await send('/api/notifications/channels', channel, 'channels');
  keep('POST /api/notifications/channels', channel);
  keep('PUT /api/notifications/channels/{id}', { ...channel, kind: undefined });
  await send(`/api/notifications/channels/${channelId}/test`, {}, 'of a channel: deliveries');
  keep('POST /api/notifications/channels/{id}/redeliver', { since: '2026-01-10T00:00:00Z' });
  const preset = { name, connector_id: shop, resource: 'people', columns: [], visibility: 'team' };
  await send('/api/explorer-presets', preset, 'explorer-presets');
  keep('POST /api/explorer-presets', { ...preset, name: `another ${name}` });
  keep('PUT /api/explorer-presets/{id}', preset);
  keep('POST /api/job-runs/{id}/rerun', {});
  keep('POST /api/export', { tasks: '*', job_templates: '*', include_connectors: [shop] });
  if (jobRun === 0) throw new Error('no job run');
}

async function ofPeople(
  full: FullApp,
  send: Send,
  keep: Keep,
  of: { name: string; n: number },
): Promise<void> {
  const { name, n } = of;
  const user = { email: `one.${n}@example.com`, name, role: 'viewer', password: PASSWORD };
  await send('/api/users', user, 'users');
  keep('POST /api/users', { ...user, email: `another.${n}@example.com` });
  keep('PUT /api/users/{id}', { name, role: 'editor' });
  await send('/api/api-keys', { name }, 'api-keys');
  keep('POST /api/api-keys', { name, scopes: ['tasks:read'] });
  const reference = { name, content: 'Tables are plural.', tags: ['warehouse'] };
  await send('/api/ai/references', reference, 'references');
  keep('POST /api/ai/references', { ...reference, name: `another ${n}` });
  keep('PUT /api/ai/references/{id}', reference);
  const metrics = { backend: 'noop', name, config: {}, enabled: false };
  await send('/api/metrics/config', metrics, 'of metrics: config');
  keep('POST /api/metrics/config', { ...metrics, name: `another ${n}` });
  keep('PUT /api/metrics/config/{id}', metrics);
  keep('PUT /api/server/config', { settings: { 'retention.log_days': 14 } });
  const soon = new Date(full.clock.now()).toISOString();
  keep('POST /api/triggers/preview', { cron: '@daily', after: soon });
}

/** An executor with two runs: one that goes on, and one that has ended and left a dead letter. */
async function ofRuns(
  full: FullApp,
  send: Send,
  keep: Keep,
  of: { who: Visitor; taskId: number; n: number; values: Map<string, string>; shop: number },
): Promise<Visitor> {
  const { who, taskId, n, values, shop } = of;
  const run = { connectors: { shop } };
  const register = { ...REGISTER_REQUEST, name: `executor-${n}`, instance_id: `instance-${n}`, slots: SLOTS };
  const key = full.withToken(EXECUTOR_KEY);
  const registered = await key.post<{ executor_id: number; session_token: string }>(
    '/api/executors/register',
    { ...register, features: ['spool', 'replay'], connector_types: ['dummy'] },
  );
  const { executor_id, session_token } = registered.body;
  values.set('executors', String(executor_id));
  keep('POST /api/executors/register', { ...register, instance_id: `another-${n}` });
  const executor = new Visitor(full.http, {
    authorization: `Bearer ${EXECUTOR_KEY}`,
    'x-executor-id': String(executor_id),
    'x-session-token': session_token,
  });
  const claimed = async (runId: number): Promise<Lease> => {
    // Older runs that wait are assigned first, and stay so: no executor works on them.
    for (let tries = 0; tries < CLAIMS_MAX; tries += 1) {
      const { body } = await executor.post<{ assignments: { lease: Lease }[] }>(
        `/api/executors/${executor_id}/next?wait=5`,
        { credits: CREDITS },
      );
      const found = body.assignments.find(({ lease }) => lease.run_id === runId);
      if (found !== undefined) return found.lease;
      if (body.assignments.length === 0) break;
    }
    throw new Error(`run ${runId} was not assigned`);
  };
  const tell = async (lease: Lease, call: string, body: object) => {
    const path = `/api/executor-callbacks/runs/${lease.run_id}/${call}`;
    const { status, text } = await executor.post(path, { lease, ...body });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  };
  const letters = {
    first_seq: 1,
    items: [{ step_id: 'say', item: { a: 1 }, code: 'CAST_ERROR', message: 'no' }],
  };
  const counts = {
    rows_in: 1,
    rows_out: 0,
    rows_failed: 1,
    rows_skipped: 0,
    rows_filtered: 0,
    rows_deleted: 0,
  };
  const end = {
    status: 'warning',
    ...counts,
    last_log_seq: 0,
    steps: [],
    reason: '',
    failure: null,
    retryable: false,
  };
  const ended = await claimed((await send(`/api/tasks/${taskId}/runs`, run)).id);
  await tell(ended, 'start', {});
  await tell(ended, 'dead-letters', letters);
  await tell(ended, 'complete', end);
  values.set('runs', String(ended.run_id));
  const left = await who.get<{ result: Made[] }>(`/api/runs/${ended.run_id}/dead-letters`);
  values.set('dead-letters', String(left.body.result[0]?.id));
  keep('POST /api/tasks/{id}/runs', run);
  keep('POST /api/runs/{id}/rerun', {});
  const lease = await claimed((await send(`/api/tasks/${taskId}/runs`, run, 'of an executor: runs')).id);
  await tell(lease, 'start', {});
  keep('POST /api/executors/{id}/heartbeat', { leases: [lease] });
  keep('POST /api/executors/{id}/next', { credits: 1 });
  const callback = '/api/executor-callbacks/runs/{id}';
  keep(`POST ${callback}/start`, { lease });
  keep(`POST ${callback}/progress`, { lease, step_id: 'say', ...counts, rows_per_second: 1, ratio: null });
  const line = { at: full.clock.now(), level: 'info', step_id: 'say', message: 'hello', fields: null };
  keep(`POST ${callback}/logs`, { lease, first_seq: 1, lines: [line] });
  keep(`POST ${callback}/dead-letters`, { lease, ...letters });
  keep(`POST ${callback}/checkpoint`, { lease, name: 'c', value: { n }, expected_version: 0 });
  keep('POST /api/executor-callbacks/metrics/ingest', { lease, batch_seq: 1, metrics: [] });
  return executor;
}

/** The record's own value of a path's parameter. */
export function valueFor(
  { values }: OneOfEach,
  operation: { readonly method: string; readonly path: string },
  parameter: string,
): string | undefined {
  const { method, path } = operation;
  const before = path.slice(0, path.indexOf(`/{${parameter}}`));
  const segment = before.slice(before.lastIndexOf('/') + 1);
  if (parameter === 'widget_id') return WIDGETS[path.slice(path.lastIndexOf('/') + 1)] ?? 'list';
  const ofSpare =
    method !== 'GET' &&
    (path.startsWith('/api/jobs/{id}/state') || /^DELETE .*\{id\}$/.test(`${method} ${path}`));
  const spare = ofSpare && parameter === 'id' ? values.get(`spare: ${segment}`) : undefined;
  return spare ?? values.get(`${ofWhat(path, parameter)}${segment}`) ?? values.get(segment);
}

const WIDGETS: Readonly<Record<string, string>> = { action: 'go', submit: 'where', options: 'where' };

function ofWhat(path: string, parameter: string): string {
  if (path.startsWith('/api/public/')) return 'of the public: ';
  if (path.startsWith('/api/executor-callbacks/')) return 'of an executor: ';
  if (path.startsWith('/api/metrics/config')) return 'of metrics: ';
  if (path.startsWith('/api/notifications/channels/{id}/deliveries/')) return 'of a channel: ';
  return path.startsWith('/api/jobs/') && parameter !== 'id' ? 'of a job: ' : '';
}
