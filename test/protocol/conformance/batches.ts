import { AppError } from '../../../src/base/errors.ts';
import { METRIC_TAGS_MAX, METRIC_TEXT_CHARS_MAX, type Metric } from '../../../src/base/run-report.ts';
import type { LogLine } from '../../../src/protocol/control-plane.ts';
import { eventually } from '../support/recorded-session.ts';
import { rejectsWith } from '../support/rejects-with.ts';
import { logLines } from '../support/samples.ts';
import { leased, type Scenario, stale } from './scenario.ts';

export function batchScenarios(scenario: Scenario): void {
  scenario('log lines arrive as they were sent, dense and once', async (t, plane, client) => {
    const run = await leased(plane);
    const { lease } = run;
    const acks = await Promise.all([
      client.appendLogs({ lease, first_seq: 1, lines: logLines(3) }),
      client.appendLogs({ lease, first_seq: 4, lines: logLines(2, 4) }),
      client.appendLogs({ lease, first_seq: 4, lines: logLines(2, 4) }),
      client.appendLogs({ lease, first_seq: 5, lines: logLines(2, 5) }),
    ]);
    t.same(
      acks.map(({ acked_seq }) => acked_seq),
      [3, 5, 5, 6],
    );
    t.same(
      acks.map(({ outcome }) => outcome),
      ['ACCEPTED', 'ACCEPTED', 'ALREADY_DONE', 'ACCEPTED'],
    );
    t.same(run.lines.slice(0, 3), logLines(3));
    t.equal(run.lines.length, 6);
    t.equal(acks[0]?.window_bytes, 1_000_000);
  });

  scenario('a gap is answered by where to send again from', async (t, plane, client) => {
    const { lease } = await leased(plane);
    await client.appendLogs({ lease, first_seq: 1, lines: logLines(2) });
    const ack = await client.appendLogs({ lease, first_seq: 9, lines: logLines(2) });
    t.same([ack.outcome, ack.acked_seq, ack.resend_from], ['ACCEPTED', 2, 3]);
  });

  scenario('a batch of many lines arrives whole', async (t, plane, client) => {
    const run = await leased(plane);
    const lines = logLines(10_000);
    const ack = await client.appendLogs({ lease: run.lease, first_seq: 1, lines });
    t.equal(ack.acked_seq, 10_000);
    t.same(run.lines.at(-1), lines.at(-1));
  });

  scenario('a batch that is too large is refused alone', async (t, plane, client) => {
    const { lease } = await leased(plane);
    const huge = { ...logLines(1)[0], message: 'x'.repeat(8 * 1024 * 1024) } as LogLine;
    const refused = client.appendLogs({ lease, first_seq: 1, lines: [huge] });
    await rejectsWith(t, refused, 'PAYLOAD_TOO_LARGE');
    const ack = await client.appendLogs({ lease, first_seq: 1, lines: logLines(1) });
    t.equal(ack.acked_seq, 1);
  });

  scenario('writes under an old lease are answered, not stored', async (t, plane, client) => {
    const run = await leased(plane);
    const old = stale(run.lease);
    const ack = await client.appendLogs({ lease: old, first_seq: 1, lines: logLines(1) });
    t.same([ack.outcome, ack.run_id, ack.attempt], ['STALE_LEASE', 1, 1]);
    const metric = await client.reportMetrics({ lease: old, batch_seq: 1, metrics: [] });
    t.equal(metric.outcome, 'STALE_LEASE');
    t.same([run.lines.length, run.metrics.size], [0, 0]);
  });

  scenario('metrics arrive as they were sent; a replay counts once', async (t, plane, client) => {
    const run = await leased(plane);
    const at = 1_700_000_000_000;
    const metrics = [
      { name: 'task.duration_ms', kind: 'timing' as const, value: 12.75, tags: {}, at },
      { name: 'step.rows_out', kind: 'counter' as const, value: 3, tags: { step: 'load' }, at },
      { name: 'pool.size', kind: 'gauge' as const, value: -1, tags: { a: '', b: 'ü' }, at },
    ];
    const batch = { lease: run.lease, batch_seq: 1, metrics };
    const ack = { run_id: 1, attempt: 1, batch_seq: 1 };
    t.same(await client.reportMetrics(batch), { ...ack, outcome: 'ACCEPTED' });
    t.same(await client.reportMetrics(batch), { ...ack, outcome: 'ALREADY_DONE' });
    t.same(run.metrics.get(1), batch);
  });

  scenario('a metric beyond the limits costs its own batch alone', async (t, plane, client) => {
    const run = await leased(plane);
    const long = 'x'.repeat(METRIC_TEXT_CHARS_MAX);
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [i === 0 ? long : `tag_${i}`, long]));
    const widest = { name: long, kind: 'gauge' as const, value: 1, tags: many(METRIC_TAGS_MAX), at: 1 };
    const send = (batch_seq: number, change: Partial<Metric> = {}) =>
      client.reportMetrics({ lease: run.lease, batch_seq, metrics: [widest, { ...widest, ...change }] });
    const changes = [
      { name: `${long}x` },
      { name: '' },
      { tags: many(METRIC_TAGS_MAX + 1) },
      { tags: { [`${long}x`]: '' } },
      { tags: { step: `${long}x` } },
    ];
    for (const [index, change] of changes.entries()) {
      const beside = send(2 * index + 1);
      await rejectsWith(t, send(2 * index + 2, change), 'VALIDATION_ERROR');
      t.match(await beside, { outcome: 'ACCEPTED' });
    }
    t.same([...run.metrics.keys()], [1, 3, 5, 7, 9]);
    t.same(run.metrics.get(9)?.metrics, [widest, widest], 'whole');
  });

  scenario('a failure rejects, and the same batch can be sent again', async (t, plane, client) => {
    const run = await leased(plane);
    let left = 1;
    plane.before = (operation) => {
      if (operation === 'appendLogs' && left-- > 0) throw new AppError('NOT_READY', 'busy');
    };
    const batch = { lease: run.lease, first_seq: 1, lines: logLines(2) };
    await rejectsWith(t, client.appendLogs(batch), 'NOT_READY');
    t.equal((await client.appendLogs(batch)).acked_seq, 2);
  });

  scenario(
    'batches that a broken connection leaves unanswered reject as NOT_READY',
    async (t, plane, client, server) => {
      const run = await leased(plane);
      const gate = Promise.withResolvers<void>();
      plane.before = (operation) => (operation === 'appendLogs' ? gate.promise : undefined);
      const batch = (first_seq: number) => ({ lease: run.lease, first_seq, lines: logLines(1, first_seq) });
      const promises = [1, 2, 3].map((first_seq) => client.appendLogs(batch(first_seq)));
      const settled = Promise.all(promises.map((promise) => rejectsWith(t, promise, 'NOT_READY')));
      await eventually('the calls', () => plane.calls.includes('appendLogs'));
      server.breakConnections();
      await settled;
      plane.before = () => undefined;
      gate.resolve();
      const acks = await Promise.all([1, 2, 3].map((first_seq) => client.appendLogs(batch(first_seq))));
      t.equal(acks[2]?.acked_seq, 3);
      t.equal(run.lines.length, 3, 'sent again, stored once');
    },
  );
}
