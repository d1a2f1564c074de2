import t from 'tap';
import type { ConnectorUse } from '../../../src/base/connectors/connector-use.ts';
import {
  BUCKET_MS,
  bucketOf,
  CALLS_KEPT_MS,
  HEALTH_STATUSES,
  HOUR_MS,
  type RecordedUse,
  statusOf,
} from '../../../src/modules/connector-health/connector-health.ts';
import { recordUses } from '../../../src/modules/connector-health/connector-health-record.ts';
import {
  deleteCallsBefore,
  deleteConnectorHealth,
  deleteStrayHealth,
  selectCalls,
  selectConnectorsByHealth,
  selectHealth,
} from '../../../src/modules/connector-health/connector-health-store.ts';
import { insertConnector } from '../../../src/modules/connectors/connector-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { eachStore } from '../../support/stores.ts';
import { completionOf, newExecutor, openPlane, startedRun } from '../runs/plane.ts';

const NOW = 1_800_000_123_456;
const ORDER = { column: 'id', descending: false, after: null, limit: 50, bound: '' } as const;

async function newConnector(store: Store, name: string): Promise<number> {
  const made = { name, type: 'postgres', description: null, by: 'ada@example.com', now: NOW };
  const row = await store.write((tx) => insertConnector(tx, made));
  return row?.id ?? 0;
}

function callsOf(connector_id: number, over: Partial<ConnectorUse> = {}): ConnectorUse {
  const none = { calls: 1, errors: 0, ms: 5, last_success_at: 0, unreachable_since: 0, last_error: null };
  return { connector_id, ...none, ...over };
}

function unreachable(connector_id: number, at: number): ConnectorUse {
  const last_error = { at, code: 'UNAVAILABLE', message: 'It cannot be reached' };
  return callsOf(connector_id, { errors: 1, unreachable_since: at, last_error });
}

function ofRun(use: ConnectorUse, run_id = 7): RecordedUse {
  return { use, source: 'run', run_id, job_id: 3 };
}

async function record(store: Store, uses: readonly RecordedUse[], now = NOW): Promise<void> {
  await store.write((tx) => recordUses(tx, store.dialect, uses, now));
}

async function healthAt(store: Store, id: number, now: number) {
  const row = (await selectHealth(store.read, [id])).get(id) ?? null;
  const buckets = await selectCalls(store.read, [id], now - 25 * HOUR_MS);
  const told = statusOf(row, buckets, now);
  for (const status of HEALTH_STATUSES) {
    const found = await selectConnectorsByHealth(store.read, { status, now }, ORDER);
    const isIn = found.some((one) => one.id === id);
    if (isIn !== (status === told.status))
      throw new Error(`The list of ${status} ${isIn ? 'has' : 'lacks'} a connector that is ${told.status}`);
  }
  return told;
}

await eachStore(
  t,
  'a connector fails from its first unreachable call to its next answer',
  async (t, store) => {
    const id = await newConnector(store, 'warehouse');
    t.same(await healthAt(store, id, NOW), { status: 'unknown', since: null });
    await record(store, [ofRun(callsOf(id, { calls: 100, last_success_at: NOW - 50 }))]);
    t.same(await healthAt(store, id, NOW), { status: 'ok', since: NOW });
    await record(store, [ofRun(unreachable(id, NOW + 10))], NOW + 10);
    await record(store, [ofRun(unreachable(id, NOW + 20), 8)], NOW + 20);
    t.same(await healthAt(store, id, NOW + 20), { status: 'failing', since: NOW + 10 });
    const failing = (await selectHealth(store.read, [id])).get(id);
    t.match(failing, {
      last_success_at: NOW - 50,
      last_error_at: NOW + 20,
      error_code: 'UNAVAILABLE',
      error_message: 'It cannot be reached',
      error_source: 'run',
      error_run_id: 8,
      error_job_id: 3,
    });
    const wrong = { at: NOW + 25, code: 'CONFIG', message: 'There is no table "x"' };
    await record(store, [ofRun(callsOf(id, { errors: 1, last_error: wrong }), 9)], NOW + 25);
    t.match(
      await healthAt(store, id, NOW + 25),
      { status: 'failing' },
      'which says nothing of the connection',
    );
    await record(store, [ofRun(callsOf(id, { last_success_at: NOW + 30 }), 10)], NOW + 30);
    t.same(await healthAt(store, id, NOW + 30), { status: 'ok', since: NOW + 30 });
    const after = (await selectHealth(store.read, [id])).get(id);
    t.match(after, { unreachable_since: 0, recovered_at: NOW + 30, error_run_id: 9, error_code: 'CONFIG' });
  },
);

await eachStore(t, 'an error that is told late does not undo a later answer', async (t, store) => {
  const id = await newConnector(store, 'warehouse');
  await record(store, [ofRun(callsOf(id, { calls: 100, last_success_at: NOW }))]);
  await record(store, [ofRun(unreachable(id, NOW - 10))], NOW + 10);
  t.match(await healthAt(store, id, NOW + 10), { status: 'ok' });
  const other = await newConnector(store, 'lake');
  await record(store, [
    ofRun(unreachable(other, NOW + 5)),
    ofRun(callsOf(other, { calls: 99, last_success_at: NOW })),
  ]);
  t.match(await healthAt(store, other, NOW + 5), { status: 'failing' }, 'whatever their order in one batch');
});

await eachStore(t, 'more than one of twenty failed calls of the last hour degrade', async (t, store) => {
  const id = await newConnector(store, 'warehouse');
  const wrong = { at: NOW, code: 'TARGET', message: 'The disk is full' };
  const failed = (calls: number) =>
    callsOf(id, { calls, errors: 1, last_success_at: NOW, last_error: wrong });
  await record(store, [ofRun(failed(20))]);
  t.match(await healthAt(store, id, NOW), { status: 'ok' }, 'one of twenty is not more than one of twenty');
  const later = NOW + 3 * BUCKET_MS;
  await record(store, [ofRun(failed(1))], later);
  t.same(await healthAt(store, id, later), { status: 'degraded', since: bucketOf(later) });
  const beyond = bucketOf(later) + HOUR_MS + BUCKET_MS;
  t.same(await healthAt(store, id, beyond - 1), { status: 'degraded', since: bucketOf(later) });
  t.same(await healthAt(store, id, beyond), { status: 'ok', since: beyond }, 'an hour later it is well');
});

await eachStore(t, 'uses of one moment add up by connector and source', async (t, store) => {
  const id = await newConnector(store, 'warehouse');
  const test = { at: NOW, ok: false, message: 'refused' };
  await record(store, [
    ofRun(callsOf(id, { calls: 3, ms: 30 })),
    ofRun(callsOf(id, { calls: 4, ms: 40 }), 8),
    { use: unreachable(id, NOW), source: 'test', run_id: null, job_id: null, test },
    ofRun(callsOf(9_999)),
  ]);
  await record(store, [ofRun(callsOf(id, { calls: 5, ms: 50 }))], NOW + 1);
  t.same(await selectCalls(store.read, [id, 9_999], 0), [
    { connector_id: id, bucket_at: bucketOf(NOW), source: 'run', calls: 12, errors: 0, ms: 120 },
    { connector_id: id, bucket_at: bucketOf(NOW), source: 'test', calls: 1, errors: 1, ms: 5 },
  ]);
  t.match((await selectHealth(store.read, [id])).get(id), {
    last_test_at: NOW,
    test_ok: 0,
    test_message: 'refused',
    error_source: 'test',
    error_run_id: null,
  });
  t.equal((await selectHealth(store.read, [9_999])).size, 0, 'a connector that is not there has none');
});

await eachStore(t, 'no time is later than now, whatever the clock of an executor', async (t, store) => {
  const id = await newConnector(store, 'warehouse');
  await record(store, [ofRun(unreachable(id, NOW + HOUR_MS))]);
  t.same(await healthAt(store, id, NOW), { status: 'failing', since: NOW });
  await record(store, [ofRun(callsOf(id, { last_success_at: NOW + 1 }))], NOW + 1);
  t.match(await healthAt(store, id, NOW + 1), { status: 'degraded' }, 'one of two failed');
});

await eachStore(t, 'old calls go, and a deleted connector leaves nothing', async (t, store) => {
  const id = await newConnector(store, 'warehouse');
  await record(store, [ofRun(callsOf(id))], NOW);
  await record(store, [ofRun(callsOf(id))], NOW + CALLS_KEPT_MS);
  const before = NOW + BUCKET_MS;
  t.equal(await store.write((tx) => deleteCallsBefore(tx, before, 10)), 1);
  t.equal((await selectCalls(store.read, [id], 0)).length, 1);
  await store.write((tx) => deleteStrayHealth(tx));
  t.equal((await selectHealth(store.read, [id])).size, 1, 'it is still there');
  await store.write((tx) => deleteConnectorHealth(tx, id));
  t.same(await selectCalls(store.read, [id], 0), []);
  t.equal((await selectHealth(store.read, [id])).size, 0);
});

await eachStore(t, 'a completion that comes again counts once', async (t, store) => {
  const plane = openPlane(t, store);
  const id = await newConnector(store, 'warehouse');
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor);
  const completion = completionOf(lease, { connectors: [callsOf(id, { calls: 4, last_success_at: NOW })] });
  t.equal(await plane.intake.complete(completion), 'ACCEPTED');
  t.equal(await plane.intake.complete(completion), 'ALREADY_DONE');
  t.same(await Promise.all([plane.intake.complete(completion), plane.intake.complete(completion)]), [
    'ALREADY_DONE',
    'ALREADY_DONE',
  ]);
  const calls = await selectCalls(store.read, [id], 0);
  t.match(calls, [{ source: 'run', calls: 4 }]);
  t.equal(calls.length, 1);
  const late = await startedRun(plane, executor);
  const twice = completionOf(late, { connectors: [callsOf(id)] });
  t.same(await Promise.all([plane.intake.complete(twice), plane.intake.complete(twice)]), [
    'ACCEPTED',
    'ALREADY_DONE',
  ]);
  t.match(await selectCalls(store.read, [id], 0), [{ calls: 5 }]);
});
