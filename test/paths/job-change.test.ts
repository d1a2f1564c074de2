// Long list: it tries every combination of many; quick: test/modules/jobs/upgrade/job-upgrade.test.ts, test/modules/jobs/job-pins.test.ts.
import t, { type Test } from 'tap';
import { createDatabase } from '../support/postgres.ts';
import { type Served, serve, until } from '../support/served.ts';
import { STORE_KINDS, type StoreKind } from '../support/stores.ts';

const WAIT = `
version: 1
name: wait
connectors: { source: { type: dummy } }
steps: [{ id: read, kind: extract, connector: source, method: list }]
`;
const say = (word: string) =>
  `version: 1\nname: say\nsteps: [{ id: say, kind: log, message: "${word} {{ job_config.f.n }}" }]\n`;
const templateOf = (connectors: string, tasks: string, config: string) => `
version: 1
name: nightly
args: { site: { type: string, default: north } }
connectors: { source: { type: dummy }${connectors} }
job_config: { f: { type: form, fields: [{ key: n, type: number, default: 1 }] }${config} }
tasks:
  wait: { task: wait }
  say: { task: say, needs: [wait], run_if: all_done }
${tasks}`;
const FIRST = templateOf('', '', '');
const SECOND = templateOf(
  ', extra: { type: dummy }',
  '  more: { task: wait, connectors: { source: extra } }\n',
  ', g: { type: form, fields: [{ key: on, type: boolean, default: true }] }',
);
const board = (word: string) =>
  `title: ${word}\nwidgets: [{ id: head, type: heading, text: "${word} \${site}" }]\n`;

interface Created {
  id: number;
}
interface JobRun extends Created {
  status: string;
  ended_at: string | null;
  config_snapshot: object;
  runs: { id: number; task_key: string; task_version: number; started_at: string | null }[];
}
interface Plan {
  plan_hash: string;
  applied: boolean;
  problems: { path: string }[];
  tasks: { key: string; action: string }[];
}

async function serveOn(t: Test, kind: StoreKind): Promise<Served> {
  if (kind === 'sqlite') return serve(t);
  const { url } = await createDatabase(t);
  return serve(t, { SVC_STATE_URL: url, SVC_STATE_PATH: '' });
}

/** What people see of a job, and what it runs. */
function createViews({ api }: Served, jobId: number) {
  const ended = (id: number) =>
    until(`job run ${id} ends`, 30_000, async () => {
      const run = await api.get<JobRun>(`/api/job-runs/${id}`);
      return run.ended_at !== null && run;
    });
  return {
    ended,
    async snapshot() {
      const { result } = await api.get<{ result: Created[] }>(`/api/jobs/${jobId}/dashboards`);
      return {
        job: await api.get(`/api/jobs/${jobId}`),
        config: await api.get(`/api/jobs/${jobId}/config`),
        dashboards: await Promise.all(result.map(({ id }) => api.get(`/api/dashboards/${id}`))),
      };
    },
    /** The nodes of a job run that has ended, and what "say" said. */
    async told(id: number) {
      const run = await ended(id);
      const node = run.runs.find(({ task_key }) => task_key === 'say');
      const logs = await api.get<{ result: { message: string; step: string | null }[] }>(
        `/api/runs/${node?.id}/logs`,
      );
      const said = logs.result.filter(({ message }) => /^(one|two|mine) \d+$/.test(message));
      return {
        nodes: run.runs.map(({ task_key }) => task_key).sort(),
        said: said.map(({ message }) => message),
      };
    },
    start: (body: object = {}) => api.post<JobRun>(`/api/jobs/${jobId}/runs`, body),
    rerun: (id: number, use: string) => api.post<JobRun>(`/api/job-runs/${id}/rerun`, { from: 'start', use }),
    upgrade: (body: object = {}) => api.post<Plan>(`/api/jobs/${jobId}/upgrade`, body),
    drift: () => api.get<{ drifted: boolean }>(`/api/jobs/${jobId}/drift`),
  };
}

async function build({ api }: Served) {
  const dummy = (name: string, config: object) =>
    api.post<Created>('/api/connectors', { name, type: 'dummy', config });
  const source = await dummy('source', { hang: true });
  const extra = await dummy('extra', { rows: [] });
  await api.post('/api/tasks', { yaml_content: WAIT });
  const task = await api.post<Created>('/api/tasks', { yaml_content: say('one') });
  const template = await api.post<Created>('/api/job-templates', { name: 'Nightly', yaml_content: FIRST });
  const boards = `/api/job-templates/${template.id}/dashboard-templates`;
  const dashboard = await api.post<Created>(boards, { name: 'Board', yaml_content: board('First') });
  const job = await api.post<Created>(`/api/job-templates/${template.id}/jobs`, {
    name: 'nightly',
    connector_mapping: { source: source.id },
  });
  await api.put(`/api/jobs/${job.id}/config/f`, { value: { n: 2 } });
  return { source, extra, task, template, dashboard, job };
}

async function tell(t: Test, served: Served): Promise<void> {
  const { api } = served;
  const { source, extra, task, template, dashboard, job } = await build(served);
  const view = createViews(served, job.id);
  t.match(await view.drift(), { drifted: false });

  const flying = await view.start();
  const waiting = await until('its first task runs', 30_000, async () => {
    const { runs } = await api.get<JobRun>(`/api/job-runs/${flying.id}`);
    return runs.find(({ started_at }) => started_at !== null);
  });
  const before = await view.snapshot();
  await api.put(`/api/tasks/${task.id}`, { yaml_content: say('two') });
  await api.put(`/api/job-templates/${template.id}`, { name: 'Nightly', yaml_content: SECOND });
  await api.put(`/api/dashboard-templates/${dashboard.id}`, { name: 'Board', yaml_content: board('Second') });
  t.same(await view.snapshot(), before, 'the job is what it was made as');
  t.match(await view.drift(), {
    drifted: true,
    template: { pinned_version: 1, current_version: 2, diff: /\+ {2}more:/ },
    tasks: [
      { key: 'say', drifted: true },
      { key: 'wait', drifted: false },
    ],
    dashboards: [{ drifted: true }],
  });

  const lacking = await view.upgrade({ dry_run: true });
  t.match(lacking, { problems: [{ path: 'connector_mapping.extra' }] });
  t.equal(lacking.problems.length, 1);
  await t.rejects(view.upgrade(), { status: 400, code: 'VALIDATION_ERROR' });
  const given = { connector_mapping: { extra: extra.id } };
  const plan = await view.upgrade({ ...given, dry_run: true });
  t.match(plan, {
    problems: [],
    tasks: [
      { key: 'wait', action: 'keep' },
      { key: 'say', action: 'update' },
      { key: 'more', action: 'add' },
    ],
    config: [{ key: 'g', action: 'add', after: { on: true } }],
    dashboards: [{ action: 'update' }],
  });
  t.same(await view.snapshot(), before, 'a plan changes nothing');
  t.match(await view.upgrade({ ...given, plan_hash: plan.plan_hash }), { applied: true });
  t.match(await view.drift(), { drifted: false });
  t.match((await view.snapshot()).dashboards, [
    { document: { title: 'Second', pages: [{ widgets: [{ config: { text: 'Second north' } }] }] } },
  ]);

  await api.post(`/api/runs/${waiting.id}/cancel`, { mode: 'force' });
  t.same(await view.told(flying.id), { nodes: ['say', 'wait'], said: ['one 2'] }, 'it kept its snapshot');
  t.match((await view.ended(flying.id)).config_snapshot, { f: { n: 2 }, g: undefined });

  await api.put(`/api/connectors/${source.id}`, { name: 'source', type: 'dummy', config: { rows: [] } });
  await api.put(`/api/jobs/${job.id}/config/f`, { value: { n: 3 } });
  const all = ['more', 'say', 'wait'];
  t.same(await view.told((await view.start()).id), { nodes: all, said: ['two 3'] });
  const [old, now] = [await view.rerun(flying.id, 'snapshot'), await view.rerun(flying.id, 'current')];
  t.same(await view.told(old.id), { nodes: ['say', 'wait'], said: ['one 2'] }, 'what it was');
  t.same(await view.told(now.id), { nodes: all, said: ['two 3'] }, 'what the job is');

  await api.post(`/api/tasks/${task.id}/versions/1/restore`);
  t.same(await view.told((await view.start()).id), { nodes: all, said: ['two 3'] }, 'not yet');
  t.match(await view.upgrade({ tasks: ['say'] }), { applied: true });
  const restored = await view.start({ config_override: { f: { n: 9 } } });
  t.same(await view.told(restored.id), { nodes: all, said: ['one 9'] });
  t.match(
    (await view.ended(restored.id)).runs.find(({ task_key }) => task_key === 'say'),
    { task_version: 3 },
  );

  const override = `/api/jobs/${job.id}/tasks/say/override`;
  await api.put(override, { yaml_content: say('mine') });
  t.match(await api.get(`/api/jobs/${job.id}`), { overridden_task_keys: ['say'] });
  t.same(await view.told((await view.start()).id), { nodes: all, said: ['mine 3'] });
  const headers = { authorization: `Bearer ${served.apiKey}` };
  t.match(await fetch(`${served.url}${override}`, { method: 'DELETE', headers }), { status: 204 });
  t.same(await view.told((await view.start()).id), { nodes: all, said: ['one 3'] });
}

for (const kind of STORE_KINDS) {
  t.test(`a job changes when it is told to, and its runs never do (${kind})`, async (t) => {
    await tell(t, await serveOn(t, kind));
  });
}
