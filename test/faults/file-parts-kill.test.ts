// Long list: it kills processes, or cuts what they rely on; quick: test/engine/partition/file-parts.test.ts.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { execute } from '../drivers/sql/engines.ts';
import { fewOrAll, fewOrMany } from '../support/fault-list.ts';
import { createBucket, withoutS3 } from '../support/object-storage.ts';
import { killHard, partsWorld } from '../support/parts-world.ts';
import { seeded } from '../support/seed.ts';

/*
 * Two executors share the files of a bucket, and one after another is killed at a random moment with its runners, whether it divides the
 * run or helps; a new one takes its place. The target has each row once, or what it had before.
 */

const FILES = 60;
const FILE_ROWS = 200;
const ROWS = FILES * FILE_ROWS;
const RUNS = fewOrMany(1, 1);
const KILLS = fewOrAll(2, 4);
/** Fewer kills may miss every part. */
const KILLS_SURE = 4;
const SPAN_MS = 2_500;

t.setTimeout(3_600_000);

t.test('executors are killed while they share files', { skip: withoutS3() }, async (t) => {
  const bucket = await createBucket();
  for (let file = 0; file < FILES; file += 1) {
    const lines = Array.from({ length: FILE_ROWS }, (_, at) => file * FILE_ROWS + at + 1);
    await bucket.put(`in/${file % 7}/f${file}.csv`, `id,n\n${lines.map((id) => `${id},${id}\n`).join('')}`);
  }
  const address = new URL(bucket.endpoint).host;
  const world = await partsWorld(t, 1, { SVC_OUTBOUND_ALLOW: address });
  const { db, executor, start, end, parts, count, served } = world;
  await execute(db, 'DELETE FROM src');
  const config = bucket.config('in/');
  const made = await served.api.post<{ id: number }>('/api/connectors', {
    name: 'files',
    type: 'csv',
    config,
  });
  const files = { type: 'csv', id: made.id };
  let names = 0;
  let taken = 0;
  const by = new Set<string | null>();
  const another = () => executor(`e${++names}`);
  const executors = [await another(), await another()];
  const { random } = seeded(t);
  for (const [load, old] of [
    ['mode: append', 1],
    ['mode: replace', 0],
    ['mode: merge, key: [id]', 1],
  ] as const)
    for (let at = 0; at < RUNS; at += 1) {
      const key = load.includes('merge') ? 'PRIMARY KEY' : '';
      await execute(
        db,
        'DROP TABLE IF EXISTS dst',
        `CREATE TABLE dst (id bigint ${key}, n integer)`,
        `INSERT INTO dst VALUES (${ROWS * 2}, -1)`,
      );
      const { id } = await start({ partition: '{files: 8, concurrency: 1}', load, batch: 20, files });
      for (let kill = 0; kill < KILLS; kill += 1) {
        await delay(random() * SPAN_MS);
        const [victim] = executors.splice(random() < 0.5 ? 0 : 1, 1);
        if (victim !== undefined) await killHard(victim);
        const there = await count('(SELECT count(*) FROM dst WHERE n > 0)');
        t.ok(there === 0 || there === ROWS, `${there} rows are to be seen`);
        executors.push(await another());
      }
      t.match(await end(id), { status: 'success', error: null, items: { out: ROWS } }, load);
      t.equal(await count('(SELECT count(*) FROM dst WHERE n > 0)'), ROWS, 'no row is lost or there twice');
      t.equal(await count('(SELECT count(DISTINCT id) FROM dst WHERE n > 0)'), ROWS);
      t.equal(await count('(SELECT count(*) FROM dst WHERE n < 0)'), old);
      const shown = await parts(id);
      t.equal(shown.length, 8);
      taken += shown.filter(({ attempts }) => attempts > 1).length;
      for (const part of shown) by.add(part.executor);
    }
  t.ok(by.size > 1, `parts were staged by ${[...by]}`);
  t.ok(taken > 0 || KILLS < KILLS_SURE, `${taken} parts were taken again`);
});
