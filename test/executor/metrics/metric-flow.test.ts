import t from 'tap';
import type { Metric } from '../../../src/base/run-report.ts';
import { Backoff } from '../../../src/executor/link/backoff.ts';
import { MetricFlow } from '../../../src/executor/metrics/metric-flow.ts';

t.test('a metric that control planes would refuse is cut, so that its batch arrives', async (t) => {
  const sent: Metric[] = [];
  const flow = new MetricFlow({
    clock: { now: () => 1 },
    batchMax: 10,
    heldMax: 100,
    flushMs: 1_000,
    newBackoff: () => new Backoff({ minMs: 1, maxMs: 2, random: () => 0 }),
  });
  const send = async ({ metrics }: { readonly metrics: readonly Metric[] }) => sent.push(...metrics) > 0;
  flow.route('copy', [{ send, release: () => undefined }]);
  const tags = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`tag_${i}`, 'x'.repeat(300)]));
  const good: Metric = { name: 'step.rows_out', kind: 'counter', value: 3, tags: { step: 'load' }, at: 1 };
  flow.add([good, { ...good, name: 'n'.repeat(300), tags }]);
  await flow.flush();
  flow.stop();
  t.equal(sent[0], good);
  t.equal(sent[1]?.name, 'n'.repeat(200));
  const kept = Object.entries(sent[1]?.tags ?? {});
  t.equal(kept.length, 32);
  t.same(kept.at(-1), ['tag_31', 'x'.repeat(200)]);
});
