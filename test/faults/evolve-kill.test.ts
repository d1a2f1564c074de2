// Long list: it kills processes, or cuts what they rely on; quick: test/engine/load-wider-types.test.ts, test/drivers/postgres/faults.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { execute, never, rowsOf } from '../drivers/sql/engines.ts';
import { onEachDatabase } from '../engine/support/sql-targets.ts';
import { runYaml } from '../engine/support/task-run.ts';
import { fewOrMany, oneIn } from '../support/fault-list.ts';
import { seeded } from '../support/seed.ts';

/*
 * A run is killed after a load gave a column a wider type and before the load has committed: the table has its old rows, or all of
 * the new ones, and the next attempt finds a table that it can load into.
 */

const KILLS = fewOrMany(2, 2);
/** Each database takes one mode of so many, another than its neighbours, and others each time. */
const MODES_APART = oneIn(3, 2);
const ROWS = 20_000;
const OLD = 100;
/** The row, in the middle, that needs the wider type. */
const LARGE = ROWS / 2;

const FILES = {
  'in.csv': `id,v\n${Array.from({ length: ROWS }, (_, i) => `${i + 1},${i === LARGE ? 3_000_000_000.5 : 1}`).join('\n')}\n`,
};

const MODES = [
  { keys: 'mode: append', rows: OLD + ROWS },
  { keys: 'mode: merge, key: [id]', rows: OLD + ROWS },
  { keys: 'mode: replace', rows: ROWS },
];

t.setTimeout(900_000);

let nextMode = seeded(t).upTo(MODES_APART);

onEachDatabase(t, FILES, async (t, { connector: target, connection: c }, folder) => {
  const { random } = seeded(t);
  let runs = 0;
  const connectors = { source: { type: 'csv', config: { path: 'in.csv' } }, target };
  const prepare = () =>
    execute(
      c,
      'DROP TABLE IF EXISTS items',
      'CREATE TABLE items (id integer PRIMARY KEY, v integer)',
      `INSERT INTO items VALUES ${Array.from({ length: OLD }, (_, i) => `(${-1 - i}, 7)`).join(', ')}`,
    );
  const count = async () => {
    const [row] = await rowsOf(c, 'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM items');
    return { n: Number(row?.['n']), ids: Number(row?.['ids']) };
  };
  const typeOf = async () => (await c.describe('items', never)).find(({ name }) => name === 'v')?.type;

  const first = nextMode++;
  for (const { keys, rows } of MODES.filter((_, index) => (index + first) % MODES_APART === 0)) {
    const yaml = `
version: 1
name: items
connectors: { source: {type: csv}, target: {type: ${target.type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {typed: false} }
  - { id: write, kind: load, input: read, connector: target, object: items, batch: {size: 500}, schema: {types: evolve}, ${keys} }
`;
    t.test(`${keys}: killed between the wider type and the commit`, async (t) => {
      let killedInTime = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        await prepare();
        const run = { folder, yaml, connectors, input: { run: { id: ++runs, attempt: 1 } } };
        const file = join(folder, 'run.json');
        writeFileSync(file, JSON.stringify({ ...run, tellsLogs: true }));
        const main = join(import.meta.dirname, '../support/run-task-main.ts');
        const child = spawn(process.execPath, [main, file], { stdio: ['ignore', 'pipe', 'inherit'] });
        const ended = once(child, 'exit');
        const lines: string[] = [];
        for await (const line of createInterface(child.stdout)) {
          lines.push(line);
          if (!line.includes('"v" of "items" becomes')) continue;
          // The first comes right behind the ALTER.
          await delay(kill === 0 ? 0 : random() * 300);
          child.kill('SIGKILL');
        }
        await ended;
        t.ok(
          lines.some((line) => line.includes('becomes')),
          'the column was about to change',
        );
        if (child.signalCode === 'SIGKILL') killedInTime += 1;
        const left = await count();
        t.ok(left.n === OLD || left.n === rows, `the target shows ${JSON.stringify(left)}`);
        if (left.n === OLD && target.type !== 'mysql')
          t.equal(await typeOf(), 'integer', 'its type is as before');
        for (const attempt of [2, 3]) {
          const { status, failure } = await runYaml({ ...run, input: { run: { id: runs, attempt } } });
          t.equal(status, 'success', failure?.message ?? '');
          t.same(await count(), { n: rows, ids: rows }, 'no row is lost or there twice');
        }
        t.equal(await typeOf(), 'decimal');
        const [large] = await rowsOf(c, `SELECT v FROM items WHERE id = ${LARGE + 1}`);
        t.equal(Number(large?.['v']), 3_000_000_000.5, 'the value that needed it');
      }
      t.ok(killedInTime > 0, 'some were killed before they had ended');
      const tables = await c.listResources(never);
      t.same(
        tables.map(({ name }) => name),
        ['items'],
        'nothing is left beside the table',
      );
    });
  }
});
