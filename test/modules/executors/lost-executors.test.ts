import { sql } from 'kysely';
import t from 'tap';
import type { ServerMeter } from '../../../src/base/server-meter.ts';
import { type ExecutorRow, toExecutor } from '../../../src/modules/executors/executor.ts';
import { LostExecutors } from '../../../src/modules/executors/lost-executors.ts';
import { createQueueFigures } from '../../../src/modules/health/queue-figures.ts';
import { selectNow } from '../../../src/store/select-now.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestClock } from '../../support/clock.ts';
import { keptLogger } from '../../support/kept-logger.ts';
import { eachStore } from '../../support/stores.ts';
import { newExecutor, openPlane } from '../runs/plane.ts';

const AWAY_MS = 90_000;

async function silentFor(store: Store, id: number, ms: number): Promise<void> {
  const seen = sql<number>`last_seen_at - ${sql.lit(ms)}`;
  await store.write((tx) =>
    tx.updateTable('executors').set({ last_seen_at: seen }).where('id', '=', id).execute(),
  );
}

function watch(store: Store) {
  const clock = createTestClock();
  const { logger, lines } = keptLogger();
  const counted: string[] = [];
  const meter: ServerMeter = { count: (name) => void counted.push(name), observe: () => undefined };
  const lost = new LostExecutors({ store, clock, logger, meter });
  return {
    clock,
    said: () => lines().map((line) => JSON.parse(line) as object),
    counted,
    look: async () => lost.look(await selectNow(store.read, store.dialect), AWAY_MS),
    states: async () => (await createQueueFigures(store, AWAY_MS)()).executors,
  };
}

await eachStore(t, 'lost executors are said once a minute, with how many they are', async (t, store) => {
  const plane = openPlane(t, store);
  const ids: number[] = [];
  for (const name of ['a', 'b', 'c', 'd']) ids.push((await newExecutor(plane, { name })).executor_id);
  const [a = 0, b = 0, c = 0, d = 0] = ids;
  const { look, said, counted, clock } = watch(store);
  await look();
  t.same(said(), []);
  await silentFor(store, a, AWAY_MS + 3_000);
  await look();
  await look();
  t.match(said(), [{ count: 1, executor: 'a', executor_id: a, msg: 'executors were lost' }]);
  for (const id of [b, c]) await silentFor(store, id, AWAY_MS + 1);
  await look();
  t.equal(said().length, 1, 'not again within the minute');
  clock.advance(60_000);
  await silentFor(store, d, AWAY_MS + 1);
  await look();
  t.match(said()[1], { count: 3, executor: 'd', msg: 'executors were lost' });
  t.equal(said().length, 2);
  t.same(counted, Array(4).fill('executors_lost'));
});

await eachStore(t, 'a lost executor counts as lost for an hour, and may come back', async (t, store) => {
  const plane = openPlane(t, store);
  const request = { name: 'eu', instance_id: 'pod-1' };
  const identity = await newExecutor(plane, request);
  const { look, states } = watch(store);
  await silentFor(store, identity.executor_id, 3_500_000);
  await look();
  t.match(await states(), { online: 0, lost: 1 });
  await silentFor(store, identity.executor_id, 200_000);
  await look();
  t.match(await states(), { online: 0, lost: 0 });
  await t.rejects(plane.executors.authenticate(identity), { code: 'AUTH_ERROR' }, 'it is to register again');
  const again = await newExecutor(plane, request);
  t.equal(again.executor_id, identity.executor_id);
  await plane.executors.authenticate(again);
  t.match(await states(), { online: 1, lost: 0 });
});

t.test('an executor that falls silent while it drains is lost too', async (t) => {
  const row = {
    labels_json: '{}',
    connector_types: ',',
    registered_at: 0,
    last_seen_at: 0,
    drain_requested_at: null,
  };
  const statusOf = (status: string, now: number) =>
    toExecutor({ ...row, status } as ExecutorRow, 0, now).status;
  t.equal(statusOf('draining', AWAY_MS), 'draining');
  t.equal(statusOf('draining', AWAY_MS + 1), 'lost');
  t.equal(statusOf('online', AWAY_MS + 1), 'lost');
  t.equal(statusOf('gone', AWAY_MS + 1), 'gone');
});

await eachStore(t, 'a new instance takes the place of one lost executor of its name', async (t, store) => {
  const plane = openPlane(t, store);
  const { states } = watch(store);
  const idOf = async (instance_id: string, name = 'eu') =>
    (await newExecutor(plane, { name, instance_id })).executor_id;
  const lost = [await idOf('pod-1'), await idOf('pod-2'), await idOf('pod-1', 'us')];
  await idOf('pod-3');
  for (const id of lost) await silentFor(store, id, AWAY_MS + 1_000);
  t.match(await states(), { online: 1, lost: 3 });
  await idOf('pod-3');
  t.match(await states(), { online: 1, lost: 3 }, 'one that registers again replaces none');
  await idOf('pod-4');
  t.match(await states(), { online: 2, lost: 2 });
  await idOf('pod-5');
  await idOf('pod-6');
  t.match(await states(), { online: 4, lost: 1 }, 'those of another name stay');
});
