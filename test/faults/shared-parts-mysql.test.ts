// Long list: it kills processes, or cuts what they rely on; quick: test/modules/runs/run-parts.test.ts, test/engine/partition/partitioned-extract.test.ts.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { execute } from '../drivers/sql/engines.ts';
import { fewOrAll } from '../support/fault-list.ts';
import { withoutMariadb } from '../support/mariadb.ts';
import { killHard, partsWorld } from '../support/parts-world.ts';
import { seeded } from '../support/seed.ts';
import { until } from '../support/served.ts';

/* Tables of MySQL and MariaDB, whose parts are shared by an executor that is connected over gRPC and one that is over HTTP. */

const ROWS = 8_000;
const KILLS = fewOrAll(1, 3);
const SPAN_MS = 2_000;

t.setTimeout(600_000);

const skip = withoutMariadb();
const CASES = [
  { load: 'mode: append', old: [0, -1], kept: 1 },
  { load: 'mode: replace', old: [0, -1], kept: 0 },
  { load: 'mode: merge, key: [id]', old: [ROWS * 2, -1], kept: 1 },
];

t.test(
  'executors over gRPC and HTTP share the parts of a table, and are killed meanwhile',
  { skip },
  async (t) => {
    const world = await partsWorld(t, ROWS, {}, 'mysql');
    const { db, executor, start, end, isCopied, parts, count, served } = world;
    let names = 0;
    const over = {
      grpc: () => executor(`grpc${++names}`),
      http: () => executor(`http${++names}`, ['--slots', '1'], served.url),
    };
    const there = { grpc: await over.grpc(), http: await over.http() };

    for (const { load, old, kept } of CASES)
      await t.test(load, async (t) => {
        const { random } = seeded(t);
        await execute(
          db,
          'DROP TABLE IF EXISTS dst',
          `CREATE TABLE dst (id bigint ${load.includes('merge') ? 'PRIMARY KEY' : ''}, n integer)`,
          `INSERT INTO dst VALUES (${old.join(', ')})`,
        );
        const { id } = await start({ partition: '{by: id, parts: 8, concurrency: 1}', load, batch: 20 });
        await until('both have a part', 60_000, async () => {
          const names = (await parts(id)).map((part) => part.executor ?? '');
          return (
            names.some((name) => name.startsWith('grpc')) && names.some((name) => name.startsWith('http'))
          );
        });
        for (let kill = 0; kill < KILLS; kill += 1) {
          const victim = random() < 0.5 ? 'grpc' : 'http';
          await delay(random() * SPAN_MS);
          await killHard(there[victim]);
          const seen = await count('(SELECT count(*) FROM dst WHERE n > 0)');
          t.ok(seen === 0 || seen === ROWS, `${seen} rows are to be seen`);
          there[victim] = await over[victim]();
        }
        t.match(await end(id), { status: 'success', items: { out: ROWS } });
        await isCopied(t, kept);
      });
  },
);
