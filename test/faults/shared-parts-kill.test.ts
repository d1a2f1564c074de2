// Long list: it kills processes, or cuts what they rely on; quick: test/modules/runs/run-parts.test.ts, test/modules/executor-callbacks/parts-route.test.ts.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { execute } from '../drivers/sql/engines.ts';
import { fewOrAll, fewOrMany } from '../support/fault-list.ts';
import { killHard, partsWorld } from '../support/parts-world.ts';
import { seeded } from '../support/seed.ts';

/*
 * Two executors share a run, and one after another is killed at a random moment with its runners, whether it divides the run or helps;
 * a new one takes its place. The target has each row once, or what it had before.
 */

const ROWS = 8_000;
const RUNS = fewOrMany(1, 1);
const KILLS = fewOrAll(2, 4);
/** Fewer kills may miss every part. */
const KILLS_SURE = 4;
const SPAN_MS = 2_500;

t.setTimeout(3_600_000);

const world = await partsWorld(t, ROWS);
const { db, executor, start, end, isCopied, parts, count } = world;

const CASES = [
  { load: 'mode: append', old: [0, -1], kept: 1 },
  { load: 'mode: replace', old: [0, -1], kept: 0 },
  { load: 'mode: merge, key: [id]', old: [ROWS * 2, -1], kept: 1 },
].slice(0, fewOrAll(1, 3));

let names = 0;
let taken = 0;
const another = () => executor(`e${++names}`);
const executors = [await another(), await another()];

for (const { load, old, kept } of CASES)
  t.test(`${load}: executors are killed while they share a run`, async (t) => {
    const { random } = seeded(t);
    for (let at = 0; at < RUNS; at += 1) {
      await execute(
        db,
        'DROP TABLE IF EXISTS dst',
        `CREATE TABLE dst (id bigint ${load.includes('merge') ? 'PRIMARY KEY' : ''}, n integer)`,
        `INSERT INTO dst VALUES (${old.join(', ')})`,
      );
      const { id } = await start({ partition: '{by: id, parts: 8, concurrency: 1}', load, batch: 20 });
      for (let kill = 0; kill < KILLS; kill += 1) {
        await delay(random() * SPAN_MS);
        const victim = random() < 0.5 ? 0 : 1;
        const [old] = executors.splice(victim, 1);
        if (old !== undefined) await killHard(old);
        const there = await count('(SELECT count(*) FROM dst WHERE n > 0)');
        t.ok(there === 0 || there === ROWS, `${there} rows are to be seen`);
        executors.push(await another());
      }
      t.match(await end(id), { status: 'success', items: { out: ROWS } });
      await isCopied(t, kept);
      taken += (await parts(id)).filter(({ attempts }) => attempts > 1).length;
    }
  });

t.test('some parts were taken again', async (t) => {
  t.ok(taken > 0 || KILLS < KILLS_SURE, `${taken} parts`);
});
