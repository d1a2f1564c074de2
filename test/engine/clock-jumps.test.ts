import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { runTask } from '../../src/engine/run-task.ts';
import { contextOf, createKeeper, inputOf } from './support/task-run.ts';

const DAY_MS = 86_400_000;

const IDS = `CREATE TABLE ids (id integer PRIMARY KEY, n integer);
INSERT INTO ids WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 100) SELECT i, i FROM s`;
const YAML = `
version: 1
name: jumps
connectors: { source: {type: sqlite}, target: {type: dummy} }
timeout: 10m
steps:
  - { id: read, kind: extract, connector: source, method: list, args: { table: ids }, cursor: {field: id, type: integer}, batch: {size: 10} }
  - id: shape
    kind: transform
    input: read
    ops:
      - lookup: { connector: source, method: list, args: { table: ids }, on: [id], fields: [n], keys_per_call: 10, cache: 0, rate_limit: {limit: 1000} }
  - { id: write, kind: load, input: shape, connector: target, object: all, mode: append }
  - id: each
    kind: foreach
    in_expr: "[1..10]"
    rate_limit: { limit: 1000 }
    steps: [{ id: say, kind: log, message: "{{ item }}" }]
  - { id: end, kind: sleep, duration: 0.01s }
`;

for (const [name, jump] of [
  ['back', -DAY_MS],
  ['ahead', DAY_MS],
] as const)
  t.test(
    `a clock that jumps ${name} with each look neither stops a run nor makes figures negative`,
    async (t) => {
      let at = 1_700_000_000_000;
      const clock = { now: () => (at += jump) };
      const folder = t.testdir({});
      const database = new DatabaseSync(join(folder, 'in.db'));
      database.exec(IDS);
      database.close();
      const source = { type: 'sqlite', config: { path: 'in.db' } };
      const run = { folder, yaml: YAML, connectors: { source, target: { type: 'dummy', config: {} } } };
      const keeper = createKeeper();
      const from = performance.now();
      const outcome = await runTask(inputOf(run), keeper.ports, { ...contextOf(run), clock });
      t.match(outcome, { status: 'success', failure: null, rows_out: 100 });
      t.ok(performance.now() - from < 30_000);
      const figures = keeper.metrics.filter(({ name }) => name.includes('duration'));
      t.ok(figures.length > 5);
      t.strictSame(
        figures.filter(({ value }) => value < 0),
        [],
      );
      t.strictSame(
        keeper.checkpoints.get('read'),
        { value: 100, version: 1 },
        'the cursor is of the rows alone',
      );
    },
  );
