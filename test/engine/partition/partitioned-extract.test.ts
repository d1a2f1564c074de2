import t from 'tap';
import { execute, never, rowsOf } from '../../drivers/sql/engines.ts';
import { ofFullList, oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { partEngines } from './support/part-engines.ts';
import { partsScene } from './support/parts-scene.ts';

const FIRST = '{by: id, parts: 8}';
/** How a load publishes its parts, into a table that is not there, one that is, and one that a view refers to. */
const LOADS = ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only'].flatMap((mode) =>
  ['absent', 'there', 'referred to'].map((shape) => ({ mode, shape })),
);

/** SQLite, which takes the least time, takes every case; of the servers, the tests that always run take the first one, and some loads. */
for (const engine of partEngines)
  t.test(engine.driver.title, { skip: engine.skip }, async (t) => {
    const { db, run, leftovers, isCopied } = await partsScene(t, engine);
    const isQuick = engine.driver.type === 'sqlite';

    for (const partition of [
      FIRST,
      '{by: id, parts: 1}',
      ...(engine.driver.type === 'postgres' ? ['{by: id, parts: 256, concurrency: 8}'] : []),
      '{by: at, parts: 5}',
      '{by: day, parts: 5, concurrency: 1}',
      '{by: kind, values: [a, c]}',
    ])
      t.test(
        `parts by ${partition} bring each row once`,
        isQuick || partition === FIRST ? {} : ofFullList,
        async (t) => {
          const { keeper, ...outcome } = await run(partition, 'mode: replace');
          t.match(outcome, { status: 'success', rows_in: 402, rows_out: 402, failure: null });
          t.match(
            outcome.steps.map(({ step_id, status, rows_in, rows_out, attempts }) => [
              step_id,
              status,
              rows_in,
              rows_out,
              attempts,
            ]),
            [
              ['read', 'success', 402, 402, 1],
              ['shape', 'success', 402, 402, 1],
              ['write', 'success', 402, 402, 1],
            ],
          );
          await isCopied(t);
          t.ok(keeper.logs.some(({ message }) => /^Part 1 of \d+ \(.+\): \d+ rows staged in/.test(message)));
        },
      );

    t.test(
      'every mode that publishes parts gives what the same load of all rows at once gives',
      async (t) => {
        for (const { mode, shape } of seeded(t).someOf(LOADS, isQuick ? 1 : oneIn(5, 1))) {
          const keyed = ['upsert', 'merge', 'insert_only'].includes(mode);
          const load = `mode: ${mode}${keyed ? ', key: [n]' : ''}`;
          const results = [];
          for (const partition of ['{by: id, parts: 4}', 'null']) {
            await execute(db, 'DROP VIEW IF EXISTS seen', 'DROP TABLE IF EXISTS dst');
            if (shape !== 'absent')
              await execute(
                db,
                `CREATE TABLE dst (n integer PRIMARY KEY, id bigint, price varchar(20) DEFAULT 'none', note varchar(20) DEFAULT 'kept')`,
                "INSERT INTO dst VALUES (7, 0, 'old', 'mine'), (1000, 0, 'old', 'mine')",
              );
            if (mode === 'append')
              await execute(db, shape === 'absent' ? 'SELECT 1' : 'DELETE FROM dst WHERE n = 7');
            if (shape === 'referred to') await execute(db, 'CREATE VIEW seen AS SELECT n FROM dst');
            const { status, rows_out, rows_skipped, failure } = await run(partition, load);
            const columns = await db.describe('dst', never);
            const rows = await rowsOf(db, 'SELECT * FROM dst ORDER BY n');
            results.push({ status, rows_out, rows_skipped, failure, columns, rows });
          }
          t.strictSame(results[0], results[1], `${mode}, ${shape}`);
          t.equal(results[0]?.status, 'success');
        }
        await execute(db, 'DROP VIEW IF EXISTS seen');
        t.equal(await leftovers(), 0);
      },
    );

    t.test(
      'an empty table has parts as well, and a target keeps its rows unless it may be emptied',
      async (t) => {
        await execute(
          db,
          'DELETE FROM src',
          'CREATE TABLE dst (id bigint, n integer)',
          'INSERT INTO dst VALUES (1, 1)',
        );
        t.match(await run('{by: id, parts: 8}', 'mode: replace'), { status: 'success', rows_out: 0 });
        t.equal((await rowsOf(db, 'SELECT * FROM dst')).length, 1);
        await run('{by: id, parts: 8}', 'mode: replace, allow_empty: true');
        t.equal((await rowsOf(db, 'SELECT * FROM dst')).length, 0);
      },
    );

    t.test('what cannot be divided is refused before anything is written', async (t) => {
      t.match(await run('{by: kind, parts: 2}', 'mode: replace'), {
        status: 'error',
        failure: {
          code: 'VALIDATION_ERROR',
          message: /"kind" is of type string: ranges need an integer or time column/,
        },
      });
      t.match(await run('{by: nosuch, parts: 2}', 'mode: replace'), {
        status: 'error',
        failure: { message: /nosuch/ },
      });
      t.match(await run('{by: id, parts: 2}', 'mode: scd2, key: [n]'), {
        failure: { message: /cannot publish the parts of "read" with mode "scd2"; use append, replace/ },
      });
    });
  });
