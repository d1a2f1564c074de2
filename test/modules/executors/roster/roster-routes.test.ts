import t, { type Test } from 'tap';
import { EXECUTOR_AWAY_MS } from '../../../../src/modules/executors/executor.ts';
import { createExecutorDrains } from '../../../../src/modules/executors/roster/executor-drains.ts';
import { registerRosterRoutes } from '../../../../src/modules/executors/roster/roster-routes.ts';
import { selectNow } from '../../../../src/store/select-now.ts';
import type { Store } from '../../../../src/store/store.ts';
import { createTestApp } from '../../../support/app.ts';
import { startFullApp } from '../../../support/full-app.ts';
import { makeOneOfEach } from '../../../support/one-of-each.ts';
import { drawnKinds, eachStore } from '../../../support/stores.ts';
import { claimOne, completionOf, newExecutor, openPlane, queueRun, startedRun } from '../../runs/plane.ts';

interface Executor {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly running: number;
  readonly drain: { readonly requested_by: string } | null;
  readonly runs?: readonly { readonly id: number; readonly task_name: string }[];
}

async function rosterOf(t: Test, store: Store) {
  const woken = { times: 0 };
  const wakeQueue = () => {
    woken.times += 1;
  };
  const app = await createTestApp(t, (app) =>
    registerRosterRoutes(app, { store, drains: createExecutorDrains({ store, wakeQueue }) }),
  );
  const admin = app.as('admin');
  const tell = (id: number, verb: string) => admin.post<Executor>(`/api/server/executors/${id}/${verb}`);
  return { ...app, woken, tell };
}

await eachStore(t, 'a drained executor finishes what it has and is given no more', async (t, store) => {
  const plane = openPlane(t, store);
  const { tell, woken } = await rosterOf(t, store);
  const executor = await newExecutor(plane);
  const id = executor.executor_id;
  const lease = await startedRun(plane, executor);
  const waiting = await queueRun(store);

  const asked = await tell(id, 'drain');
  t.match(asked.body, { status: 'draining', running: 1, drain: { requested_by: 'admin@example.com' } });
  t.match(asked.body.runs, [{ id: lease.run_id, task_name: 'load' }], 'what it still has is told');
  t.same(await plane.intake.claim(executor, 5), [], 'it is given nothing');
  await plane.sweeper.sweep(true);
  t.equal(await plane.intake.complete(completionOf(lease)), 'ACCEPTED', 'what it had it may end');
  t.match((await tell(id, 'drain')).body, { status: 'drained', running: 0 });

  const again = await newExecutor(plane, { instance_id: await instanceOf(store, id) });
  t.equal(again.executor_id, id);
  t.same(await plane.intake.claim(again, 5), [], 'nor where its process registers again');

  woken.times = 0;
  t.match((await tell(id, 'resume')).body, { status: 'online', drain: null });
  t.equal(woken.times, 1, 'the queue is looked at again');
  t.equal((await claimOne(plane, again)).run_id, waiting);
  const { rows } = await auditOf(store);
  t.same(rows, ['executor.drain', 'executor.resume'], 'what changed nothing is not in the audit log');
});

await eachStore(t, 'runs that only drained executors fit wait for one of them', async (t, store) => {
  const plane = openPlane(t, store);
  const { tell } = await rosterOf(t, store);
  const executor = await newExecutor(plane);
  await tell(executor.executor_id, 'drain');
  const run = await queueRun(store);
  await plane.sweeper.sweep(true);
  await plane.sweeper.sweep(true);
  await tell(executor.executor_id, 'resume');
  t.equal((await claimOne(plane, executor)).run_id, run, 'a mark of the sweeper is taken back');
});

await eachStore(t, 'only administrators drain, and only what is there', async (t, store) => {
  const plane = openPlane(t, store);
  const { as, withKey, tell } = await rosterOf(t, store);
  const executor = await newExecutor(plane);
  const at = `/api/server/executors/${executor.executor_id}`;
  for (const verb of ['drain', 'resume']) {
    t.match(await as('editor').post(`${at}/${verb}`), { status: 403 });
    t.match(await withKey('admin', 'server:read').post(`${at}/${verb}`), { status: 403 });
    t.match(await tell(999, verb), { status: 404, body: { error: 'NOT_FOUND' } });
  }
  t.match((await as('viewer').get<Executor>(at)).body, { status: 'online', runs: [] });
  await plane.intake.deregister(executor);
  t.match(await tell(executor.executor_id, 'drain'), { status: 409, body: { error: 'CONFLICT' } });
  t.same((await auditOf(store)).rows, []);
});

await eachStore(t, 'executors are listed, the last seen first, and silent ones as lost', async (t, store) => {
  const plane = openPlane(t, store);
  const { as } = await rosterOf(t, store);
  const seen = async (name: string, silentMs: number) => {
    const { executor_id: id } = await newExecutor(plane, { name, labels: { zone: 'a' }, slots: 4 });
    const at = (await selectNow(store.read, store.dialect)) - silentMs;
    await store.write((tx) =>
      tx.updateTable('executors').set({ last_seen_at: at }).where('id', '=', id).execute(),
    );
  };
  await seen('early', EXECUTOR_AWAY_MS + 1_000);
  await seen('late', 0);
  const { body, text } = await as('viewer').get<{ result: Executor[] }>('/api/server/executors');
  t.match(body, {
    result: [
      { name: 'late', status: 'online', slots: 4, labels: { zone: 'a' }, connector_types: ['csv', 'sqlite'] },
      { name: 'early', status: 'lost' },
    ],
    next_cursor: null,
  });
  t.notMatch(text, /session_token|hash/);
});

for (const kind of drawnKinds(t)) {
  t.test(`an executor over HTTP is drained while it waits for work (${kind})`, async (t) => {
    const full = await startFullApp(t, kind);
    const { visitor: root } = await full.superadmin();
    const one = await makeOneOfEach(full, root);
    const id = one.values.get('executors');
    const next = () =>
      one.executor.post<{ assignments: { lease: { run_id: number } }[] }>(
        `/api/executors/${id}/next?wait=20`,
        { credits: 50 },
      );
    const enqueue = () =>
      root.post<{ id: number }>(
        `/api/tasks/${one.values.get('tasks')}/runs`,
        one.bodies.get('POST /api/tasks/{id}/runs'),
      );

    const waits = next();
    t.match(await root.post(`/api/server/executors/${id}/drain`), { status: 200 });
    const { status, body: run } = await enqueue();
    t.equal(status, 201);
    const { body: queue } = await root.get<{ result: { id: number; why: string }[] }>('/api/server/queue');
    t.match(
      queue.result.filter(({ id }) => id === run.id),
      [{ why: 'draining' }],
    );
    t.match(await root.post(`/api/server/executors/${id}/resume`), { status: 200 });
    // Others may have come meanwhile.
    const given = (await waits).body.assignments.map(({ lease }) => lease.run_id);
    t.ok(given.includes(run.id), 'resumed, it is given the run that waited');
    t.same(full.openapi.breaches, []);
  });
}

async function instanceOf(store: Store, id: number): Promise<string> {
  const query = store.read.selectFrom('executors').select('instance_id').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).instance_id;
}

async function auditOf(store: Store): Promise<{ rows: string[] }> {
  const rows = await store.read.selectFrom('audit_logs').select('action').orderBy('id').execute();
  return { rows: rows.map(({ action }) => action) };
}
