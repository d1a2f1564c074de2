import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import {
  claimOne,
  completionOf,
  mustRun,
  newExecutor,
  passTime,
  queueRun,
  startedRun,
} from '../runs/plane.ts';
import { letterOf, openScene, statuses, step } from './replay-scene.ts';

await eachStore(
  t,
  'rows are given to one run, as they were kept or corrected, and settled by its end',
  async (t, store) => {
    const { plane, operator, letters, replay, failedRun, claimed } = await openScene(t, store);
    const origin = { file: 'a.csv', line: 3 };
    const runId = await failedRun([letterOf(1), letterOf(2, { origin }), letterOf(3, { origin })]);
    const [first, second, third] = await letters(runId);
    const item = { n: 20, text: 'aéb' };
    const body = { ids: [first?.id], items: [{ id: second?.id, item }] };
    const answer = await replay(runId, body);
    t.match(answer, { status: 201, body: { replaying: 2, left: 1 } });
    const run = answer.body.runs[0];
    t.match(run, {
      reason: 'manual',
      rerun_of: runId,
      replay: { step_id: 'shape', letters: 2 },
      job_run_id: null,
    });
    t.same(statuses(await letters(runId)), ['replaying', 'replaying', 'open']);
    t.match(await replay(runId, body), { status: 409 }, 'nobody takes them twice');
    t.match((await operator.post(`/api/runs/${runId}/dead-letters/discard`, {})).body, { discarded: 1 });
    t.match(
      await operator.delete(`/api/runs/${runId}`),
      { status: 409, body: { error: 'CONFLICT' } },
      'their rows are still needed',
    );

    const lease = await claimed();
    t.equal(lease.run_id, run?.id);
    const spec = await plane.intake.runSpec(lease);
    const scope = { replay: { step_id: 'shape', letters: 2 } };
    t.match(spec, { value: { ...scope, run: scope, when_expr: '$exists(run.replay)', args_template: null } });
    const page = (after: number) => plane.intake.replayRows(lease, after);
    t.same(await page(0), {
      outcome: 'ACCEPTED',
      value: {
        rows: [
          { letter_id: first?.id, item: { n: 1 } },
          { letter_id: second?.id, item },
        ],
      },
    });
    t.same(await page(first?.id ?? 0), {
      outcome: 'ACCEPTED',
      value: { rows: [{ letter_id: second?.id, item }] },
    });
    t.same(await page(second?.id ?? 0), { outcome: 'ACCEPTED', value: { rows: [] } });
    t.same(await plane.intake.replayRows({ ...lease, token: 'old' }, 0), { outcome: 'STALE_LEASE' });

    const again = [
      letterOf(20, { replay_of: second?.id ?? 0 }),
      letterOf(9, { replay_of: third?.id ?? 0 }),
      letterOf(8),
    ];
    await plane.intake.putDeadLetters({ lease, first_seq: 1, items: again });
    await plane.intake.complete(completionOf(lease, { status: 'warning', steps: [step('warning')] }));
    const after = await letters(runId);
    t.same(statuses(after), ['replayed', 'replayed', 'discarded']);
    t.match(after[1], { item: { n: 2 }, replay_item: item, replay_run_id: run?.id });
    t.match(await letters(lease.run_id), [
      { status: 'open', replay_of: second?.id, origin },
      { status: 'open', replay_of: null, item: { n: 9 }, origin: null },
      { status: 'open', replay_of: null },
    ]);
    t.match(await operator.post(`/api/runs/${lease.run_id}/dead-letters/replay`, {}), { status: 201 });
    const audits = await store.read
      .selectFrom('audit_logs')
      .select(['resource_id', 'diff_json'])
      .where('action', '=', 'dead_letter.replay')
      .execute();
    t.same(
      audits.map((row) => row.resource_id),
      [String(runId), String(lease.run_id)],
    );
    t.notMatch(JSON.stringify(audits), /"text"/, 'rows are not written down');
  },
);

await eachStore(t, 'however a replay ends before its rows are in, they are open again', async (t, store) => {
  const { plane, operator, executor, letters, replay, failedRun, claimed } = await openScene(t, store);
  const runId = await failedRun([letterOf(1), letterOf(2)]);
  const [first] = await letters(runId);
  const begin = async () => {
    t.match(await replay(runId, { items: [{ id: first?.id, item: { n: 100 } }], ids: undefined }), {
      status: 201,
    });
  };
  const isOpen = async (how: string) => {
    const found = await letters(runId);
    t.same(statuses(found), ['open', 'open'], how);
    t.match(found[0], { item: { n: 1 }, replay_item: null }, 'with the row that was kept');
  };
  const failed = { status: 'error', reason: 'task_error' } as const;

  await begin();
  let lease = await claimed();
  await plane.intake.putDeadLetters({
    lease,
    first_seq: 1,
    items: [letterOf(1, { replay_of: first?.id ?? 0 })],
  });
  await plane.intake.complete(
    completionOf(lease, { ...failed, steps: [step('success'), step('error', { kind: 'load' })] }),
  );
  await isOpen('a load failed');
  t.same(statuses(await letters(lease.run_id)), ['discarded'], 'what it left tells of the same rows');

  await begin();
  await plane.intake.complete(completionOf(await claimed(), { status: 'skipped' }));
  await isOpen('it was skipped');

  await begin();
  const { body } = await operator.get<{ result: { id: number }[] }>('/api/runs?status=queued');
  await operator.post(`/api/runs/${body.result[0]?.id}/cancel`, {});
  await isOpen('it was cancelled in the queue');

  await begin();
  lease = await claimed();
  await operator.post(`/api/runs/${lease.run_id}/cancel`, { mode: 'force' });
  await passTime(store, 10_000_000);
  await plane.sweeper.sweep(true);
  t.equal((await mustRun(store, lease.run_id)).status, 'cancelled');
  await isOpen('its cancel was never answered');

  await begin();
  lease = await claimed();
  for (let losses = 1; losses <= 3; losses++) {
    await passTime(store, 10_000_000);
    await plane.sweeper.sweep(true);
    await passTime(store, 10_000_000);
    if (losses < 3) await plane.intake.acknowledge(await claimOne(plane, executor));
  }
  t.match(await mustRun(store, lease.run_id), { status: 'error', reason: 'executor_lost' });
  await isOpen('its executors were lost');

  await begin();
  lease = await claimed();
  const checks = [step('success'), step('success', { kind: 'load' }), step('error', { kind: 'assert' })];
  await plane.intake.complete(completionOf(lease, { ...failed, steps: checks }));
  t.same(
    statuses(await letters(runId)),
    ['replayed', 'open'],
    'the rows were in before something else failed',
  );
});

await eachStore(t, 'what cannot be replayed is refused, and nothing is started', async (t, store) => {
  const { plane, served, operator, executor, letters, replay, failedRun } = await openScene(t, store);
  const path = (id: number) => `/api/runs/${id}/dead-letters/replay`;
  t.match(await served.as('viewer').post(path(1), {}), { status: 403 });
  t.match(await operator.post(path(999), {}), { status: 404 });
  t.match(await operator.post('/api/jobs/999/dead-letters/replay', {}), { status: 404 });
  const runId = await failedRun([
    letterOf(1, { item: { cut: true, bytes: 300_000, beginning: '{' } }),
    letterOf(2, { item: { url: 'https://u:********@h' } }),
    letterOf(3),
  ]);
  const [cut, masked, plain] = await letters(runId);
  t.match(await replay(runId), {
    status: 409,
    body: { message: new RegExp(`"${cut?.id}", "${masked?.id}"`) },
  });
  t.match(await replay(runId, { ids: [] }), { status: 400 });
  t.match(await replay(runId, { ids: [plain?.id, 999_999] }), { status: 409, body: { message: /"999999"/ } });
  t.match(await replay(runId, { items: [{ id: cut?.id, item: 'x' }] }), { status: 400 });
  t.match(
    await replay(runId, {
      items: [
        { id: cut?.id, item: {} },
        { id: cut?.id, item: {} },
      ],
    }),
    { status: 400 },
  );
  t.match(await replay(runId, { items: [{ id: cut?.id, item: { x: 'é'.repeat(140_000) } }] }), {
    status: 400,
    body: { details: [{ path: 'items.0.item' }] },
  });
  t.match(await replay(runId, { use: 'current' }), { status: 409 });
  const unfit = await failedRun([letterOf(1)], 'refuse');
  t.match(await replay(unfit), { status: 409, body: { message: 'It cannot. Nothing was started' } });
  t.same(statuses(await letters(unfit)), ['open']);
  const going = await startedRun(plane, executor);
  t.match(await replay(going.run_id), { status: 409, body: { message: /is running/ } });
  const fixed = [cut, masked].map((letter) => ({ id: letter?.id, item: { n: 1 } }));
  t.match(await replay(runId, { ids: [plain?.id], items: fixed }), {
    status: 201,
    body: { replaying: 3, left: 0 },
  });
  t.match(await replay(runId), { status: 409, body: { message: /has an open dead letter/ } });
});

await eachStore(t, 'a malformed record is replayed with its row, from its extract', async (t, store) => {
  const { letters, replay, failedRun } = await openScene(t, store);
  const record = {
    step_id: 'read',
    code: 'MALFORMED_RECORD',
    item: { raw: '1,2,3', encoding: 'utf-8', bytes: 5 },
  };
  const unread = await failedRun([letterOf(1, record)]);
  const [malformed] = await letters(unread);
  t.match(await replay(unread), {
    status: 409,
    body: { message: /could not be read: give their rows in "items"/ },
  });
  const items = [{ id: malformed?.id, item: { a: 1, b: 2 } }];
  t.match(await replay(unread, { items }), {
    status: 201,
    body: { runs: [{ replay: { step_id: 'read' } }] },
  });
});

await eachStore(t, 'replays at the same time never take a letter twice', async (t, store) => {
  const { letters, replay, failedRun } = await openScene(t, store);
  const runId = await failedRun(Array.from({ length: 40 }, (_, n) => letterOf(n, { step_id: `s${n % 2}` })));
  const answers = await Promise.all(Array.from({ length: 4 }, () => replay(runId)));
  const taken = answers.filter(({ status }) => status === 201);
  t.equal(
    taken.reduce((sum, { body }) => sum + body.replaying, 0),
    40,
  );
  const runs = taken.flatMap(({ body }) => body.runs);
  t.equal(
    runs.reduce((sum, { replay }) => sum + replay.letters, 0),
    40,
  );
  for (const run of runs)
    t.equal(
      (await letters(runId, '?limit=200')).filter((one) => one.replay_run_id === run.id).length,
      run.replay.letters,
    );
});

await eachStore(t, 'only an executor that knows replays is given one', async (t, store) => {
  const { plane, served, letters, replay, failedRun, executor } = await openScene(t, store);
  const runId = await failedRun([letterOf(1)]);
  await replay(runId);
  const old = await newExecutor(plane);
  await queueRun(store, {});
  const [assignment, ...others] = await plane.intake.claim(old, 5);
  t.equal(others.length, 0);
  t.match(await mustRun(store, assignment?.lease.run_id ?? 0), { replay_step: null }, 'it gets other work');
  const { lease } = { lease: await claimOne(plane, executor) };
  t.match(await mustRun(store, lease.run_id), { replay_step: 'shape' });
  const state = await store.read
    .selectFrom('executors')
    .select('connector_types')
    .where('id', '=', executor.executor_id)
    .executeTakeFirst();
  t.equal(state?.connector_types, ',csv,feature:replay,sqlite,');
  const forged = { lease, name: 'read', value: 5, expected_version: 0 };
  t.match(await plane.intake.saveCheckpoint(forged), { value: { stored: true } });
  t.equal((await store.read.selectFrom('job_states').selectAll().execute()).length, 0, 'no cursor moves');
  t.same(statuses(await letters(runId)), ['replaying']);
  t.match(await served.as('operator').post(`/api/runs/${lease.run_id}/cancel`, {}), { status: 202 });
});
