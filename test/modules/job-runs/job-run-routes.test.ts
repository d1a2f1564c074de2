import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { makeOneOfEach } from '../../support/one-of-each.ts';
import { drawnKinds } from '../../support/stores.ts';

interface JobRun {
  readonly id: number;
  readonly job_id: number;
  readonly status: string;
  readonly job_template_id: number;
  readonly job_template_name: string;
  readonly trigger_name: string | null;
  readonly created_at: string;
}

for (const kind of drawnKinds(t)) {
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
    const { body: shown } = await root.get(path);
    t.match(shown, { id, levels: [['say']], runs: [{ job_run_id: id }] });
    t.match(shown, { dag: { tasks: { say: { needs: [] } }, levels: [['say']] } }, 'its own graph');
    await filtersAgree(id);

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

    async function filtersAgree(id: number): Promise<void> {
      const idsOf = async (query: string) => (await list(query)).map((jobRun) => jobRun.id);
      const trigger = values.get('triggers');
      const [fired] = await list(`trigger_id=${trigger}`);
      if (fired === undefined) throw new Error('the trigger has started no job run');
      const { job_template_id: template, job_template_name: name } = fired;
      t.match(await root.get(`/api/triggers/${trigger}`), { body: { name: fired.trigger_name } });
      t.match(await root.get(`/api/job-templates/${template}`), { body: { name } });
      t.ok((await idsOf(`job_template_id=${template}`)).includes(id));
      t.same(await idsOf(`job_template_id=${template}&trigger_id=${trigger}&job_id=${job}`), [fired.id]);
      t.same(await idsOf(`trigger_id=${trigger}&status=${fired.status}`), [fired.id]);
      t.same(await idsOf('job_template_id=999'), []);
      const at = encodeURIComponent(fired.created_at);
      t.ok((await idsOf(`created_from=${at}&sort=-created_at`)).includes(fired.id));
      t.notOk((await idsOf(`created_to=${at}`)).includes(fired.id));
    }
  });
}
