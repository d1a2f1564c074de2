import { join } from 'node:path';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { MAIN } from '../support/program.ts';
import { type Served, serve, until } from '../support/served.ts';
import { changeState } from '../support/state-change.ts';

const DEAF = "$contains('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', /^(a+)+$/)";

const task = (name: string, step: string, rest = '') => `
version: 1
name: ${name}
connectors: { source: { type: dummy } }
${rest}
steps:
  - ${step}
`;
const TASKS = {
  // Waits, and stops when it is asked to.
  willing: task('willing', '{ id: wait, kind: extract, connector: source, method: list }'),
  timed: task('timed', '{ id: wait, kind: extract, connector: source, method: list }', 'timeout: 1s'),
  // A regular expression hears nobody.
  deaf: task('deaf', `{ id: spin, kind: assert, check_expr: ${JSON.stringify(DEAF)} }`),
  failing: task('failing', '{ id: check, kind: assert, check_expr: "false" }'),
  quick: task(
    'quick',
    '{ id: say, kind: log, message: "{{ run.interval_start }} to {{ run.interval_end }}" }',
  ),
};

interface JobRun {
  id: number;
  status: string;
  reason: string;
  ended_at: string | null;
  runs: { id: number; task_key: string; status: string; reason: string; started_at: string | null }[];
}

async function jobOf(served: Served, connector: number, name: string, yaml: string): Promise<number> {
  const yaml_content = `version: 1\nname: ${name}\nconnectors: { source: { type: dummy } }\n${yaml}`;
  const template = await served.api.post<{ id: number }>('/api/job-templates', { name, yaml_content });
  const body = { name, connector_mapping: { source: connector } };
  return (await served.api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, body)).id;
}

async function ended(served: Served, id: number, ms = 15_000): Promise<JobRun> {
  return until(`job run ${id} ends`, ms, async () => {
    const run = await served.api.get<JobRun>(`/api/job-runs/${id}`);
    return run.ended_at === null ? null : run;
  });
}

const nodes = (run: JobRun) =>
  Object.fromEntries(run.runs.map((node) => [node.task_key, `${node.status}/${node.reason}`]));

t.test('job runs end when they are told to, whatever their tasks do', async (t) => {
  const served = await serve(t, { SVC_EXECUTOR_SLOTS: '4' }, MAIN, 'sqlite');
  const { api } = served;
  for (const yaml_content of Object.values(TASKS)) await api.post('/api/tasks', { yaml_content });
  const dummy = { name: 'd', type: 'dummy', config: { hang: true } };
  const { id: source } = await api.post<{ id: number }>('/api/connectors', dummy);
  const start = async (jobId: number, body = {}) => api.post<JobRun>(`/api/jobs/${jobId}/runs`, body);
  const running = (id: number, key: string) =>
    until(`${key} runs`, 10_000, async () => {
      const run = await api.get<JobRun>(`/api/job-runs/${id}`);
      return run.runs.some((node) => node.task_key === key && node.started_at !== null);
    });

  await t.test('a cancel ends a task that does not hear it, and nothing follows', ofFullList, async (t) => {
    const jobId = await jobOf(
      served,
      source,
      'deaf',
      'tasks: { a: { task: deaf }, b: { task: quick, needs: [a] } }',
    );
    const { id } = await start(jobId);
    await running(id, 'a');
    await api.post(`/api/job-runs/${id}/cancel`, { mode: 'graceful', grace_seconds: 1 });
    const run = await ended(served, id);
    t.match(run, { status: 'cancelled', reason: 'user' });
    t.match(nodes(run), { a: /^cancelled/ });
    t.equal(run.runs.length, 1);
  });

  await t.test('a timeout of a node or of a task ends it as an error', async (t) => {
    const yaml = 'tasks: { node: { task: willing, timeout: 1s }, task: { task: timed } }';
    const { id } = await start(await jobOf(served, source, 'timeouts', yaml));
    const run = await ended(served, id);
    t.equal(run.status, 'error');
    t.same(nodes(run), { node: 'error/timeout', task: 'error/timeout' });
  });

  await t.test('a deadline ends all of it; a rerun of what failed is followed live', async (t) => {
    const yaml =
      'deadline: 2s\ntasks: { first: { task: quick }, wait: { task: willing, needs: [first] }, last: { task: quick, needs: [wait] } }';
    const { id } = await start(await jobOf(served, source, 'late', yaml));
    const run = await ended(served, id);
    t.match(run, { status: 'error', reason: 'timeout' });
    t.same(nodes(run), { first: 'success/manual', wait: 'error/timeout' });
    await api.put(`/api/connectors/${source}`, { ...dummy, config: { rows: [] } });
    const again = await api.post<JobRun>(`/api/job-runs/${id}/rerun`, { from: 'failed' });
    const events = await follow(served, again.id);
    t.match(events.at(-1), /^event: end\ndata: .*"status":"success"/);
    const keys = events.flatMap((event) => /"task_key":"(\w+)","status":"success"/.exec(event)?.[1] ?? []);
    t.same(keys, ['wait', 'last'], 'the first one was not run again');
    await api.put(`/api/connectors/${source}`, dummy);
  });

  await t.test('one that waits for a slot starts when the slot is free', ofFullList, async (t) => {
    const yaml = 'concurrency: { limit: 1 }\ntasks: { a: { task: quick } }';
    const jobId = await jobOf(served, source, 'narrow', yaml);
    const started = await Promise.all([start(jobId), start(jobId), start(jobId)]);
    for (const { id } of started) t.match(await ended(served, id), { status: 'success', reason: 'manual' });
    const bounds = await Promise.all(
      started.map(({ id }) =>
        api.get<{ created_at: string; started_at: string; ended_at: string }>(`/api/job-runs/${id}`),
      ),
    );
    bounds.sort((a, b) => a.started_at.localeCompare(b.started_at));
    for (const [index, { started_at }] of bounds.entries())
      if (index > 0) t.ok(started_at >= (bounds[index - 1]?.ended_at ?? ''), 'one after another');
  });

  await t.test('a backfill runs through, each with its own interval', ofFullList, async (t) => {
    const jobId = await jobOf(served, source, 'filled', 'tasks: { a: { task: quick } }');
    const trigger = await api.post<{ id: number }>(`/api/jobs/${jobId}/triggers`, { cron: '0 2 * * *' });
    const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-04T00:00:00Z', max_active: 2 };
    const url = `/api/triggers/${trigger.id}/backfills`;
    const plan = await api.post<{ plan_id: string; total: number }>(url, { ...range, dry_run: true });
    t.equal(plan.total, 3);
    const { id } = await api.post<{ id: number }>(url, { ...range, plan_id: plan.plan_id });
    const done = await until('the backfill ends', 15_000, async () => {
      const found = await api.get<{ status: string; progress: object; times: { job_run_id: number }[] }>(
        `/api/backfills/${id}`,
      );
      return found.status === 'completed' ? found : null;
    });
    t.match(done.progress, { success: 3, pending: 0 });
    const first = await api.get<JobRun>(`/api/job-runs/${done.times[0]?.job_run_id}`);
    const logs = await api.get<{ result: { message: string }[] }>(`/api/runs/${first.runs[0]?.id}/logs`);
    const said = logs.result.map((line) => line.message);
    t.ok(said.includes('2026-02-28T02:00:00.000Z to 2026-03-01T02:00:00.000Z'), said.join('; '));
  });

  await t.test('a trigger whose scheduled run fails is paused, where it is to be', async (t) => {
    const jobId = await jobOf(served, source, 'failing', 'tasks: { a: { task: failing } }');
    const settings = { cron: '0 2 * * *', catchup: 'latest', pause_after_failures: 1 };
    const { id } = await api.post<{ id: number }>(`/api/jobs/${jobId}/triggers`, settings);
    const state = { kind: 'localdb', path: join(served.folder, '..', 'state.db') } as const;
    const due = Math.floor(Date.now() / 1_000) * 1_000;
    await changeState(state, `update triggers set next_run_at = ${due} where id = ${id}`);
    const paused = await until('the trigger is paused', 15_000, async () => {
      const found = await api.get<{ state: string }>(`/api/triggers/${id}`);
      return found.state === 'paused' ? found : null;
    });
    const because = { paused_reason: 'failures', consecutive_failures: 1, last_status: 'error' };
    t.match(paused, { ...because, enabled: false, next_run_at: null, paused_at: String });
  });
});

/** The events of a job run until its stream ends. */
async function follow(served: Served, id: number): Promise<string[]> {
  const answer = await fetch(`${served.url}/api/job-runs/${id}/events`, {
    headers: { authorization: `Bearer ${served.apiKey}` },
    signal: AbortSignal.timeout(15_000),
  });
  const text = await answer.text();
  return text.split('\n\n').filter((event) => event.startsWith('event: '));
}
