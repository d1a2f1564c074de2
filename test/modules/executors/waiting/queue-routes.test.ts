import t from 'tap';
import { systemActor } from '../../../../src/modules/audit/audit.ts';
import { createExecutorDrains } from '../../../../src/modules/executors/roster/executor-drains.ts';
import { registerQueueRoutes } from '../../../../src/modules/executors/waiting/queue-routes.ts';
import { createTestApp } from '../../../support/app.ts';
import { eachStore } from '../../../support/stores.ts';
import { newExecutor, openPlane, queueRun, startedRun } from '../../runs/plane.ts';

interface Page {
  readonly result: readonly { readonly id: number; readonly why: string; readonly message: string }[];
  readonly next_cursor: string | null;
}

await eachStore(t, 'every run of the queue says why it waits', async (t, store) => {
  const plane = openPlane(t, store);
  const { as, anonymous } = await createTestApp(t, (app) => registerQueueRoutes(app, store));
  const read = async (query = '') => (await as('viewer').get<Page>(`/api/server/queue${query}`)).body;
  const whyOf = async (id: number) => (await read()).result.find((run) => run.id === id);

  const plain = await queueRun(store);
  t.match(await whyOf(plain), { why: 'no_executor', message: 'No executor is online', priority: 0 });
  const executor = await newExecutor(plane, { slots: 2, labels: { region: 'eu' } });
  t.match(await whyOf(plain), { why: 'ready' });

  const far = await queueRun(store, { labels: { region: 'us' } });
  t.match(await whyOf(far), {
    why: 'no_executor',
    message: /the label "region=us"/,
    labels: { region: 'us' },
  });
  const later = await queueRun(store);
  await store.write((tx) =>
    tx
      .updateTable('runs')
      .set({ available_at: Date.now() + 3_600_000 })
      .where('id', '=', later)
      .execute(),
  );
  t.match(await whyOf(later), { why: 'delayed' });

  const slot = { concurrencyKey: 'orders', concurrencyLimit: 1 };
  await store.write((tx) => tx.updateTable('runs').set({ priority: -1 }).where('id', '=', plain).execute());
  await startedRun(plane, executor, slot);
  const parked = await queueRun(store, slot);
  t.match(await whyOf(parked), {
    why: 'concurrency',
    message: 'Its concurrency key "orders" has 1 of 1 slots in use',
  });
  await store.write((tx) => tx.updateTable('executors').set({ slots: 1 }).execute());
  t.match(await whyOf(plain), { why: 'slots_full', message: /1 of 1 slots in use/ });
  await createExecutorDrains({ store, wakeQueue: () => undefined }).drain(executor.executor_id, systemActor);
  t.match(await whyOf(plain), {
    why: 'draining',
    message: 'Every executor that fits is draining: resume one',
  });

  const all = (await read()).result.map(({ id }) => id);
  t.same(all, [plain, far, later, parked], 'oldest first, without those that run');
  const first = await read('?limit=3');
  const rest = await read(`?limit=3&cursor=${first.next_cursor}`);
  t.same(
    [...first.result, ...rest.result].map(({ id }) => id),
    all,
  );
  t.match(await anonymous.get('/api/server/queue'), { status: 401 });
});
