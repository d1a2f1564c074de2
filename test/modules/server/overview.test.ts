import { sql } from 'kysely';
import t from 'tap';
import { createQueueFigures } from '../../../src/modules/health/queue-figures.ts';
import { registerOverviewRoutes } from '../../../src/modules/server/overview-routes.ts';
import { selectNow } from '../../../src/store/select-now.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';

const HOUR_MS = 3_600_000;
const LOST_AFTER_MS = 60_000;

interface Shown {
  running: { id: number; job_name: string }[];
  failing: { id: number; job_labels: object; error: { message: string } | null }[];
  recent: { id: number; job_name: string; status: string }[];
  upcoming: { id: number; name: string; job_name: string; due_at: string }[];
  late: { id: number; reason: string; job_name: string; job_run_id: number | null }[];
  late_runs: { id: number; sla_at: string }[];
  queue: object;
  executors: object;
  dead_letters: { open: number; newest: object[] };
}

/** Jobs 1 to 4; the last is archived. */
async function fill(store: Store): Promise<number> {
  const now = await selectNow(store.read, store.dialect);
  const run = (statement: ReturnType<typeof sql>) => store.write((tx) => statement.execute(tx));
  await run(sql`insert into job_templates (name, yaml_content, parsed_json, status, created_at, updated_at)
    values ('t', '', '{}', 'active', 0, 0)`);
  for (const name of ['Nord', 'Süd', 'West', 'Old'])
    await run(sql`insert into jobs (job_template_id, template_version, name, yaml_content, parsed_json, connector_mapping_json,
      config_json, status, created_at, updated_at)
      values (1, 1, ${name}, '', '{}', '{}', '{}', ${name === 'Old' ? 'archived' : 'active'}, 0, 0)`);
  return now;
}

await eachStore(
  t,
  'the overview shows what runs, what failed and is not well again, and what is late',
  async (t, store) => {
    const { as, anonymous } = await createTestApp(t, (app) =>
      registerOverviewRoutes(app, { store, figures: createQueueFigures(store, LOST_AFTER_MS) }),
    );
    const now = await fill(store);
    const run = (statement: ReturnType<typeof sql>) => store.write((tx) => statement.execute(tx));
    const jobRun = (job: number, status: string, hoursAgo: number, trigger: number | null = null) =>
      run(sql`insert into job_runs (job_id, trigger_id, status, reason, args_json, config_json, parsed_json, created_at)
      values (${job}, ${trigger}, ${status}, 'schedule', '{}', '{}', '{}', ${now - hoursAgo * HOUR_MS})`);
    const trigger = (job: number, name: string, nextIn: number, lastRun: number | null = null) =>
      run(sql`insert into triggers (job_id, name, cron, timezone, enabled, overlap, catchup, next_run_at, last_run_id, created_at,
      updated_at) values (${job}, ${name}, '* * * * *', 'UTC', 1, 'skip', 'none', ${now + nextIn}, ${lastRun}, 0, 0)`);
    const overview = async () => (await as('viewer').get<Shown>('/api/server/overview')).body;

    t.match(await overview(), {
      running: [],
      failing: [],
      late: [],
      late_runs: [],
      recent: [],
      upcoming: [],
      queue: { ready: 0, delayed: 0, running: 0, oldest_ready_ms: 0 },
      executors: { online: 0, draining: 0, lost: 0 },
      dead_letters: { open: 0, newest: [] },
    });

    await jobRun(1, 'error', 3);
    await jobRun(1, 'success', 2);
    await jobRun(2, 'success', 5);
    await jobRun(2, 'error', 4);
    await jobRun(2, 'error', 3);
    await jobRun(2, 'cancelled', 1);
    await jobRun(3, 'error', 30);
    await jobRun(3, 'running', 1);
    await jobRun(1, 'queued', 1, 3);
    await trigger(1, 'in time', 60_000);
    await trigger(2, 'overdue', -2 * HOUR_MS);
    await trigger(1, 'waits', 60_000, 9);
    await trigger(3, 'just now', -5_000);
    await trigger(4, 'of an archived job', -2 * HOUR_MS);
    await trigger(3, 'gave up', 60_000);
    await run(
      sql`update triggers set enabled = 0, paused_reason = 'failures', paused_at = ${now - 3 * HOUR_MS} where id = 6`,
    );
    await run(sql`insert into runs (task_id, task_name, task_version, yaml_content, job_run_id, job_id, status, reason, max_attempts,
    retry_json, args_json, config_json, connectors_json, connector_types, labels_json, created_at, available_at)
    values (null, 'load', 1, '', 5, 2, 'error', 'task_error', 1, '{}', '{}', '{}', '{}', ',', '{}', 0, 0)`);
    for (const [seq, status] of ['open', 'discarded', 'open'].entries())
      await run(sql`insert into dead_letters (run_id, job_id, attempt, seq, step_id, item_json, code, message, status, created_at)
      values (1, 2, 1, ${seq}, 'shape', '{}', 'CAST_ERROR', 'no number', ${status}, ${now})`);

    const shown = await overview();
    t.match(shown.running, [{ id: 8, job_name: 'West' }]);
    t.same(
      shown.failing.map(({ id }) => id),
      [5],
      'neither a job that is well again, nor a failure of the day before',
    );
    t.match(shown.late, [
      { reason: 'paused', id: 6, job_name: 'West' },
      { reason: 'not_fired', id: 2, job_name: 'Süd' },
      { reason: 'not_started', id: 3, job_run_id: 9 },
    ]);
    t.equal(shown.late.length, 3);
    await run(sql`update job_runs set sla_at = ${now} - id, late_at = ${now} where id in (7, 8, 9)`);
    const lateRuns = (await overview()).late_runs.map(({ id, sla_at }) => [id, Date.parse(sla_at) - now]);
    const overdue = [
      [9, -9],
      [8, -8],
    ];
    t.same(lateRuns, overdue, 'those that have not ended, the longest overdue first');
    t.same(
      shown.recent.map(({ id, status }) => [id, status]),
      [
        [7, 'error'],
        [6, 'cancelled'],
        [5, 'error'],
        [4, 'error'],
        [3, 'success'],
      ],
      'neither what runs nor what waits',
    );
    t.same(
      shown.upcoming.map(({ name, job_name, due_at }) => [name, job_name, Date.parse(due_at) - now]),
      [
        ['in time', 'Nord', 60_000],
        ['waits', 'Nord', 60_000],
      ],
      'neither what is due, nor what is paused',
    );
    t.match(shown.dead_letters.newest, [
      { id: 3, run_id: 1, job_name: 'Süd', task_name: 'load', message: 'no number' },
      { id: 1 },
    ]);

    await run(
      sql`insert into job_labels (job_id, name, value) values (2, 'team', 'sales'), (3, 'team', 'ops')`,
    );
    await run(sql`update jobs set labels_json = '{"team":"sales"}' where id = 2`);
    const labelled = async (query: string) =>
      (await as('viewer').get<Shown>(`/api/server/overview?${query}`)).body;
    const sales = await labelled('label=team:sales');
    t.same(sales.running, []);
    t.match(sales.failing, [{ id: 5, job_labels: { team: 'sales' } }]);
    t.match(sales.late, [{ reason: 'not_fired', id: 2 }]);
    t.same(
      sales.recent.map(({ id }) => id),
      [6, 5, 4, 3],
      'and not that of another job',
    );
    t.same(sales.upcoming, []);
    t.equal(sales.dead_letters.newest.length, 2);
    t.same(sales.queue, shown.queue, 'of the server');
    const ops = await labelled('label=team:ops');
    t.match(ops.running, [{ id: 8 }]);
    t.same([ops.failing, ops.dead_letters.newest], [[], []]);
    t.equal(ops.late.length, 1);
    t.same((await labelled('label=team:ops&label=team:sales')).recent, [], 'all of them');
    t.equal((await as('viewer').get('/api/server/overview?label=')).status, 400);
    t.equal((await anonymous.get('/api/server/overview')).status, 401);
  },
);
