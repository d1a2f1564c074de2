import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { serve, until } from '../support/served.ts';

const CHILD = `
name: copy
connectors: { from: { type: dummy }, to: { type: sqlite } }
args: { table: { type: string, required: true }, wait: { type: boolean, default: false } }
steps:
  - { id: read, kind: extract, connector: from, method: list }
  - { id: fit, kind: transform, input: read, ops: [{ cast: { n: integer } }], on_error: dead_letter }
  - { id: write, kind: load, input: fit, connector: to, object: "{{ args.table }}", mode: append }
  - { id: wait, kind: sleep, duration: 5s, when: args.wait and run.attempt = 1 }
outputs: { rows: "{{ steps.write.count }}" }
`;
const PARENT = `
name: parent
connectors: { source: { type: dummy }, to: { type: sqlite } }
steps:
  - { id: once, kind: run_task, task: copy, connectors: { from: source }, args: { table: once } }
  - id: each
    kind: foreach
    in_expr: '["a", "b"]'
    steps: [{ id: one, kind: run_task, task: copy, connectors: { from: source }, args: { table: "t_{{ item }}" } }]
  - { id: last, kind: run_task, task: copy, connectors: { from: source }, args: { table: last, wait: true } }
outputs: { rows: "{{ steps.once.output.rows + $sum(steps.each.output.rows) }}" }
`;

interface Run {
  readonly id: number;
  readonly ended_at: string | null;
}

t.test(
  'a task that runs another, over the API: its record, its rerun, and a runner that is killed',
  async (t) => {
    const { api, folder, pids } = await serve(t, { SVC_EXECUTOR_SLOTS: '1' });
    const made = (path: string, body: object) => api.post<{ id: number }>(path, body);
    await made('/api/tasks', { yaml_content: CHILD });
    await made('/api/tasks', { yaml_content: PARENT });
    const rows = { rows: [{ n: 1 }, { n: 'two' }, { n: 3 }] };
    const source = await made('/api/connectors', { name: 's', type: 'dummy', config: rows });
    const target = { name: 't', type: 'sqlite', config: { path: join(folder, 'out.db') } };
    const to = await made('/api/connectors', target);
    const yaml_content =
      'name: t\nconnectors: { source: { type: dummy }, to: { type: sqlite } }\n' +
      'tasks: { go: { task: parent, retry: { max_attempts: 2, delay: 0s } } }\n';
    const template = await made('/api/job-templates', { name: 't', yaml_content });
    const connector_mapping = { source: source.id, to: to.id };
    const job = await made(`/api/job-templates/${template.id}/jobs`, { name: 'j', connector_mapping });
    const jobRun = await made(`/api/jobs/${job.id}/runs`, {});
    const runOf = async (id: number) => (await api.get<{ runs: Run[] }>(`/api/job-runs/${id}`)).runs[0];
    const started = await until('it runs', 30_000, async () => (await runOf(jobRun.id)) ?? null);
    await until('it waits in the last task', 60_000, async () => {
      const logs = await api.get<{ result: { step_id: string }[] }>(`/api/runs/${started.id}/logs?limit=500`);
      return logs.result.some(({ step_id }) => step_id === 'last/wait');
    });
    for (const pid of pids('runner-entry')) process.kill(pid, 'SIGKILL');
    const ended = async (id: number) =>
      until('it ends', 60_000, async () => {
        const run = await runOf(id);
        return run === undefined || run.ended_at === null ? null : run;
      });
    const first = await api.get<Run>(`/api/runs/${(await ended(jobRun.id)).id}`);
    t.match(first, { attempt: 2, outputs: { rows: 6 }, child_tasks: [{ name: 'copy', task_version: 1 }] });
    const db = new DatabaseSync(target.config.path);
    const count = (table: string) => db.prepare(`select count(*) as n from ${table}`).get()?.['n'];
    t.same(['once', 't_a', 't_b', 'last'].map(count), [2, 2, 2, 2], 'no row is there twice');

    const again = await made(`/api/job-runs/${jobRun.id}/rerun`, { from: 'start', use: 'snapshot' });
    const run = await api.get<Run>(`/api/runs/${(await ended(again.id)).id}`);
    t.match(run, { status: 'warning', outputs: { rows: 6 }, items: { in: 12, out: 8, failed: 4 } });
    t.same(['once', 't_a', 't_b', 'last'].map(count), [4, 4, 4, 4], 'a rerun of what went well appends');
    db.close();
    const steps = await api.get<{ result: { step_id: string; rows_out: number }[] }>(
      `/api/runs/${run.id}/steps`,
    );
    t.match(
      steps.result.slice(0, 8).map(({ step_id, rows_out }) => `${step_id} ${rows_out}`),
      ['once 2', 'once/read 3', 'once/fit 2', 'once/write 2', 'once/wait 0', 'each 2', 'one 4', 'one/read 6'],
    );
    const letters = await api.get<{ result: { id: number; task: string; step_id: string }[] }>(
      `/api/runs/${run.id}/dead-letters`,
    );
    t.same(
      letters.result.map(({ task, step_id }) => `${task} ${step_id}`),
      ['copy last/fit', 'copy one/fit', 'copy one/fit', 'copy once/fit'],
    );

    const letterOf = (step: string) => letters.result.find(({ step_id }) => step_id === step)?.id;
    const items = [{ id: letterOf('once/fit'), item: { n: 2 } }];
    const path = `/api/runs/${run.id}/dead-letters`;
    const replayed = await api.post<{ runs: Run[] }>(`${path}/replay`, { items });
    const replay = await until('the replay ends', 60_000, async () => {
      const found = await api.get<Run & { status: string }>(`/api/runs/${replayed.runs[0]?.id}`);
      return found.ended_at === null ? null : found;
    });
    t.match(replay, { status: 'success', items: { in: 1, out: 1 } });
    const written = new DatabaseSync(target.config.path);
    t.same(
      written
        .prepare('select n from once order by n')
        .all()
        .map(({ n }) => n),
      [1, 1, 2, 3, 3],
    );
    written.close();
    const settled = await api.get<{ result: { id: number; status: string }[] }>(path);
    t.equal(settled.result.find(({ id }) => id === letterOf('once/fit'))?.status, 'replayed');
    const inside = { items: [{ id: letterOf('one/fit'), item: { n: 2 } }] };
    await t.rejects(api.post(`${path}/replay`, inside), /inside another step, whose items/);
  },
);
