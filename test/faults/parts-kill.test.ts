// Long list: it kills processes, or cuts what they rely on; quick: test/engine/partition/part-faults.test.ts.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { contextOf, execute, rowsOf } from '../drivers/sql/engines.ts';
import { partEngines } from '../engine/partition/support/part-engines.ts';
import { fewOrAll, fewOrMany, oneIn } from '../support/fault-list.ts';
import { seeded } from '../support/seed.ts';
import { attemptTask } from '../support/task-attempt.ts';

/*
 * A run with parts is killed at random moments and tried again, until an attempt may end: the target has each row once, or is as it was
 * before, and no part that was staged is read again.
 */

const RUNS = fewOrMany(1, 1);
const KILLS = fewOrAll(2, 3);
/** More runs where none was killed in time: how long one takes is known only then. */
const RUNS_MAX = RUNS + 6;
/** Each engine takes one mode of so many, another each time. */
const MODES_APART = oneIn(4, 2);
const ROWS = 16_000;
const PARTS = 8;

t.setTimeout(1_800_000);

interface Outcome {
  readonly status: string;
  readonly rows_in: number;
  readonly rows_out: number;
}

/** Null where it was killed before it had ended. */
async function attempt(file: string, killAfterMs: number | null): Promise<Outcome | null> {
  const line = await attemptTask(file, killAfterMs === null ? null : { afterMs: killAfterMs });
  return line === '' ? null : (JSON.parse(line) as Outcome);
}

interface Case {
  readonly load: string;
  /** Rows that are there before. */
  readonly old: readonly (readonly number[])[];
  /** What is to be seen after it, as `shown` has it. */
  readonly after: readonly number[];
}

const CASES: readonly Case[] = [
  { load: 'mode: append', old: [[1, -1]], after: [ROWS, 1, 0] },
  { load: 'mode: replace', old: [[1, -1]], after: [ROWS, 0, 0] },
  { load: 'mode: truncate_insert', old: [[1, -1]], after: [ROWS, 0, 0] },
  {
    load: 'mode: merge, key: [id]',
    old: [
      [4, -1],
      [ROWS * 2, -1],
    ],
    after: [ROWS, 1, 0],
  },
];

for (const engine of partEngines)
  t.test(engine.driver.title, { skip: engine.skip }, async (t) => {
    const { driver, stages } = engine;
    const folder = t.testdir({});
    const connector = { type: driver.type, config: await engine.create(t, folder) };
    const db = await driver.connect(connector.config, contextOf(folder));
    t.teardown(() => db.close());
    await execute(db, `CREATE TABLE src (${engine.columns})`, `INSERT INTO src ${engine.rows(ROWS)}`);
    const count = async (sql: string) => Number((await rowsOf(db, `SELECT ${sql} AS n`))[0]?.['n']);
    const file = join(folder, 'run.json');
    const checkpoints = join(folder, 'checkpoints.json');
    let runs = 0;
    let killed = 0;
    let kept = 0;

    /** Another session may still be committing for a process that is gone. */
    async function settled(): Promise<void> {
      const { busy } = engine;
      while (busy !== null && Number((await rowsOf(db, busy))[0]?.['n']) > 0) await delay(20);
    }

    async function stageRows(): Promise<number> {
      const found = await rowsOf(db, stages);
      if (found.length > 1) throw new Error('There is more than one stage');
      return found[0] === undefined ? 0 : count(`(SELECT count(*) FROM ${found[0]['name']})`);
    }

    /** Rows that came, rows of before, and rows that are there twice. */
    const shown = async (): Promise<readonly number[]> => [
      await count('(SELECT count(*) FROM dst WHERE n > 0)'),
      await count('(SELECT count(*) FROM dst WHERE n < 0)'),
      await count('(SELECT count(*) - count(DISTINCT id) FROM dst WHERE n > 0)'),
    ];

    async function killAndTryAgain(t: Test, { load, old, after }: Case, random: () => number): Promise<void> {
      const yaml = `
version: 1
name: copy
connectors: { db: {type: ${driver.type}} }
steps:
  - { id: read, kind: extract, connector: db, method: list, args: {table: src, columns: [id, n]}, batch: {size: 100}, partition: {by: id, parts: ${PARTS}, concurrency: 2} }
  - { id: write, kind: load, input: read, connector: db, object: dst, ${load} }
`;
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
      const start = async (number: number, killAfterMs: number | null) => {
        const input = { run: { id, attempt: number } };
        writeFileSync(
          file,
          JSON.stringify({ folder, yaml, connectors: { db: connector }, input, checkpoints }),
        );
        const outcome = await attempt(file, killAfterMs);
        await settled();
        return outcome;
      };
      for (let kill = 1; kill <= KILLS; kill += 1) {
        if ((await start(kill, random() * lengthMs)) === null) killed += 1;
        else if (kill === 1) lengthMs /= 2;
        const left = JSON.stringify(await shown());
        t.ok(
          [before, after].some((state) => JSON.stringify(state) === left),
          `the target shows ${left}`,
        );
      }
      const isLoaded = JSON.stringify(await shown()) === JSON.stringify(after);
      const staged = isLoaded ? 0 : await stageRows();
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
      t.equal((await rowsOf(db, stages)).length, 0);
    }

    let lengthMs = 600;
    for (const one of seeded(t).someOf(CASES, MODES_APART))
      await t.test(`${one.load}: killed among its parts, and tried again`, async (t) => {
        const { random } = seeded(t);
        for (let run = 0; run < RUNS || (killed === 0 && run < RUNS_MAX); run += 1)
          await killAndTryAgain(t, one, random);
      });
    await t.test('some of them were killed before they had ended', async (t) => {
      t.ok(killed > 0, `${killed} killed, ${kept} with parts that were kept`);
    });
  });
