import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { postgresDriver } from '../../src/drivers/postgres/driver.ts';
import { contextOf, execute, rowsOf } from '../drivers/sql/engines.ts';
import { fewOrAll } from '../support/fault-list.ts';
import { createDatabase } from '../support/postgres.ts';
import { seeded } from '../support/seed.ts';

/*
 * A run with parts is killed at random moments and tried again, until an attempt may end: the target has each row once, or is as it was
 * before, and no part that was staged is read again.
 */

const RUNS = fewOrAll(1, 8);
const KILLS = fewOrAll(2, 3);
/** One mode of so many, others at each run. */
const MODES_APART = fewOrAll(2, 1);
const ROWS = 16_000;
const PARTS = 8;

const { url } = await createDatabase(t);
const folder = t.testdir({});
const connector = { type: 'postgres', config: { url } };
const db = await postgresDriver.connect(connector.config, contextOf(folder));
t.teardown(() => db.close());
t.setTimeout(1_800_000);

interface Outcome {
  readonly status: string;
  readonly rows_in: number;
  readonly rows_out: number;
}

const count = async (sql: string) => Number((await rowsOf(db, `SELECT ${sql} AS n`))[0]?.['n']);

/** Another session may still be committing for a process that is gone. */
async function settled(): Promise<void> {
  const busy = `(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL)`;
  while ((await count(busy)) > 0) await delay(20);
}

async function stageRows(): Promise<number> {
  const stages = await rowsOf(
    db,
    `SELECT relname AS name FROM pg_class WHERE relname LIKE '\\_headgate\\_parts\\_%' AND relkind = 'r'`,
  );
  if (stages.length > 1) throw new Error('There is more than one stage');
  return stages[0] === undefined ? 0 : count(`(SELECT count(*) FROM "${stages[0]['name']}")`);
}

/** Rows that came, rows of before, and rows that are there twice. */
async function shown(): Promise<readonly number[]> {
  return [
    await count('(SELECT count(*) FROM dst WHERE n > 0)'),
    await count('(SELECT count(*) FROM dst WHERE n < 0)'),
    await count('(SELECT count(*) - count(DISTINCT id) FROM dst WHERE n > 0)'),
  ];
}

/** An attempt in a process of its own; null where it was killed before it had ended. */
async function attempt(file: string, killAfterMs: number | null): Promise<Outcome | null> {
  const main = join(import.meta.dirname, '../support/run-task-main.ts');
  const child = spawn(process.execPath, [main, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  const exit = once(child, 'exit');
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await once(child.stdout, 'data');
  if (killAfterMs !== null) {
    await Promise.race([delay(killAfterMs), exit]);
    child.kill('SIGKILL');
  }
  await exit;
  await settled();
  const line = text.split('\n')[1] ?? '';
  return line === '' ? null : (JSON.parse(line) as Outcome);
}

const CASES = [
  { load: 'mode: append', old: [[1, -1]], after: [ROWS, 1, 0] },
  { load: 'mode: replace', old: [[1, -1]], after: [ROWS, 0, 0] },
  { load: 'mode: truncate_insert', old: [[1, -1]], after: [ROWS, 0, 0] },
  {
    load: 'mode: merge, key: [id]',
    old: [
      [5, -1],
      [ROWS * 2, -1],
    ],
    after: [ROWS, 1, 0],
  },
];

t.before(() =>
  execute(
    db,
    'CREATE TABLE src (id bigint PRIMARY KEY, n integer NOT NULL)',
    `INSERT INTO src SELECT i, i FROM generate_series(1, ${ROWS}) AS i`,
  ),
);

let killed = 0;
let kept = 0;
let runs = 0;

const first = seeded(t).upTo(MODES_APART);

for (const { load, old, after } of CASES.filter((_, index) => (index + first) % MODES_APART === 0))
  t.test(`${load}: killed among its parts, and tried again`, async (t) => {
    const { random } = seeded(t);
    const yaml = `
version: 1
name: copy
connectors: { db: {type: postgres} }
steps:
  - { id: read, kind: extract, connector: db, method: list, args: {table: src}, batch: {size: 100}, partition: {by: id, parts: ${PARTS}, concurrency: 2} }
  - { id: write, kind: load, input: read, connector: db, object: dst, ${load} }
`;
    const file = join(folder, 'run.json');
    const checkpoints = join(folder, 'checkpoints.json');
    let lengthMs = 600;
    for (let run = 0; run < RUNS; run += 1) {
      const id = ++runs;
      const key = load.includes('merge') ? 'PRIMARY KEY' : '';
      await execute(
        db,
        'DROP TABLE IF EXISTS dst',
        `CREATE TABLE dst (id bigint ${key}, n integer)`,
        `INSERT INTO dst VALUES ${old.map((row) => `(${row.join(', ')})`).join(', ')}`,
      );
      rmSync(checkpoints, { force: true });
      const before = await shown();
      const start = (number: number, killAfterMs: number | null) => {
        const input = { run: { id, attempt: number } };
        writeFileSync(
          file,
          JSON.stringify({ folder, yaml, connectors: { db: connector }, input, checkpoints }),
        );
        return attempt(file, killAfterMs);
      };
      for (let kill = 1; kill <= KILLS; kill += 1) {
        if ((await start(kill, random() * lengthMs)) === null) killed += 1;
        const left = JSON.stringify(await shown());
        t.ok(
          [before, after].some((state) => JSON.stringify(state) === left),
          `the target shows ${left}`,
        );
      }
      const staged = await stageRows();
      const isLoaded = JSON.stringify(await shown()) === JSON.stringify(after);
      if (staged > 0) kept += 1;
      const from = performance.now();
      const last = await start(KILLS + 1, null);
      if (staged === 0 && !isLoaded) lengthMs = performance.now() - from;
      t.match(last, { status: 'success', rows_out: ROWS });
      t.equal(
        last?.rows_in,
        isLoaded ? 0 : ROWS - staged,
        `${staged} rows were staged, and are not read again`,
      );
      t.strictSame(await shown(), after, 'each row once');
      t.equal(await count(`(SELECT count(*) FROM pg_class WHERE relname LIKE '\\_headgate\\_parts\\_%')`), 0);
    }
  });

t.test('some of them were killed before they had ended', async (t) => {
  t.ok(killed > 0, `${killed} killed, ${kept} with parts that were kept`);
});
