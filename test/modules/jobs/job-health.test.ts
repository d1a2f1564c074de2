import { sql } from 'kysely';
import t from 'tap';
import { registerJobHealthRoutes } from '../../../src/modules/jobs/job-health-routes.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';

await eachStore(t, 'the health of a job is that of its newest runs and its next time', async (t, store) => {
  const { as, anonymous } = await createTestApp(t, (app) => registerJobHealthRoutes(app, { store }));
  const run = (statement: ReturnType<typeof sql>) => store.write((tx) => statement.execute(tx));
  await run(sql`insert into job_templates (name, yaml_content, parsed_json, status, created_at, updated_at)
    values ('t', '', '{}', 'active', 0, 0)`);
  for (const name of ['one', 'two'])
    await run(sql`insert into jobs (job_template_id, template_version, name, yaml_content, parsed_json, connector_mapping_json,
      config_json, status, created_at, updated_at) values (1, 1, ${name}, '', '{}', '{}', '{}', 'active', 0, 0)`);
  const jobRun = (status: string, ended: number | null) =>
    run(sql`insert into job_runs (job_id, status, reason, args_json, config_json, parsed_json, created_at, started_at, ended_at)
      values (1, ${status}, 'manual', '{}', '{}', '{}', 500, 1000, ${ended})`);
  for (let n = 0; n < 20; n++) await jobRun('error', 2_000);
  for (const status of ['success', 'warning', 'cancelled', 'error']) await jobRun(status, 3_500);
  await jobRun('running', null);
  for (const [enabled, next] of [
    [1, 90_000],
    [1, 60_000],
    [0, 30_000],
  ] as const)
    await run(sql`insert into triggers (job_id, name, cron, timezone, enabled, overlap, catchup, next_run_at, created_at, updated_at)
      values (1, 't', '* * * * *', 'UTC', ${enabled}, 'skip', 'none', ${next}, 0, 0)`);

  const { status, body } = await as('viewer').get<{ result: { recent: object[] }[] }>(
    '/api/jobs/health?ids=1,2,1',
  );
  t.equal(status, 200);
  const [one, two] = body.result;
  t.match(one, { job_id: 1, next_run_at: '1970-01-01T00:01:00.000Z', success_rate: 2 / 18 });
  t.equal(one?.recent.length, 20, 'the newest alone');
  t.match(one?.recent.slice(0, 2), [
    { status: 'running', duration_ms: null },
    { status: 'error', duration_ms: 2_500 },
  ]);
  t.match(two, { job_id: 2, next_run_at: null, success_rate: null, recent: [] });
  t.equal(body.result.length, 2);
  for (const ids of ['', 'x', '1,,2', Array.from({ length: 201 }, (_, n) => n + 1).join(',')])
    t.match(await as('viewer').get(`/api/jobs/health?ids=${ids}`), { status: 400 });
  t.match(await anonymous.get('/api/jobs/health?ids=1'), { status: 401 });
});
