import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { retryText } from '../../../src/modules/runs/run.ts';
import { insertRuns } from '../../../src/modules/runs/run-store.ts';
import { toRun } from '../../../src/modules/runs/shown/shown-run.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore, storeSettings } from '../../support/stores.ts';
import {
  completionOf,
  FAILED,
  mustRun,
  newExecutor,
  newRunOf,
  OPERATOR,
  openPlane,
  passTime,
  queueRun,
} from '../runs/plane.ts';

const RUNS = 160;
const EXECUTORS = 8;
const LIMITS: Readonly<Record<string, number>> = { 'task:1': 1, 'task:2': 3, 'task:3': 7 };

t.test('8 executors on two control planes never hold more of a key than its limit (postgres)', async (t) => {
  const settings = await storeSettings(t, 'postgres');
  const stores = await Promise.all([openStore(settings, silentLogger), openStore(settings, silentLogger)]);
  t.teardown(() => Promise.all(stores.map((store) => store.close())));
  const planes = stores.map((store) => openPlane(t, store));
  const [store] = stores;
  const keys = Object.keys(LIMITS);
  const runs = Array.from({ length: RUNS }, (_, index) => {
    const key = keys[index % (keys.length + 1)] ?? null;
    const limit = key === null ? null : (LIMITS[key] ?? null);
    return { run: newRunOf({ concurrencyKey: key, concurrencyLimit: limit }), status: 'queued' as const };
  });
  const rows = await store.write((tx) => insertRuns(tx, runs, 1));
  const keyOf = new Map(rows.map((row) => [row.id, row.concurrency_key]));
  const held = new Map<string, number>();
  const most = new Map<string, number>();
  let left = RUNS;
  let sampling = true;
  const sampler = (async () => {
    while (sampling) {
      const counts = await store.read
        .selectFrom('runs')
        .select((eb) => ['concurrency_key', eb.fn.countAll<number>().as('held')])
        .where('status', 'in', ['running', 'cancelling'])
        .where('concurrency_key', 'is not', null)
        .groupBy('concurrency_key')
        .execute();
      for (const row of counts)
        if (Number(row.held) > (LIMITS[row.concurrency_key ?? ''] ?? 0))
          t.fail(`${row.held} of ${row.concurrency_key}`);
    }
  })();
  await Promise.all(
    Array.from({ length: EXECUTORS }, async (_, index) => {
      const plane = planes[index % 2];
      if (plane === undefined) return;
      const executor = await newExecutor(plane);
      while (left > 0) {
        const assignments = await plane.intake.claim(executor, 1 + (index % 5));
        for (const { lease } of assignments) {
          const key = keyOf.get(lease.run_id) ?? null;
          if (key !== null) {
            held.set(key, (held.get(key) ?? 0) + 1);
            most.set(key, Math.max(most.get(key) ?? 0, held.get(key) ?? 0));
          }
        }
        for (const { lease } of assignments) {
          const key = keyOf.get(lease.run_id) ?? null;
          await plane.intake.acknowledge(lease);
          if (key !== null) held.set(key, (held.get(key) ?? 0) - 1);
          t.equal(await plane.intake.complete(completionOf(lease)), 'ACCEPTED');
          left -= 1;
        }
      }
    }),
  );
  sampling = false;
  await sampler;
  for (const [key, limit] of Object.entries(LIMITS)) {
    t.ok((most.get(key) ?? 0) <= limit, `${key}: ${most.get(key)} of ${limit} at once`);
  }
  await checkHistory(store.read);
});

await eachStore(
  t,
  'what waits for a slot says so, and goes on when one is free, however that came',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const limited = { concurrencyKey: 'task:9', concurrencyLimit: 2 };
    const ids: number[] = [];
    for (let run = 0; run < 40; run++) ids.push(await queueRun(store, limited));
    const other = await queueRun(store);
    const first = (await plane.intake.claim(executor, 10)).map(({ lease }) => lease);
    t.same(
      first.map((lease) => lease.run_id).sort((a, b) => a - b),
      [ids[0], ids[1], other].sort((a, b) => (a ?? 0) - (b ?? 0)),
      'those that wait hold up nobody else',
    );
    const reasons = new Set<string>();
    for (const id of ids.slice(2)) reasons.add(toRun(await mustRun(store, id)).reason);
    t.same([...reasons], ['awaiting_slot']);
    t.equal((await mustRun(store, ids[2] ?? 0)).reason, 'manual', 'why it was started is kept');
    const mine = first.filter((lease) => lease.run_id !== other);
    const [one, two] = mine;
    if (one === undefined || two === undefined) throw new Error('two slots should have been taken');
    await plane.intake.complete(completionOf(one));
    const [third] = await plane.intake.claim(executor, 10);
    t.equal(third?.lease.run_id, ids[2]);
    t.same(await plane.intake.claim(executor, 10), []);
    // A retry gives its slot to another while it waits.
    const retry = { maxAttempts: 5, delayMs: 60_000, factor: 1, maxDelayMs: 60_000, jitter: 0 };
    await store.write((tx) =>
      tx
        .updateTable('runs')
        .set({ retry_json: retryText(retry), max_attempts: 5 })
        .where('id', '=', two.run_id)
        .execute(),
    );
    await plane.intake.complete(completionOf(two, { ...FAILED, retryable: true }));
    const [fourth] = await plane.intake.claim(executor, 10);
    t.equal(fourth?.lease.run_id, ids[3]);
    if (third === undefined || fourth === undefined) throw new Error('two slots should be taken');
    // Ended by somebody else than its executor: the sweep finds the slot.
    await plane.runs.cancel(third.lease.run_id, { mode: 'force', graceMs: 0 }, OPERATOR);
    await passTime(store, 10);
    await plane.sweeper.sweep(true);
    t.equal((await plane.intake.claim(executor, 10)).length, 1);
    await checkHistory(store.read);
  },
);
