import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { silentMeter } from '../../../src/base/server-meter.ts';
import { PooledLogWriter } from '../../../src/modules/run-logs/postgres/run-log-pooled-writer.ts';
import { judgeLogLease } from '../../../src/modules/run-logs/run-log.ts';
import { LOG_LIMITS } from '../../../src/modules/run-logs/run-log-limits.ts';
import { selectLogs } from '../../../src/modules/run-logs/run-log-store.ts';
import type { LogThreadData } from '../../../src/modules/run-logs/sqlite/run-log-thread-messages.ts';
import {
  startLogThread,
  ThreadLogWriter,
} from '../../../src/modules/run-logs/sqlite/run-log-thread-writer.ts';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { checkLogs } from '../../support/history-logs.ts';
import { readableLine } from '../../support/log-lines.ts';
import { eachStore, openTestStore, storeSettings } from '../../support/stores.ts';
import { noRunSecrets } from '../runs/no-run-secrets.ts';
import {
  batchOf,
  claimOne,
  completionOf,
  frameOf,
  lineOf,
  newExecutor,
  OPERATOR,
  openPlane,
  passTime,
  queueRun,
  startedRun,
} from '../runs/plane.ts';

const WRITER = { secrets: noRunSecrets, meter: silentMeter, mayBeDue: async () => true };
const FROM_START = { after: { attempt: 0, seq: 0 } };

async function messagesOf(store: Store, runId: number): Promise<string[]> {
  return (await selectLogs(store.logs, runId, FROM_START, 10_000)).map((row) => row.message);
}

await eachStore(t, 'an acknowledged line is stored exactly once, in order', async (t, store) => {
  const { intake, ...plane } = openPlane(t, store);
  const executor = await newExecutor({ intake, ...plane });
  const lease = await startedRun({ intake, ...plane }, executor);
  const append = (first: number, last: number) => intake.appendLogs(frameOf(batchOf(lease, first, last)));
  t.match(await append(1, 60), { outcome: 'ACCEPTED', acked_seq: 60, resend_from: 0 });
  t.match(await append(1, 60), { outcome: 'ALREADY_DONE', acked_seq: 60, resend_from: 0 }, 'a duplicate');
  t.match(await append(55, 70), { outcome: 'ACCEPTED', acked_seq: 70 }, 'an overlap');
  t.match(await append(72, 80), { outcome: 'ACCEPTED', acked_seq: 70, resend_from: 71 }, 'a gap');
  t.match(await append(71, 200), { outcome: 'ACCEPTED', acked_seq: 200 });
  t.ok((await append(201, 201)).window_bytes > 0);
  t.same(
    await messagesOf(store, lease.run_id),
    Array.from({ length: 201 }, (_, index) => `line ${index + 1}`),
  );
  await t.rejects(intake.appendLogs({ encoding: 'json', bytes: Buffer.from('{') }), {
    code: 'VALIDATION_ERROR',
  });
  const json = { lease, first_seq: 202, lines: [{ at: 5, level: 'warn', message: 'as JSON' }] };
  const frame = { encoding: 'json', bytes: Buffer.from(JSON.stringify(json)) } as const;
  t.match(await intake.appendLogs(frame), { acked_seq: 202 });
  await checkLogs(store.logs);
});

await eachStore(t, 'logs are taken for five minutes after the end and not later', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const append = (lease: Lease, first: number) =>
    plane.intake.appendLogs(frameOf(batchOf(lease, first, first)));
  await queueRun(store);
  const early = await claimOne(plane, executor);
  t.equal((await append(early, 1)).outcome, 'STALE_LEASE', 'not before the acknowledgement');
  await plane.intake.acknowledge(early);
  t.equal((await append(early, 1)).outcome, 'ACCEPTED');
  await plane.intake.complete(completionOf(early, { last_log_seq: 2 }));
  await passTime(store, 290_000);
  t.equal((await append(early, 2)).outcome, 'ACCEPTED');
  await passTime(store, 20_000);
  t.equal((await append(early, 3)).outcome, 'STALE_LEASE');
  const killed = await startedRun(plane, executor);
  await plane.runs.cancel(killed.run_id, { mode: 'force', graceMs: 0 }, OPERATOR);
  await passTime(store, 10);
  await plane.sweeper.sweep(true);
  t.equal((await append(killed, 1)).outcome, 'ACCEPTED');
  await passTime(store, 310_000);
  t.equal((await append(killed, 2)).outcome, 'STALE_LEASE', 'an attempt that the server ended has ended too');
  const lost = await startedRun(plane, executor);
  await append(lost, 1);
  await passTime(store, 91_000);
  await plane.sweeper.sweep(true);
  t.equal((await append(lost, 2)).outcome, 'STALE_LEASE', 'another may have the run');
  await checkLogs(store.logs);
});

await eachStore(
  t,
  'batches of many runs at once, each sent twice, lose and double nothing',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const leases: Lease[] = [];
    for (let run = 0; run < 8; run++) leases.push(await startedRun(plane, executor));
    const absent = { ...batchOf({ run_id: 9_999_999, attempt: 1, epoch: 1, token: 'x' }, 1, 5) };
    const sends = leases.map(async (lease) => {
      for (let first = 1; first <= 400; first += 20) {
        const frame = frameOf(batchOf(lease, first, first + 19));
        const acks = await Promise.all([plane.intake.appendLogs(frame), plane.intake.appendLogs(frame)]);
        const outcomes = acks.map((ack) => ack.outcome).sort();
        if (outcomes.join() !== 'ACCEPTED,ALREADY_DONE') t.fail(outcomes.join());
        t.equal((await plane.intake.appendLogs(frameOf(absent))).outcome, 'RUN_ABSENT');
      }
    });
    await Promise.all(sends);
    for (const lease of leases) t.equal((await messagesOf(store, lease.run_id)).length, 400);
    await checkLogs(store.logs);
  },
);

await eachStore(
  t,
  'what a store cannot hold is replaced, and over-long lines are cut and flagged',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const lease = await startedRun(plane, executor);
    const lines = [
      lineOf('a\0b', { step_id: 's\0', fields: { 'k\0': 'v\0' } }),
      lineOf('x'.repeat(20_000)),
      lineOf(`${'x'.repeat(16_383)}😀😀`),
      lineOf('fields', { fields: { long: 'y'.repeat(20_000) } }),
      lineOf('\ud800 alone'),
    ];
    const bytes = Buffer.from(JSON.stringify({ lease, first_seq: 1, lines: lines.map(readableLine) }));
    t.match(await plane.intake.appendLogs({ encoding: 'json', bytes }), {
      outcome: 'ACCEPTED',
      acked_seq: 5,
    });
    const [nul, long, emoji, fields, lone] = await selectLogs(store.logs, lease.run_id, FROM_START, 10);
    t.match(nul, { message: 'a\u2400b', step_id: 's\u2400' });
    t.same(JSON.parse(nul?.fields_json ?? ''), { 'k\0': 'v\0' });
    t.equal(long?.message, `${'x'.repeat(16_384)}… (cut: 20000 characters)`);
    t.ok(emoji?.message.isWellFormed());
    t.match(JSON.parse(fields?.fields_json ?? ''), { cut: true });
    t.equal(lone?.message, '\ufffd alone');
  },
);

await eachStore(t, 'the log of a deleted run goes with it, and no other', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const [gone, kept] = [await startedRun(plane, executor), await startedRun(plane, executor)];
  for (let first = 1; first <= 12_000; first += 1_000)
    await plane.intake.appendLogs(frameOf(batchOf(gone, first, first + 999)));
  await plane.intake.appendLogs(frameOf(batchOf(kept, 1, 10)));
  await plane.intake.complete(completionOf(gone));
  await plane.runs.remove(gone.run_id, OPERATOR);
  await plane.deletions.deleteAll();
  t.same(await messagesOf(store, gone.run_id), []);
  t.equal((await messagesOf(store, kept.run_id)).length, 10);
  t.equal((await store.logs.selectFrom('run_log_cursors').selectAll().execute()).length, 1);
});

await eachStore(t, 'paging is by attempt and seq, and filters take text as it stands', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor);
  const messages = ['100% done', '100 done', 'a_b', 'aXb', 'back\\slash', 'UPPER'];
  const lines = messages.map((message, index) =>
    lineOf(message, { level: index % 2 === 0 ? 'warn' : 'debug', step_id: index < 3 ? 'one' : 'two' }),
  );
  await plane.intake.appendLogs(frameOf({ lease, first_seq: 1, lines }));
  const found = async (filters: object) =>
    (await selectLogs(store.logs, lease.run_id, { ...FROM_START, ...filters }, 10)).map((row) => row.seq);
  t.same(await found({ q: '100%' }), [1]);
  t.same(await found({ q: 'a_b' }), [3]);
  t.same(await found({ q: '\\' }), [5]);
  t.same(await found({ q: 'upper' }), [6]);
  t.same(await found({ level: 3 }), [1, 3, 5]);
  t.same(await found({ step: 'two', level: 3 }), [5]);
  t.same(await found({ after: { attempt: 1, seq: 4 } }), [5, 6]);
  t.same(await found({ after: { attempt: 2, seq: 0 } }), []);
});

t.test('a writer thread that is killed loses nothing that it has acknowledged (sqlite)', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor);
  if (store.bulkFiles === null) return t.fail('this store has a writer thread');
  const threads: Worker[] = [];
  const startThread = (data: LogThreadData) => {
    const thread = startLogThread(data);
    threads.push(thread);
    return thread;
  };
  const writer = new ThreadLogWriter({ ...store.bulkFiles, limits: LOG_LIMITS }, { ...WRITER, startThread });
  t.teardown(() => writer.close());
  for (let round = 0; round < 4; round++) {
    const first = round * 50 + 1;
    const frames = Array.from({ length: 5 }, (_, n) =>
      frameOf(batchOf(lease, first + n * 10, first + n * 10 + 9)),
    );
    const sent = frames.map((frame) => writer.append(frame));
    const settled = Promise.allSettled(sent);
    if (round % 2 === 1) await sent[0]?.catch(() => undefined);
    await threads.at(-1)?.terminate();
    const results = await settled;
    for (const result of results)
      if (result.status === 'rejected') t.match(result.reason, { code: 'NOT_READY', retryAfterSeconds: 1 });
    await t.rejects(
      writer.append(frames[0] ?? frameOf(batchOf(lease, 1, 1))),
      { code: 'NOT_READY' },
      'none is there',
    );
    for (const frame of frames) await untilTaken(() => writer.append(frame));
  }
  t.equal((await messagesOf(store, lease.run_id)).length, 200);
  await checkLogs(store.logs);
  await writer.close();
  await t.rejects(writer.append(frameOf(batchOf(lease, 201, 201))), { code: 'NOT_READY' });
});

t.test(
  'a writer thread that has nothing to do ends, and the next frame finds another (sqlite)',
  async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const plane = openPlane(t, store);
    const lease = await startedRun(plane, await newExecutor(plane));
    if (store.bulkFiles === null) return t.fail('this store has a writer thread');
    const ends: Promise<unknown>[] = [];
    const startThread = (data: LogThreadData) => {
      const thread = startLogThread(data);
      ends.push(once(thread, 'exit'));
      return thread;
    };
    const data = { ...store.bulkFiles, limits: LOG_LIMITS };
    const writer = new ThreadLogWriter(data, { ...WRITER, startThread, idleMs: 20 });
    t.equal(ends.length, 0, 'none is started before there is a frame');
    for (let round = 0; round < 3; round++) {
      await writer.append(frameOf(batchOf(lease, round * 10 + 1, round * 10 + 10)));
      await ends[round];
    }
    await Promise.all([writer.append(frameOf(batchOf(lease, 31, 40))), writer.close()]);
    t.equal(ends.length, 4);
    await Promise.all(ends);
    t.equal((await messagesOf(store, lease.run_id)).length, 40);
    await checkLogs(store.logs);
  },
);

async function untilTaken(send: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

t.test('two control planes that append to one attempt never interleave (postgres)', async (t) => {
  const settings = await storeSettings(t, 'postgres');
  const [one, two] = await Promise.all([
    openStore(settings, silentLogger),
    openStore(settings, silentLogger),
  ]);
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const plane = openPlane(t, one);
  const executor = await newExecutor(plane);
  const leases = [await startedRun(plane, executor), await startedRun(plane, executor)];
  const writers = [one, two].map((store) => new PooledLogWriter(store, { ...WRITER, limits: LOG_LIMITS }));
  for (let first = 1; first <= 300; first += 10) {
    const frames = leases.map((lease) => frameOf(batchOf(lease, first, first + 9)));
    await Promise.all(writers.flatMap((writer) => frames.map((frame) => writer.append(frame))));
  }
  for (const lease of leases) t.equal((await messagesOf(one, lease.run_id)).length, 300);
  await checkLogs(one.logs);
});

t.test('a store that fails answers NOT_READY (postgres)', async (t) => {
  const store = await openStore(await storeSettings(t, 'postgres'), silentLogger);
  const plane = openPlane(t, store);
  const lease = await startedRun(plane, await newExecutor(plane));
  await store.close();
  await t.rejects(plane.intake.appendLogs(frameOf(batchOf(lease, 1, 1))), { code: 'NOT_READY' });
});

t.test('a run that is gone takes no lines', async (t) => {
  t.equal(judgeLogLease(null, { run_id: 1, attempt: 1, epoch: 1, token: 'a' }, 0), 'RUN_ABSENT');
});
