import t from 'tap';
import type { ServerCounter } from '../../../src/base/server-meter.ts';
import { LOG_LIMITS, LOG_WINDOW_BYTES_MAX } from '../../../src/modules/run-logs/run-log-limits.ts';
import { LogRate } from '../../../src/modules/run-logs/run-log-rate.ts';
import { selectLogCursors, selectLogs } from '../../../src/modules/run-logs/run-log-store.ts';
import { eachStore } from '../../support/stores.ts';
import { batchOf, frameOf, lineOf, newExecutor, openPlane, startedRun } from '../runs/plane.ts';

const FROM_START = { after: { attempt: 0, seq: 0 } };

await eachStore(
  t,
  'over its quota a run gets one note and a count, and others nothing of it',
  async (t, store) => {
    const counts = new Map<ServerCounter, number>();
    const meter = {
      count: (name: ServerCounter, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by),
      observe: () => undefined,
    };
    const plane = openPlane(t, store, { meter, limits: { ...LOG_LIMITS, runBytesMax: 10_000 } });
    const executor = await newExecutor(plane);
    const [loud, calm] = [await startedRun(plane, executor), await startedRun(plane, executor)];
    const lines = Array.from({ length: 30 }, (_, index) => lineOf(`${index + 1} ${'x'.repeat(1_000)}`));
    t.match(await plane.intake.appendLogs(frameOf({ lease: loud, first_seq: 1, lines })), {
      outcome: 'ACCEPTED',
      acked_seq: 30,
    });
    t.match(await plane.intake.appendLogs(frameOf(batchOf(loud, 31, 40))), { acked_seq: 40 });
    t.match(await plane.intake.appendLogs(frameOf(batchOf(loud, 35, 40))), { outcome: 'ALREADY_DONE' });
    const kept = await selectLogs(store.logs, loud.run_id, FROM_START, 100);
    t.equal(kept.length, 10);
    t.match(kept.at(-1), { seq: 10, level: 3, message: /over its quota of 10000 bytes/ });
    t.match(await selectLogCursors(store.logs, loud.run_id), [{ acked_seq: 40, dropped: 31, pruned_seq: 0 }]);
    await plane.intake.appendLogs(frameOf(batchOf(calm, 1, 20)));
    t.equal((await selectLogs(store.logs, calm.run_id, FROM_START, 100)).length, 20);
    t.equal(counts.get('log_lines_dropped'), 31);
    t.equal(counts.get('log_lines'), 9 + 20);
    t.ok((counts.get('log_bytes') ?? 0) > 30_000);
  },
);

await eachStore(t, 'a run that ignores its window is told to wait, and no other run is', async (t, store) => {
  const limits = { runBytesMax: 1e9, bytesPerSecond: 1_000, burstBytes: 500_000 };
  const plane = openPlane(t, store, { limits });
  const executor = await newExecutor(plane);
  const [loud, calm] = [await startedRun(plane, executor), await startedRun(plane, executor)];
  const lines = Array.from({ length: 60 }, () => lineOf('x'.repeat(15_000)));
  let seq = 1;
  let window = Number.POSITIVE_INFINITY;
  let refused: unknown = null;
  for (let sent = 0; sent < 12 && refused === null; sent++) {
    try {
      const ack = await plane.intake.appendLogs(frameOf({ lease: loud, first_seq: seq, lines }));
      t.ok(ack.window_bytes <= window, 'the window only shrinks');
      window = ack.window_bytes;
      seq = ack.acked_seq + 1;
    } catch (error) {
      refused = error;
    }
  }
  t.equal(window, 0);
  t.match(refused, { code: 'RATE_LIMITED' });
  t.ok((refused as { retryAfterSeconds: number }).retryAfterSeconds > 60);
  t.match(await plane.intake.appendLogs(frameOf(batchOf(calm, 1, 5))), { outcome: 'ACCEPTED', acked_seq: 5 });
});

t.test('the allowance fills at its rate and never beyond the burst', async (t) => {
  const rate = new LogRate({ runBytesMax: 0, bytesPerSecond: 1_000, burstBytes: LOG_WINDOW_BYTES_MAX });
  t.equal(rate.take(1, LOG_WINDOW_BYTES_MAX, 0), 0);
  t.equal(rate.windowOf(1), 0);
  t.equal(rate.take(1, LOG_WINDOW_BYTES_MAX, 0), 0, 'what was on the way already');
  t.equal(rate.take(1, 1, 0), Math.ceil(LOG_WINDOW_BYTES_MAX / 1_000));
  t.equal(rate.take(1, 1, 1_000), 0, 'a probe is taken once a little has come in');
  t.equal(rate.take(1, 0, 1e9), 0);
  t.equal(rate.windowOf(1), LOG_WINDOW_BYTES_MAX);
  t.equal(rate.windowOf(2), LOG_WINDOW_BYTES_MAX, 'of a run that never logged');
});
