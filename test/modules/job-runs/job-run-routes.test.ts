import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { makeOneOfEach } from '../../support/one-of-each.ts';
import { STORE_KINDS } from '../../support/stores.ts';

interface JobRun {
  readonly id: number;
  readonly job_id: number;
  readonly status: string;
}

for (const kind of STORE_KINDS) {
  t.test(`a job run is listed, cancelled, followed to its end and deleted (${kind})`, async (t) => {
    const full = await startFullApp(t, kind);
    const { visitor: root } = await full.superadmin();
    const { values } = await makeOneOfEach(full, root);
    const job = values.get('jobs');
    const list = async (query: string) =>
      (await root.get<{ result: JobRun[] }>(`/api/job-runs?${query}`)).body.result;
    const started = await root.post<JobRun>(`/api/jobs/${job}/runs`, {});
    t.match(started, { status: 201, body: { job_id: Number(job) } });
    const { id } = started.body;
    const path = `/api/job-runs/${id}`;
    t.equal((await list(`job_id=${job}`))[0]?.id, id);
    t.same(await list('job_id=999'), []);
    t.match((await root.get(path)).body, { id, levels: [['say']], runs: [{ job_run_id: id }] });

    t.match(await root.delete(path), { status: 400 }, 'what goes on is not deleted');
    t.match(await root.post(`${path}/cancel`, {}), { status: 202, body: { id } });
    const { text } = await root.get(`${path}/events`);
    t.match(text, /event: status\n/);
    t.match(text, /event: end\ndata: .*"cancelled"/, 'the stream ends with the job run');
    t.same(
      (await list('status=cancelled')).map((jobRun) => jobRun.id),
      [id],
    );
    t.match(await root.delete(path), { status: 204 });
    t.match(await root.get(path), { status: 404 });
    t.same(full.openapi.breaches, []);
  });
}
