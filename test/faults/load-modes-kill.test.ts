// Long list: it kills processes, or cuts what they rely on; quick: test/engine/load-modes.test.ts, test/drivers/postgres/faults.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { Connection } from '../../src/drivers/driver.ts';
import { execute, rowsOf } from '../drivers/sql/engines.ts';
import { onEachDatabase } from '../engine/support/sql-targets.ts';
import { runYaml } from '../engine/support/task-run.ts';
import { fewOrMany, oneIn } from '../support/fault-list.ts';
import { seeded } from '../support/seed.ts';

/* A run is killed at a random moment of its load, and run again: each mode shows all of its rows or none, and none twice. */

const KILLS = fewOrMany(1, 1);
/** Each database takes one mode of so many, another than its neighbours, and others each time. */
const MODES_APART = oneIn(9, 2);
/** Rows that come, with ids from 1. */
const ROWS = 10_000;
/** Rows that are there, with ids from half of it on. */
const OLD = 7_500;

const csvOf = (count: number, row: (index: number) => string) =>
  `id,v\n${Array.from({ length: count }, (_, i) => row(i)).join('\n')}\n`;
const FILES = {
  'in.csv': csvOf(ROWS, (i) => `${i + 1},${i % 7}`),
  'old.csv': csvOf(OLD, (i) => `${ROWS / 2 + 1 + i},-1`),
};

interface Case {
  /** Of the load. */
  readonly keys: string;
  /** What the table holds after the load: rows, and those of them that came. */
  readonly after: { readonly rows: number; readonly came: number };
}

const BOTH = OLD + ROWS / 2;
const CASES: readonly Case[] = [
  { keys: 'mode: append', after: { rows: OLD + ROWS, came: ROWS } },
  { keys: 'mode: replace', after: { rows: ROWS, came: ROWS } },
  { keys: 'mode: truncate_insert', after: { rows: ROWS, came: ROWS } },
  { keys: 'mode: merge, key: [id]', after: { rows: BOTH, came: ROWS } },
  { keys: 'mode: merge, key: [id], on_error: skip', after: { rows: BOTH, came: ROWS } },
  { keys: 'mode: insert_only, key: [id]', after: { rows: BOTH, came: ROWS / 2 } },
  { keys: 'mode: delete, key: [id]', after: { rows: OLD - ROWS / 2, came: 0 } },
  { keys: 'mode: merge, key: [id], delete_missing: hard', after: { rows: ROWS, came: ROWS } },
  { keys: 'mode: scd2, key: [id], delete_missing: soft', after: { rows: OLD + ROWS, came: ROWS } },
];

/** The table as it was before the load; rows of before have a v of -1. */
async function fill(c: Connection, keys: string): Promise<void> {
  await execute(
    c,
    'DROP TABLE IF EXISTS items',
    `CREATE TABLE items (id integer ${keys.includes('append') ? '' : 'PRIMARY KEY'}, v integer)`,
    `INSERT INTO items VALUES ${Array.from({ length: OLD }, (_, i) => `(${ROWS / 2 + 1 + i}, -1)`).join(', ')}`,
  );
}

async function stateOf(c: Connection): Promise<Case['after']> {
  const sql = 'SELECT count(*) AS n, sum(CASE WHEN v >= 0 THEN 1 ELSE 0 END) AS came FROM items';
  const [row] = await rowsOf(c, sql);
  return { rows: Number(row?.['n']), came: Number(row?.['came']) };
}

t.setTimeout(1_800_000);

let nextMode = seeded(t).upTo(MODES_APART);

onEachDatabase(t, FILES, async (t, { connector: target, connection: c }, folder) => {
  const { random } = seeded(t);
  let runs = 0;
  const first = nextMode++;
  for (const { keys, after } of CASES.filter((_, index) => (index + first) % MODES_APART === 0)) {
    const yaml = `
version: 1
name: items
connectors: { source: {type: csv}, target: {type: ${target.type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: items, batch: {size: 1000}, ${keys} }
`;
    const connectors = { source: { type: 'csv', config: { path: 'in.csv' } }, target };
    const fillFor = async () => {
      if (!keys.includes('scd2')) return fill(c, keys);
      await execute(c, 'DROP TABLE IF EXISTS items');
      const old = { ...connectors, source: { type: 'csv', config: { path: 'old.csv' } } };
      await runYaml({ folder, yaml, connectors: old, input: { run: { id: ++runs, attempt: 1 } } });
    };
    t.test(`${keys}: killed at any moment, the load is there as a whole or not at all`, async (t) => {
      // How long it takes here and now, so that kills fall into all of it.
      await fillFor();
      const from = performance.now();
      await runYaml({ folder, yaml, connectors, input: { run: { id: ++runs, attempt: 1 } } });
      const lengthMs = performance.now() - from;
      t.same(await stateOf(c), after);
      for (let kill = 0; kill < KILLS; kill += 1) {
        await fillFor();
        const before = await stateOf(c);
        const run = { folder, yaml, connectors, input: { run: { id: ++runs, attempt: 1 } } };
        const file = join(folder, 'run.json');
        writeFileSync(file, JSON.stringify(run));
        const main = join(import.meta.dirname, '../support/run-task-main.ts');
        const child = spawn(process.execPath, [main, file], { stdio: ['ignore', 'pipe', 'inherit'] });
        await once(child.stdout, 'data');
        // A process that has just started is slower.
        await delay(random() * lengthMs * 2);
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        const left = await stateOf(c);
        t.ok(
          [before, after].some((state) => JSON.stringify(state) === JSON.stringify(left)),
          `the target shows ${JSON.stringify(left)}`,
        );
        for (const attempt of [2, 3]) {
          const { status } = await runYaml({ ...run, input: { run: { id: runs, attempt } } });
          t.equal(status, 'success');
          t.same(await stateOf(c), after, 'and the next attempt loads what is missing');
        }
      }
      const tables = await c.listResources(new AbortController().signal);
      t.same(
        tables.map(({ name }) => name),
        ['items'],
        'nothing is left beside the table',
      );
    });
  }
});
