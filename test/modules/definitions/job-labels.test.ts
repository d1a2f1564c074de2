import { CompiledQuery } from 'kysely';
import t from 'tap';
import { type JobRunFilters, selectJobRuns } from '../../../src/modules/job-runs/shown-job-run-store.ts';
import { selectJobs } from '../../../src/modules/jobs/job-store.ts';
import { registerRunRoutes } from '../../../src/modules/runs/run-routes.ts';
import { createTestApp } from '../../support/app.ts';
import { statementsOf } from '../../support/query-plans.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';
import { openPlane, queueRun } from '../runs/plane.ts';

const pool = await sharedWorkerPool();

interface Job {
  readonly id: number;
  readonly version: number;
  readonly labels: Readonly<Record<string, string>>;
}
interface List {
  readonly result: readonly Job[];
  readonly next_cursor: string | null;
}

await eachStore(t, 'jobs are labelled, shown and found by their labels', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { templateId, jobId } = await seedJob(app);
  const editor = app.as('editor');
  const created = async (name: string, labels: object) => {
    const input = { name, connector_mapping: {}, labels };
    const { status, body } = await editor.post<Job>(`/api/job-templates/${templateId}/jobs`, input);
    t.equal(status, 201);
    t.same(body.labels, labels);
    return body.id;
  };
  const sales = await created('Sales', { team: 'sales', region: 'eu' });
  const ops = await created('Ops', { team: 'ops', region: 'eu', 'on call': '', url: 'http://a:1/' });
  const found = async (query: string, path = '/api/jobs') => {
    const { status, body } = await app.as('viewer').get<List>(`${path}?sort=id&${query}`);
    t.equal(status, 200, query);
    return body.result.map(({ id }) => id);
  };
  t.same(await found(''), [jobId, sales, ops]);
  t.same(await found('label=region:eu'), [sales, ops]);
  t.same(await found('label=region:eu&label=team:ops'), [ops], 'repeated: all of them');
  t.same(await found('label=team:ops&label=team:sales'), []);
  t.same(await found('label=on%20call'), [ops], 'whatever its value');
  t.same(await found('label=on%20call:'), [ops], 'an empty value');
  t.same(await found('label=url:http://a:1/'), [ops], 'a value with colons');
  t.same(await found('label=team:SALES'), [], 'as it is written');
  t.same(await found('label=region:eu&q=sal&status=active'), [sales]);
  t.same(await found("label=x' or 1=1 --:y"), []);

  const first = await app.as('viewer').get<List>('/api/jobs?label=region:eu&sort=name&limit=1');
  t.match(first.body.result, [{ id: ops }]);
  const { next_cursor } = first.body;
  const second = await app
    .as('viewer')
    .get<List>(`/api/jobs?label=region:eu&limit=1&sort=name&cursor=${next_cursor}`);
  t.match(second.body, { result: [{ id: sales }], next_cursor: null });

  const url = `/api/jobs/${sales}`;
  const body = { name: 'Sales', connector_mapping: {} };
  const match = (version: number) => ({ 'if-match': `"${version}"` });
  const kept = await editor.put<Job>(url, { ...body, name: 'Selling' }, match(1));
  t.match(kept, { status: 200, body: { labels: { team: 'sales', region: 'eu' }, version: 2 } });
  const changed = await editor.put<Job>(url, { ...body, labels: { team: 'ops' } }, match(2));
  t.match(changed, { status: 200, body: { version: 3 } });
  t.same(changed.body.labels, { team: 'ops' });
  t.equal((await editor.put(url, { ...body, labels: {} }, match(2))).status, 412);
  const same = await editor.put<Job>(url, { ...body, labels: { team: 'ops' } }, match(3));
  t.match(same, { status: 200, body: { version: 3 } }, 'nothing changed');
  t.same(await found('label=team:ops'), [sales, ops]);
  t.same(await found('label=region'), [ops]);

  t.equal((await app.as('viewer').put(url, { ...body, labels: {} }, match(3))).status, 403);
  for (const labels of [
    { 'a:b': 'x' },
    { '': 'x' },
    { a: 1 },
    { a: 'two\nlines' },
    { ['a'.repeat(101)]: '' },
    Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`l${at}`, ''])),
  ]) {
    const refused = await editor.put<Refusal>(url, { ...body, labels }, match(3));
    t.match(
      refused,
      { status: 400, body: { error: 'VALIDATION_ERROR' } },
      JSON.stringify(labels).slice(0, 40),
    );
  }
  for (const label of ['', ':x', ' :x'])
    t.equal((await app.as('viewer').get(`/api/jobs?label=${encodeURIComponent(label)}`)).status, 400, label);

  const { status } = await editor.delete(`/api/jobs/${ops}`, { 'if-match': '"1"' });
  t.equal(status, 204);
  t.same(await found('label=region'), [], 'those of deleted jobs go');
});

await eachStore(t, 'job runs are found by the labels of their jobs', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { templateId, jobId } = await seedJob(app);
  const input = { name: 'Sales', connector_mapping: {}, labels: { team: 'sales' } };
  const { body: sales } = await app.as('editor').post<Job>(`/api/job-templates/${templateId}/jobs`, input);
  await store.write(async (tx) => {
    for (const job_id of [jobId, sales.id, jobId, sales.id])
      await tx
        .insertInto('job_runs')
        .values({
          ...{
            job_id,
            status: 'queued',
            reason: 'manual',
            args_json: '{}',
            config_json: '{}',
            parsed_json: '{}',
          },
          ...{ created_at: 1, created_by: 'a', priority: 0 },
        } as never)
        .execute();
  });
  const found = async (query: JobRunFilters) => {
    const rows = await selectJobRuns(store.read, query, {
      column: 'id',
      descending: true,
      after: null,
      limit: 9,
      bound: '',
    });
    return rows.map(({ job_id }) => job_id);
  };
  t.same(await found({ label: ['team:sales'] }), [sales.id, sales.id]);
  t.same(await found({ label: ['team'], job_id: sales.id }), [sales.id, sales.id]);
  t.same(await found({ label: ['team:ops'] }), []);
  t.equal((await found({})).length, 4);
});

await eachStore(t, 'runs of tasks name their job and its labels, and are found by them', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { templateId, jobId } = await seedJob(app);
  const input = { name: 'Sales', connector_mapping: {}, labels: { team: 'sales' } };
  const { body: sales } = await app.as('editor').post<Job>(`/api/job-templates/${templateId}/jobs`, input);
  const { runs: service } = openPlane(t, store);
  const served = await createTestApp(t, (runApp) => registerRunRoutes(runApp, { store, runs: service }));
  const runs: number[] = [];
  for (const job_id of [jobId, sales.id, null]) runs.push(await queueRun(store, { job_id }));
  const [ofOther = 0, ofSales = 0, alone = 0] = runs;
  const listed = async (query: string) => {
    const { status, body } = await served
      .as('viewer')
      .get<{ result: { id: number; job_name: string | null; job_labels: object }[] }>(`/api/runs?${query}`);
    t.equal(status, 200, query);
    return body.result.map(({ id, job_name, job_labels }) => [id, job_name, job_labels]);
  };
  const told = [ofSales, 'Sales', { team: 'sales' }];
  t.same(
    (await listed('')).map(([id]) => id),
    [alone, ofSales, ofOther],
  );
  t.same((await listed(''))[0], [alone, null, {}], 'a run without a job');
  t.same(await listed('label=team:sales'), [told]);
  t.same(await listed(`label=team&job_id=${sales.id}`), [told]);
  t.same(await listed('label=team:ops'), []);
  const one = await served.as('viewer').get<object>(`/api/runs/${ofSales}`);
  t.match(one.body, { job_name: 'Sales', job_labels: { team: 'sales' } });
});

await eachStore(t, 'labels are looked up by indexes', async (t, store) => {
  const isPostgres = store.dialect.name === 'postgres';
  const paging = { column: 'name', descending: false, after: null, limit: 5 } as never;
  const newest = { column: 'id', descending: true, after: null, limit: 5 } as never;
  const label = ['team:sales', 'region'];
  await store.snapshot(async (db) => {
    // Small tables are read as a whole otherwise.
    if (isPostgres) await db.executeQuery(CompiledQuery.raw('set local enable_seqscan = off', []));
    for (const [name, read] of [
      ['jobs', (watched: typeof db) => selectJobs(watched, { label }, paging)],
      ['job runs', (watched: typeof db) => selectJobRuns(watched, { label }, newest)],
    ] as const)
      for (const { sql, parameters } of await statementsOf(db, read)) {
        const explain = `explain ${isPostgres ? '' : 'query plan '}${sql}`;
        const { rows } = await db.executeQuery<Record<string, string>>(
          CompiledQuery.raw(explain, [...parameters]),
        );
        const plan = rows.map((row) => row[isPostgres ? 'QUERY PLAN' : 'detail']).join('\n');
        t.match(plan, /job_labels_value|job_labels_pkey|autoindex_job_labels/, name);
        t.notMatch(plan, /SCAN job_labels|Seq Scan on job_labels/, name);
        // The page is read in its order: none of the rows behind it are.
        if (name === 'job runs') t.notMatch(plan, /TEMP B-TREE|Sort/, name);
      }
  });
});
