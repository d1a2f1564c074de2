import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { completionOf } from '../runs/plane.ts';
import { makeJob } from '../triggers/trigger-jobs.ts';
import { type Answer, type Letter, letterOf, openScene, statuses, step } from './replay-scene.ts';

await eachStore(
  t,
  'letters of all runs of a job, and of no other, are listed and discarded',
  async (t, store) => {
    const { served, operator, failedRun } = await openScene(t, store);
    const [job_id, other] = [await makeJob(store, { name: 'a' }), await makeJob(store, { name: 'b' })];
    const runs = [
      await failedRun([letterOf(1), letterOf(2)], undefined, { job_id }),
      await failedRun([letterOf(3)], undefined, { job_id }),
    ];
    await failedRun([letterOf(4)], undefined, { job_id: other });
    await failedRun([letterOf(5)]);
    const path = `/api/jobs/${job_id}/dead-letters`;
    const listed = async (at: string) => (await operator.get<{ result: Letter[] }>(at)).body.result;
    const all = await listed(path);
    t.same(
      all.map(({ run_id, item }) => ({ run_id, item })),
      [
        { run_id: runs[1], item: { n: 3 } },
        { run_id: runs[0], item: { n: 2 } },
        { run_id: runs[0], item: { n: 1 } },
      ],
    );
    const [foreign] = await listed(`/api/jobs/${other}/dead-letters`);
    t.match(await served.as('viewer').post(`${path}/discard`, {}), { status: 403 });
    const ids = [all[0]?.id, foreign?.id];
    t.match(await operator.post(`${path}/discard`, { ids }), { status: 200, body: { discarded: 1 } });
    t.same(statuses(await listed(path)), ['discarded', 'open', 'open']);
    t.match(await operator.post(`${path}/discard`, {}), { status: 200, body: { discarded: 2 } });
    t.same(await listed(`${path}?status=open`), []);
    t.same(statuses(await listed(`/api/jobs/${other}/dead-letters`)), ['open']);
    const audits = await store.read
      .selectFrom('audit_logs')
      .select(['resource_type', 'resource_id'])
      .where('action', '=', 'dead_letter.discard')
      .execute();
    const entry = { resource_type: 'job', resource_id: `${job_id}` };
    t.same(
      audits.map((row) => ({ ...row, resource_id: `${row.resource_id}` })),
      [entry, entry],
    );
  },
);

await eachStore(
  t,
  'letters of a job’s runs are given to one run for what they have in common',
  async (t, store) => {
    const { plane, operator, failedRun, claimed } = await openScene(t, store);
    const job_id = await makeJob(store, { name: 'a' });
    const of = { job_id, task_key: 'only' };
    const older = await failedRun([letterOf(1)], undefined, of);
    const newer = await failedRun([letterOf(2), letterOf(3, { step_id: 'clean' })], undefined, of);
    const path = `/api/jobs/${job_id}/dead-letters`;
    const replay = (body: object) => operator.post<Answer>(`${path}/replay`, body);
    const listed = async () => (await operator.get<{ result: Letter[] }>(`${path}?sort=id`)).body.result;
    t.match(await replay({ use: 'current' }), {
      status: 409,
      body: { message: /no longer has a task "only"/ },
    });
    t.same(statuses(await listed()), ['open', 'open', 'open']);

    const [, second] = await listed();
    const item = { n: 20 };
    const answer = await replay({
      ids: (await listed()).map(({ id }) => id),
      items: [{ id: second?.id, item }],
    });
    t.match(answer, { status: 201, body: { replaying: 3, left: 0 } });
    t.match(answer.body.runs, [
      {
        job_id,
        task_key: 'only',
        job_run_id: null,
        rerun_of: newer,
        replay: { step_id: 'shape', letters: 2 },
      },
      {
        job_id,
        task_key: 'only',
        job_run_id: null,
        rerun_of: newer,
        replay: { step_id: 'clean', letters: 1 },
      },
    ]);
    const lease = await claimed();
    t.equal(lease.run_id, answer.body.runs[0]?.id);
    t.match(await plane.intake.replayRows(lease, 0), { value: { rows: [{ item: { n: 1 } }, { item }] } });
    await plane.intake.complete(completionOf(lease, { steps: [step('success')] }));
    t.match(await listed(), [
      { run_id: older, status: 'replayed' },
      { run_id: newer, status: 'replayed', replay_item: item },
      { run_id: newer, status: 'replaying' },
    ]);

    await store.write((tx) => tx.updateTable('jobs').set({ status: 'archived' }).execute());
    t.match(await replay({}), { status: 409, body: { message: /is archived: activate it first/ } });
  },
);
