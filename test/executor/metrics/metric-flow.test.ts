import t from 'tap';
import type { Metric } from '../../../src/base/run-report.ts';
import { Backoff } from '../../../src/executor/link/backoff.ts';
import { MetricFlow } from '../../../src/executor/metrics/metric-flow.ts';
import { createTestClock } from '../../support/clock.ts';

const metric = (name: string): Metric => ({ name, kind: 'counter', value: 1, tags: {}, at: 1 });

/** A flow with room for three metrics, and what one destination of it gets. */
function openFlow() {
  const clock = createTestClock();
  const flow = new MetricFlow({
    clock,
    batchMax: 10,
    heldMax: 3,
    flushMs: 1_000,
    newBackoff: () => new Backoff({ minMs: 1, maxMs: 1, random: () => 0 }),
  });
  const got: Metric[] = [];
  const send = async ({ metrics }: { readonly metrics: readonly Metric[] }) => {
    got.push(...metrics);
    return true;
  };
  const route = () => flow.route('orders', [{ send, release: () => undefined }]);
  const names = async () => {
    await flow.flush();
    flow.stop();
    return got.map(({ name }) => name);
  };
  return { flow, clock, route, got, names };
}

t.test('the end of a task is measured once: by its run, or for one that could not', async (t) => {
  const own = openFlow();
  own.route();
  own.flow.add([metric('task.duration_ms'), metric('task.items_out')]);
  own.flow.end({ status: 'success', rows_out: 3 });
  t.same(await own.names(), ['task.duration_ms', 'task.items_out']);
  const killed = openFlow();
  killed.route();
  killed.clock.advance(40);
  killed.flow.end({ status: 'error', rows_out: 0 });
  t.same(await killed.names(), ['task.duration_ms', 'task.items_out']);
  t.match(killed.got[0], { value: 40, tags: { task: 'orders', status: 'error' } });
});

t.test('what comes before it is known where to send it waits, and what has no room is counted', async (t) => {
  const { flow, route, names } = openFlow();
  flow.add(['a', 'b'].map(metric));
  flow.add(['c', 'd', 'e'].map(metric));
  t.equal(flow.dropped, 2);
  route();
  t.same(await names(), ['a', 'b', 'c']);
  t.equal(flow.dropped, 2);
});

t.test('a metric that control planes would refuse is cut, so that its batch arrives', async (t) => {
  const { flow, route, got } = openFlow();
  route();
  const tags = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`tag_${i}`, 'x'.repeat(300)]));
  const good: Metric = { name: 'step.rows_out', kind: 'counter', value: 3, tags: { step: 'load' }, at: 1 };
  flow.add([good, { ...good, name: 'n'.repeat(300), tags }]);
  await flow.flush();
  flow.stop();
  t.equal(got[0], good);
  t.equal(got[1]?.name, 'n'.repeat(200));
  const kept = Object.entries(got[1]?.tags ?? {});
  t.equal(kept.length, 32);
  t.same(kept.at(-1), ['tag_31', 'x'.repeat(200)]);
});
