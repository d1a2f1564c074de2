import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import t from 'tap';
import { silentMeter } from '../../../src/base/server-meter.ts';
import { logDayOf } from '../../../src/modules/run-logs/postgres/run-log-partitions.ts';
import { LOG_LIMITS } from '../../../src/modules/run-logs/run-log-limits.ts';
import { type LogRetention, logRetentionOf } from '../../../src/modules/run-logs/run-log-retention.ts';
import { mayHaveDueLogs, selectLogCursors, selectLogs } from '../../../src/modules/run-logs/run-log-store.ts';
import { gapAfter, placeBeforeGap } from '../../../src/modules/run-logs/run-log-stream.ts';
import type { LogThreadData } from '../../../src/modules/run-logs/sqlite/run-log-thread-messages.ts';
import {
  startLogThread,
  ThreadLogWriter,
} from '../../../src/modules/run-logs/sqlite/run-log-thread-writer.ts';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { selectNow } from '../../../src/store/select-now.ts';
import type { Store } from '../../../src/store/store.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { noRunSecrets } from '../runs/no-run-secrets.ts';
import {
  batchOf,
  completionOf,
  frameOf,
  newExecutor,
  openPlane,
  type Plane,
  startedRun,
} from '../runs/plane.ts';

const DAY_MS = 86_400_000;
const FROM_START = { after: { attempt: 0, seq: 0 } };
const NO_BOUND = { before: 0, bytesMax: 0 };

async function countOf(store: Store, { run_id }: Lease): Promise<number> {
  return (await selectLogs(store.logs, run_id, FROM_START, 10_000)).length;
}

/** A run that has logged this many lines and ended. */
async function endedRun(plane: Plane, lines: number): Promise<Lease> {
  const lease = await startedRun(plane, await newExecutor(plane));
  for (let first = 1; first <= lines; first += 1_000)
    await plane.intake.appendLogs(frameOf(batchOf(lease, first, Math.min(lines, first + 999))));
  await plane.intake.complete(completionOf(lease, { last_log_seq: lines }));
  return lease;
}

/** Of a server: what was committed today becomes a partition of so many days ago. */
async function age(store: Store, days: number): Promise<void> {
  const today = logDayOf(await selectNow(store.read, store.dialect));
  await store.write(async (tx) => {
    await sql.raw(`alter table run_logs detach partition run_logs_d${today}`).execute(tx);
    await sql.raw(`alter table run_logs_d${today} rename to run_logs_d${today - days}`).execute(tx);
    await sql.raw(`update run_logs_d${today - days} set day = ${today - days}`).execute(tx);
    await sql
      .raw(`alter table run_logs attach partition run_logs_d${today - days} for values in (${today - days})`)
      .execute(tx);
    await sql`update run_log_cursors set last_at = last_at - ${days * DAY_MS}`.execute(tx);
  });
}

async function partitionsOf(store: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'run_logs'::regclass order by 1`.execute(
    store.read,
  );
  return rows.map((row) => row.name);
}

t.test('past days go as whole partitions, and readers are told (postgres)', async (t) => {
  const store = await openTestStore(t, 'postgres');
  const plane = openPlane(t, store);
  const old = await endedRun(plane, 25);
  const going = await startedRun(plane, await newExecutor(plane));
  await plane.intake.appendLogs(frameOf(batchOf(going, 1, 10)));
  await age(store, 40);
  // The day's partition is missing now: the writer makes it.
  t.match(await plane.intake.appendLogs(frameOf(batchOf(going, 11, 15))), { acked_seq: 15 });
  const now = await selectNow(store.read, store.dialect);
  const today = logDayOf(now);
  await plane.logs.prune(NO_BOUND);
  t.same(
    await partitionsOf(store),
    [today - 40, today, today + 1].map((day) => `run_logs_d${day}`),
    'kept, and made ahead',
  );
  t.equal(await countOf(store, old), 25);
  const retention = logRetentionOf({ log_days: 30, log_bytes: 0 }, now);
  await Promise.all([plane.logs.prune(retention), plane.logs.prune(retention)]);
  t.same(
    await partitionsOf(store),
    [today, today + 1].map((day) => `run_logs_d${day}`),
  );
  t.equal(await countOf(store, old), 0);
  t.equal(await countOf(store, going), 5);
  t.match(await selectLogCursors(store.logs, old.run_id), [{ acked_seq: 25, pruned_seq: 25 }]);
  t.match(await selectLogCursors(store.logs, going.run_id), [{ acked_seq: 15, pruned_seq: 10 }]);
  await age(store, 3);
  await plane.logs.prune(logRetentionOf({ log_days: 0, log_bytes: 1 }, now));
  t.equal(await countOf(store, going), 0, 'over the bound of bytes the oldest day goes');
});

t.test('old logs go attempt by attempt, never those of a run that is going (sqlite)', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const plane = openPlane(t, store);
  const old = await endedRun(plane, 12_000);
  const going = await startedRun(plane, await newExecutor(plane));
  await plane.intake.appendLogs(frameOf(batchOf(going, 1, 10)));
  const now = await selectNow(store.read, store.dialect);
  await plane.logs.prune(logRetentionOf({ log_days: 30, log_bytes: 0 }, now));
  t.equal((await selectLogCursors(store.logs, old.run_id))[0]?.pruned_seq, 0, 'they are new');
  const pruning = plane.logs.prune(logRetentionOf({ log_days: 30, log_bytes: 0 }, now + 31 * DAY_MS));
  const later = await startedRun(plane, await newExecutor(plane));
  t.match(await plane.intake.appendLogs(frameOf(batchOf(later, 1, 5))), { acked_seq: 5 }, 'others go on');
  await pruning;
  t.equal(await countOf(store, old), 0);
  t.equal(await countOf(store, going), 10);
  t.match(await selectLogCursors(store.logs, old.run_id), [{ acked_seq: 12_000, pruned_seq: 12_000 }]);
  const pages = async () =>
    (await sql<{ page_count: number }>`pragma page_count`.execute(store.logs)).rows[0]?.page_count ?? 0;
  const before = await pages();
  await endedRun(plane, 10_000);
  t.ok((await pages()) <= before + 5, 'the pages of what was deleted are used again');
});

t.test('what a deleted run leaves in the log file is given back to the disk (sqlite)', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const plane = openPlane(t, store);
  const { run_id } = await endedRun(plane, 1);
  const large = new DatabaseSync(store.bulkFiles?.logsPath ?? '');
  large
    .prepare('insert into run_logs values (?, 1, 2, 1, 1, ?, zeroblob(40000000), null, 0)')
    .run(run_id, 'step');
  large.close();
  const pages = async () =>
    (await sql<{ page_count: number }>`pragma page_count`.execute(store.logs)).rows[0]?.page_count ?? 0;
  const before = await pages();
  await plane.logs.forget([run_id]);
  t.ok((await pages()) < before / 2, `${before} pages before, ${await pages()} after`);
});

t.test('over the bound of bytes the oldest logs go first (sqlite)', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const plane = openPlane(t, store);
  const leases: Lease[] = [];
  for (let run = 0; run < 4; run++) leases.push(await endedRun(plane, 100));
  const { rows } = await sql<{ bytes: number }>`select sum(bytes) as bytes from run_log_cursors`.execute(
    store.logs,
  );
  await plane.logs.prune({ before: 0, bytesMax: Math.floor((rows[0]?.bytes ?? 0) / 2) });
  const kept: number[] = [];
  for (const lease of leases) kept.push(await countOf(store, lease));
  t.same(kept, [0, 0, 100, 100]);
});

await eachStore(t, 'a sweep with nothing to do changes nothing', async (t, store) => {
  const plane = openPlane(t, store);
  const lease = await endedRun(plane, 10);
  await plane.logs.prune(NO_BOUND);
  await plane.logs.prune(logRetentionOf({ log_days: 1, log_bytes: 1e12 }, Date.now()));
  t.equal(await countOf(store, lease), 10);
});

t.test('a reader is told of every gap once, wherever it stands', async (t) => {
  const cursors = [
    { attempt: 1, acked_seq: 50, dropped: 0, pruned_seq: 20 },
    { attempt: 2, acked_seq: 90, dropped: 31, pruned_seq: 0 },
  ];
  t.same(gapAfter({ attempt: 0, seq: 0 }, cursors), { attempt: 1, from: 1, to: 20, reason: 'retention' });
  t.same(gapAfter({ attempt: 1, seq: 5 }, cursors), { attempt: 1, from: 6, to: 20, reason: 'retention' });
  t.equal(gapAfter({ attempt: 1, seq: 20 }, cursors), null);
  t.equal(gapAfter({ attempt: 2, seq: 59 }, cursors), null, 'the note itself is a line');
  t.same(gapAfter({ attempt: 2, seq: 60 }, cursors), { attempt: 2, from: 61, to: 90, reason: 'quota' });
  t.equal(gapAfter({ attempt: 2, seq: 90 }, cursors), null);
  t.same(placeBeforeGap({ attempt: 1, seq: 30 }, cursors), { attempt: 2, seq: 60 });
  t.equal(placeBeforeGap({ attempt: 2, seq: 60 }, cursors), null);
});

t.test('a sweep of retention that finds nothing starts no thread (sqlite)', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const plane = openPlane(t, store);
  const lease = await endedRun(plane, 10);
  if (store.bulkFiles === null) return t.fail('this store has a writer thread');
  let threads = 0;
  const startThread = (data: LogThreadData) => {
    threads += 1;
    return startLogThread(data);
  };
  const mayBeDue = (retention: LogRetention) => mayHaveDueLogs(store.logs, retention);
  const data = { ...store.bulkFiles, limits: LOG_LIMITS };
  const writer = new ThreadLogWriter(data, {
    secrets: noRunSecrets,
    meter: silentMeter,
    mayBeDue,
    startThread,
  });
  t.teardown(() => writer.close());
  const dayAgo = Date.now() - DAY_MS;
  for (const before of [0, dayAgo]) await writer.prune({ before, bytesMax: 0 });
  t.equal(threads, 0);
  await writer.prune({ before: Date.now() + DAY_MS, bytesMax: 0 });
  t.equal(threads, 1);
  t.equal(await countOf(store, lease), 0);
  await writer.prune({ before: Date.now() + DAY_MS, bytesMax: 1 });
  t.same(await mayBeDue({ before: Date.now() + DAY_MS, bytesMax: 0 }), false, 'pruned once is enough');
});

await eachStore(t, 'the lines and the cursors of deleted runs go, those of others stay', async (t, store) => {
  const plane = openPlane(t, store);
  const [first, second, kept] = [
    await endedRun(plane, 6_000),
    await endedRun(plane, 2),
    await endedRun(plane, 3),
  ];
  await plane.logs.forget([first.run_id, second.run_id]);
  t.same(await Promise.all([first, second, kept].map((lease) => countOf(store, lease))), [0, 0, 3]);
  const cursors = await Promise.all(
    [first, second, kept].map(({ run_id }) => selectLogCursors(store.logs, run_id)),
  );
  t.same(
    cursors.map(({ length }) => length),
    [0, 0, 1],
  );
});
