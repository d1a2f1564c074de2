import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { systemClock } from '../../src/base/clock.ts';
import { ItemHistogram } from '../../src/engine/report/step-meter.ts';
import { runTask } from '../../src/engine/run-task.ts';
import { MEASUREMENTS } from '../../src/metering/measurements.ts';
import { contextOf, createKeeper, inputOf } from './support/task-run.ts';

const TASK = `
version: 1
name: orders
connectors: { files: { type: csv }, store: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: files, method: read }
  - { id: shape, kind: transform, input: read, when: item.n != 3, ops: [{ cast: { n: integer } }] }
  - { id: write, kind: load, input: shape, connector: store, object: rows }
`;

function taskIn(folder: string) {
  writeFileSync(join(folder, 'in.csv'), 'n\n1\n2\n3\n');
  const connectors = {
    files: { type: 'csv', config: { path: 'in.csv' } },
    store: { type: 'sqlite', config: { path: 'out.db' } },
  };
  return { folder, yaml: TASK, connectors };
}

t.test('percentiles of the time per item are those of all items, to within a bucket', async (t) => {
  t.equal(new ItemHistogram().summary(), null);
  const batches = fc.array(
    fc.record({
      items: fc.integer({ min: 1, max: 500 }),
      each: fc.double({ min: 0.0001, max: 100_000, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(batches, (all) => {
      const histogram = new ItemHistogram();
      for (const { items, each } of all) histogram.add(items, items * each);
      const times = all.flatMap(({ items, each }) => Array<number>(items).fill(each)).sort((a, b) => a - b);
      const rank = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0;
      const found = histogram.summary();
      const near = (value: number, wanted: number) => Math.abs(value - wanted) <= wanted * 0.1 + 1e-9;
      return (
        found !== null &&
        near(found.p50, rank(0.5)) &&
        near(found.p95, rank(0.95)) &&
        near(found.max, times.at(-1) ?? 0)
      );
    }),
  );
  const odd = new ItemHistogram();
  odd.add(0, 5);
  odd.add(3, Number.NaN);
  odd.add(3, -1);
  t.equal(odd.summary(), null);
});

t.test('a run tells everything that the table of measurements promises, once', async (t) => {
  const run = taskIn(t.testdir());
  const keeper = createKeeper();
  const outcome = await runTask(inputOf(run), keeper.ports, contextOf(run));
  t.equal(outcome.status, 'success', JSON.stringify(outcome.failure));
  const keyOf = ({ name, tags }: (typeof keeper.metrics)[number]) =>
    [name, tags['step'] ?? tags['connector']].filter(Boolean).join(' ');
  const keys = keeper.metrics.map(keyOf);
  t.same(keys, [...new Set(keys)], 'none twice');
  const told = new Set(keeper.metrics.map(({ name }) => name));
  const running = ['step.in_flight', 'step.rows_in_so_far', 'step.rows_out_so_far'];
  t.same([...told, ...running].sort(), Object.keys(MEASUREMENTS).sort());
  for (const { name, kind, value, tags } of keeper.metrics) {
    t.equal(kind, MEASUREMENTS[name as keyof typeof MEASUREMENTS].kind, name);
    t.ok(Number.isFinite(value) && value >= 0, name);
    t.equal(tags['task'], 'orders');
  }
  const value = (key: string) => keeper.metrics.find((metric) => keyOf(metric) === key)?.value;
  t.equal(value('step.rows_in shape'), 3);
  t.equal(value('step.rows_out shape'), 2);
  t.equal(value('step.skipped shape'), 1);
  t.equal(value('step.in_flight_max read'), 1);
  t.ok((value('step.item_duration_max_ms write') ?? 0) >= (value('step.item_duration_p50_ms write') ?? 1));
  t.ok((value('connector.calls store') ?? 0) >= 3, 'connect, open, write, commit');
});

t.test('while it runs gauges say how it stands, and nothing is counted twice', async (t) => {
  const run = taskIn(t.testdir());
  const keeper = createKeeper();
  const context = contextOf(run);
  const slow = {
    get(type: string) {
      const driver = context.drivers.get(type);
      if (driver === undefined || type !== 'csv') return driver;
      const connect: typeof driver.connect = async (...given) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return driver.connect(...given);
      };
      return { ...driver, connect };
    },
  };
  await runTask(inputOf(run), keeper.ports, {
    ...context,
    drivers: slow,
    clock: systemClock,
    gaugesEveryMs: 20,
  });
  const gauges = keeper.metrics.filter(({ name }) => name === 'step.in_flight' || name.endsWith('_so_far'));
  t.ok(gauges.length > 3);
  t.ok(gauges.every(({ kind }) => kind === 'gauge'));
  t.ok(
    gauges.some(
      ({ name, value, tags }) => name === 'step.in_flight' && tags['step'] === 'read' && value === 1,
    ),
  );
  t.equal(
    keeper.metrics.filter(({ name, tags }) => name === 'step.rows_in' && tags['step'] === 'read').length,
    1,
  );
});
